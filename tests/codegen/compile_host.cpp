#include "codegen/compile_host.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace torchweld::testing {

void* compile_host(const std::string& text) {
  std::string folder = (std::filesystem::temp_directory_path() / "torchweld-host-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no folder for a host kernel");
  std::ofstream(folder + "/kernels.cpp") << text;
  const std::string command = std::string(TORCHWELD_CXX) +
                              " -std=c++17 -O1 -ffp-contract=off -fwrapv -Wall -Wno-unused-variable -Werror "
                              "-fsanitize=undefined -fno-sanitize-recover=all -shared -fPIC -o " +
                              folder + "/kernels.so " + folder + "/kernels.cpp 2> " + folder + "/log";
  const int status = std::system(command.c_str());
  std::stringstream log;
  log << std::ifstream(folder + "/log").rdbuf();
  void* library = status == 0 ? dlopen((folder + "/kernels.so").c_str(), RTLD_NOW) : nullptr;
  std::filesystem::remove_all(folder);
  if (library == nullptr) throw std::runtime_error("host kernels do not compile:\n" + log.str());
  return library;
}

}  // namespace torchweld::testing
