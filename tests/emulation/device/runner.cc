// The process that runs a compiled kernel: runner REQUEST ANSWER. Exit status 0: the answer holds the buffers.
// kFaultStatus: a fault was printed. Anything else is a sanitizer's report.
#include <dlfcn.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <new>
#include <sstream>

#include "../wire.h"
#include "fault.h"
#include "grid.h"

using namespace emulation_device;
using torchweld::emulation::Reader;
using torchweld::emulation::Use;
using torchweld::emulation::Writer;

namespace {

constexpr std::size_t kAlignment = 256;  // of a device allocation

/// An exact-size heap block for one operand: the byte past its end is poisoned.
class Operand {
public:
  Operand(Use use, std::size_t misalignment, std::string initial)
      : use(use), misalignment_(misalignment), initial_(std::move(initial)),
        base_(static_cast<char*>(::operator new (misalignment + initial_.size(), std::align_val_t{kAlignment}))) {
    // AddressSanitizer keeps whole words of 8 bytes: up to 7 bytes before the operand stay accessible.
    __asan_poison_memory_region(base_, misalignment / 8 * 8);
  }
  ~Operand() { ::operator delete (base_, std::align_val_t{kAlignment}); }
  Operand(const Operand&) = delete;

  void reset(unsigned seed) {
    if (initial_.empty()) return;
    if (use == Use::input || use == Use::in_out)
      std::memcpy(address(), initial_.data(), initial_.size());
    else
      std::memset(address(), garbage_byte(seed), initial_.size());
  }
  [[nodiscard]] char* address() const { return base_ + misalignment_; }
  [[nodiscard]] std::string content() const { return {address(), initial_.size()}; }
  [[nodiscard]] const std::string& initial() const { return initial_; }

  const Use use;
  std::string expected;  ///< content after the first seed

private:
  std::size_t misalignment_;
  std::string initial_;
  char* base_;
};

struct Request {
  std::string library, kernel;
  LaunchShape shape;
  unsigned first_seed = 0, seeds = 1, seconds = 60;
  std::vector<std::unique_ptr<Operand>> operands;
  std::vector<std::unique_ptr<char[]>> arguments;  ///< operator new aligns them for every argument type
  std::vector<std::size_t> argument_bytes;
};

std::string file_text(const char* path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

unsigned read_unsigned(Reader& in) { return static_cast<unsigned>(in.number()); }

Request read_request(const char* path) {
  Reader in(file_text(path));
  Request r;
  r.library = in.text();
  r.kernel = in.text();
  watch_races = in.number() != 0;
  r.shape = {read_unsigned(in), read_unsigned(in), read_unsigned(in), read_unsigned(in)};
  r.first_seed = read_unsigned(in);
  r.seeds = read_unsigned(in);
  r.seconds = read_unsigned(in);
  for (auto left = in.number(); left > 0; --left) {
    const Use use = static_cast<Use>(in.number());
    const auto misalignment = static_cast<std::size_t>(in.number());
    r.operands.push_back(std::make_unique<Operand>(use, misalignment, in.text()));
  }
  for (auto left = in.number(); left > 0; --left) {
    const std::string bytes = in.text();
    auto& argument = r.arguments.emplace_back(new char[bytes.size() + 1]);
    std::memcpy(argument.get(), bytes.data(), bytes.size());
    r.argument_bytes.push_back(bytes.size());
    for (auto pointers = in.number(); pointers > 0; --pointers) {
      const auto at = static_cast<std::size_t>(in.number());
      const auto operand = static_cast<std::size_t>(in.number());
      const char* address = r.operands[operand]->address() + static_cast<std::ptrdiff_t>(in.number());
      std::memcpy(argument.get() + at, &address, sizeof address);
    }
  }
  return r;
}

const KernelEntry& find_kernel(const Request& request) {
  void* library = dlopen(request.library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fault(std::string("cannot load the compiled kernel: ") + dlerror(), "");
  const auto* entry = static_cast<const KernelEntry*>(dlsym(library, "emulation_kernels"));
  while (entry != nullptr && entry->name != nullptr && request.kernel != entry->name) ++entry;
  if (entry == nullptr || entry->name == nullptr) fault("no kernel " + request.kernel, "");
  return *entry;
}

void check_launch(const Request& r, const KernelEntry& entry) {
  const LaunchShape& s = r.shape;
  if (s.grid == 0 || s.block == 0 || s.block > 1024 || s.cluster == 0 || s.grid % s.cluster != 0)
    fault("launch of " + std::to_string(s.grid) + " blocks of " + std::to_string(s.block) + " threads in clusters of " +
              std::to_string(s.cluster),
          "");
  if (r.arguments.size() != entry.arguments)
    fault("the launch has " + std::to_string(r.arguments.size()) + " arguments, the kernel takes " +
              std::to_string(entry.arguments),
          "");
  for (std::size_t i = 0; i < r.arguments.size(); ++i)
    if (r.argument_bytes[i] != entry.argument_bytes[i])
      fault("argument " + std::to_string(i) + " has " + std::to_string(r.argument_bytes[i]) +
                " bytes, the kernel takes " + std::to_string(entry.argument_bytes[i]),
            "");
}

std::size_t first_difference(const std::string& a, const std::string& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
}

// Inputs must be as they were; results must not depend on the order of threads, nor on what memory held before.
void check_operands(const Request& r, unsigned seed) {
  for (std::size_t i = 0; i < r.operands.size(); ++i) {
    Operand& operand = *r.operands[i];
    if (operand.use == Use::scratch) continue;
    const std::string content = operand.content();
    if (operand.use == Use::input && content != operand.initial())
      fault("buffer " + std::to_string(i) + ", an input, is written at byte " +
                std::to_string(first_difference(content, operand.initial())) + " (seed " + std::to_string(seed) + ")",
            "");
    if (seed == r.first_seed) operand.expected = content;
    if (content != operand.expected)
      fault("buffer " + std::to_string(i) + " differs between seeds " + std::to_string(r.first_seed) + " and " +
                std::to_string(seed) + " from byte " + std::to_string(first_difference(content, operand.expected)) +
                " on: not written, or the result depends on the order of threads or on uninitialised memory",
            "");
  }
}

void print_running_thread() {
  if (running_grid() != nullptr) std::fprintf(stderr, "  %s\n", grid().describe_current().c_str());
  std::fflush(stderr);
}

[[noreturn]] void report_timeout(int) { fault("the kernel does not end: the time limit is over", ""); }

}  // namespace

extern "C" const char* __asan_default_options() { return "detect_leaks=0:quarantine_size_mb=32:print_legend=0"; }
extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1"; }

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const Request request = read_request(arguments[1]);
  const KernelEntry& entry = find_kernel(request);
  check_launch(request, entry);
  __sanitizer_set_death_callback(print_running_thread);
  signal(SIGALRM, report_timeout);
  alarm(request.seconds);
  std::vector<void*> kernel_arguments;
  for (const auto& argument : request.arguments) kernel_arguments.push_back(argument.get());
  for (unsigned seed = request.first_seed; seed < request.first_seed + request.seeds; ++seed) {
    for (const auto& operand : request.operands) operand->reset(seed);
    Grid(entry, kernel_arguments.data(), request.shape, seed).run();
    check_operands(request, seed);
  }
  Writer answer;
  for (const auto& operand : request.operands) answer.text(operand->content());
  std::ofstream(arguments[2], std::ios::binary) << answer.written();
  std::fflush(nullptr);
  _exit(0);
}
