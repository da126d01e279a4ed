#pragma once

#include <cstddef>

namespace emulation_device {

/// A stack to run one thread of a block on. The lowest page is inaccessible, so an overflow is a fault, not corruption.
class Stack {
public:
  Stack();
  ~Stack();
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  [[nodiscard]] std::byte* bottom() const;  ///< lowest usable address
  [[nodiscard]] std::size_t size() const;

private:
  std::byte* mapping_;
};

/// Control flow on a stack of its own. resume() and leave() keep AddressSanitizer told of the stack in use.
class Fiber {
public:
  using Entry = void (*)();

  /// The next resume() calls `entry`, which must not return: it ends by leave(true).
  void start(Entry entry);
  /// Runs this fiber until it leaves; called from the main stack.
  void resume();
  /// Goes back to resume()'s caller; `dying` if this fiber is never resumed.
  void leave(bool dying);

private:
  static void begin();

  Stack stack_;
  Entry entry_ = nullptr;
  void* stack_pointer_ = nullptr;
  void* fake_stack_ = nullptr;
};

}  // namespace emulation_device
