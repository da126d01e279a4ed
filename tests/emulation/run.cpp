#include <algorithm>
#include <stdexcept>

#include "emulation/emulation.h"
#include "emulation/process.h"
#include "emulation/runner_binary.h"

namespace torchweld::emulation {
namespace {

std::vector<Buffer*> buffers_of(std::span<const Argument> arguments) {
  std::vector<Buffer*> buffers;
  for (const Argument& argument : arguments)
    for (const Argument::Pointer& pointer : argument.pointers)
      if (std::find(buffers.begin(), buffers.end(), pointer.buffer) == buffers.end()) buffers.push_back(pointer.buffer);
  return buffers;
}

// The fields in the order in which device/runner.cc reads them.
std::string request_text(const Kernel& kernel, const Launch& launch, std::span<const Argument> arguments,
                         const std::vector<Buffer*>& buffers, Seeds seeds, std::chrono::seconds limit) {
  Writer out;
  out.text(*kernel.library);
  out.text(kernel.entry);
  out.number(kernel.watch == Watch::races ? 1 : 0);
  for (unsigned n : {launch.grid, launch.block, launch.cluster, launch.dynamic_shared}) out.number(n);
  for (unsigned n : {seeds.first, seeds.count}) out.number(n);
  out.number(static_cast<std::uint64_t>(limit.count()));
  out.number(buffers.size());
  for (const Buffer* buffer : buffers) {
    out.number(static_cast<std::uint64_t>(buffer->use));
    out.number(buffer->misalignment);
    out.bytes(buffer->bytes.data(), buffer->bytes.size());
  }
  out.number(arguments.size());
  for (const Argument& argument : arguments) {
    out.bytes(argument.bytes.data(), argument.bytes.size());
    out.number(argument.pointers.size());
    for (const Argument::Pointer& pointer : argument.pointers) {
      const auto buffer = std::find(buffers.begin(), buffers.end(), pointer.buffer) - buffers.begin();
      out.number(pointer.at);
      out.number(static_cast<std::uint64_t>(buffer));
      out.number(static_cast<std::uint64_t>(pointer.offset));
    }
  }
  return out.written();
}

}  // namespace

std::string run(const Kernel& kernel, Launch launch, std::span<const Argument> arguments, Seeds seeds,
                std::chrono::seconds limit) {
  const std::vector<Buffer*> buffers = buffers_of(arguments);
  const auto request = scratch_file(".request"), answer = scratch_file(".answer");
  write_file(request, request_text(kernel, launch, arguments, buffers, seeds, limit));
  const Outcome outcome = run_process({runner_binary().string(), request.string(), answer.string()});
  std::filesystem::remove(request);
  if (outcome.status != 0)
    return outcome.output.empty() ? "the runner ended with status " + std::to_string(outcome.status) : outcome.output;
  Reader in(read_file(answer));
  std::filesystem::remove(answer);
  for (Buffer* buffer : buffers) {
    const std::string content = in.text();
    std::copy(content.begin(), content.end(), reinterpret_cast<char*>(buffer->bytes.data()));
  }
  return outcome.output;
}

}  // namespace torchweld::emulation
