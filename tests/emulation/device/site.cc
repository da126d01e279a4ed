#include "site.h"

#include <sanitizer/common_interface_defs.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace emulation_device {
namespace {

bool ends_with(const std::string& s, std::string_view end) {
  return s.size() >= end.size() && s.compare(s.size() - end.size(), end.size(), end) == 0;
}

// The lines of one address, innermost inlined function first: the symbolizer ends each with a null.
std::vector<std::string> lines_at(const void* address) {
  char text[4096] = {};
  // A return address belongs to the line after the call.
  const void* call = static_cast<const char*>(address) - 1;
  __sanitizer_symbolize_pc(const_cast<void*>(call), "%s|%l", text, sizeof text);
  std::vector<std::string> lines;
  for (const char* p = text; *p != 0; p += lines.back().size() + 1) lines.emplace_back(p);
  return lines;
}

}  // namespace

__attribute__((no_sanitize("address"))) Site site_here() {
  Site site{};
  void* const* frame = static_cast<void* const*>(__builtin_frame_address(0));
  frame = static_cast<void* const*>(frame[0]);
  for (std::size_t i = 0; i < site.size() && frame != nullptr; ++i) {
    site[i] = frame[1];
    frame = static_cast<void* const*>(frame[0]);
  }
  return site;
}

std::string text_of(const Site& site) {
  std::string out;
  for (const void* address : site) {
    if (address == nullptr) break;
    for (const std::string& line : lines_at(address)) {
      const auto bar = line.rfind('|');
      std::string file = line.substr(0, bar);
      file.erase(0, file.rfind('/') + 1);
      const bool ours = ends_with(file, ".cc") || ends_with(file, ".h") || file == "entries" || file == "<null>";
      if (!ours && file.find('.') != std::string::npos)
        out += (out.empty() ? "" : " < ") + file + ":" + line.substr(bar + 1);
    }
  }
  return out.empty() ? "unknown place" : out;
}

bool same_place(const Site& a, const Site& b) {
  if (a == b) return true;
  static std::map<std::pair<Site, Site>, bool> known;
  const auto [at, fresh] = known.try_emplace({a, b});
  if (fresh) at->second = text_of(a) == text_of(b);
  return at->second;
}

}  // namespace emulation_device
