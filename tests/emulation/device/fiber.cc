#include "fiber.h"

#include <sanitizer/common_interface_defs.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#ifndef __x86_64__
#error "the context switch is written for x86-64"
#endif

namespace emulation_device {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kStackBytes = 64 * 1024;  // sanitized frames with unrolled register arrays take up to 20 KB

struct MainStack {
  void* stack_pointer = nullptr;
  const void* bottom = nullptr;
  std::size_t size = 0;
  void* fake_stack = nullptr;
} main_stack;
Fiber* starting = nullptr;

}  // namespace

// void emulation_switch(void** save, void* load): the callee-saved registers and the stack pointer.
extern "C" void emulation_switch(void** save, void* load);
asm(R"(
  .text
  .globl emulation_switch
  .type emulation_switch, @function
emulation_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size emulation_switch, .-emulation_switch
)");

Stack::Stack() {
  void* p =
      mmap(nullptr, kPage + kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED || mprotect(p, kPage, PROT_NONE) != 0) {
    std::perror("emulation: stack of a thread");
    std::abort();
  }
  mapping_ = static_cast<std::byte*>(p);
}

Stack::~Stack() { munmap(mapping_, kPage + kStackBytes); }

std::byte* Stack::bottom() const { return mapping_ + kPage; }
std::size_t Stack::size() const { return kStackBytes; }

void Fiber::start(Entry entry) {
  entry_ = entry;
  fake_stack_ = nullptr;
  // Above the six registers lies the address that the switch returns to; below it the stack is 8 modulo 16, as after a
  // call.
  void** top = reinterpret_cast<void**>(stack_.bottom() + stack_.size()) - 2;
  top[0] = reinterpret_cast<void*>(&Fiber::begin);
  for (int i = 1; i <= 6; ++i) top[-i] = nullptr;
  top[1] = nullptr;
  stack_pointer_ = top - 6;
}

void Fiber::resume() {
  starting = this;
  __sanitizer_start_switch_fiber(&main_stack.fake_stack, stack_.bottom(), stack_.size());
  emulation_switch(&main_stack.stack_pointer, stack_pointer_);
  __sanitizer_finish_switch_fiber(main_stack.fake_stack, nullptr, nullptr);
}

void Fiber::leave(bool dying) {
  __sanitizer_start_switch_fiber(dying ? nullptr : &fake_stack_, main_stack.bottom, main_stack.size);
  emulation_switch(&stack_pointer_, main_stack.stack_pointer);
  __sanitizer_finish_switch_fiber(fake_stack_, nullptr, nullptr);
}

void Fiber::begin() {
  __sanitizer_finish_switch_fiber(nullptr, &main_stack.bottom, &main_stack.size);
  starting->entry_();
}

}  // namespace emulation_device
