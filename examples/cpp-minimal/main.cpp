// Loads a TorchScript model, optimizes it, runs it, prints what was fused and saves the result.
//   minimal model.pt fast.pt     for a model that takes a f32[64,1024]

#include <ATen/ops/randn.h>
#include <torch/csrc/jit/api/module.h>
#include <torchweld/torchweld.h>

#include <exception>
#include <iostream>

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: minimal model.pt fast.pt\n";
    return 2;
  }
  try {
    auto model = torchweld::load(arguments[1]);
    auto [fast, outcome] = torchweld::optimize_with_outcome(model);
    auto output = fast.forward({at::randn({64, 1024})});
    std::cout << torchweld::report_text(fast, outcome);
    fast.save(arguments[2]);  // a file like any other; loading it needs libtorchweld.so
  } catch (const std::exception& error) {
    std::cerr << "minimal: " << error.what() << '\n';
    return 2;
  }
}
