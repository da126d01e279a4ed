#pragma once

/// What the help of each command ends with. The examples work as printed in a folder with a model.pt that takes a
/// f32[1,512] and a number, and an inputs.pt for it; a test runs them.
namespace torchweld::cli {

inline constexpr const char* kHelpOfInputs = R"(Inputs:
  --input 'f32[1,512]'           normal random values
  --input 'i64[2,77]:0..30521'   random integers of that range, or of 0..1
  --input 16000                  a number; also 0.5, true, false
  dtypes: f64 f32 f16 bf16 i64 i32 i16 i8 u8 bool
)";

inline constexpr const char* kExamplesOfTool = R"(Examples:
  torchweld run model.pt --input 'f32[1,512]' --input 16000 --check
  torchweld report model.pt --input 'f32[1,512]' --input 16000
  torchweld kernels model.pt --inputs inputs.pt --emit cuda
  torchweld cache list
Each command has more: torchweld run --help
)";

inline constexpr const char* kExamplesOfRun = R"(
Examples:
  torchweld run model.pt --input 'f32[1,512]' --input 16000 --check
  torchweld run model.pt --inputs inputs.pt --iterations 100
  torchweld run model.pt --inputs inputs.pt --numerics eager --strict
)";

inline constexpr const char* kExamplesOfReport = R"(
Examples:
  torchweld report model.pt --input 'f32[1,512]' --input 16000
  torchweld report model.pt --inputs inputs.pt --format json
  torchweld report model.pt --inputs inputs.pt --format dot > model.dot
)";

inline constexpr const char* kExamplesOfKernels = R"(
Examples:
  torchweld kernels model.pt --input 'f32[1,512]' --input 16000 --emit cuda
  torchweld kernels model.pt --inputs inputs.pt --emit ptx --arch sm_80
  torchweld kernels model.pt --inputs inputs.pt --emit cubin --output cubins
)";

inline constexpr const char* kExamplesOfCache = R"(Examples:
  torchweld cache list
  torchweld cache clear
The folder is --cache-dir, else $TORCHWELD_CACHE_DIR, else
~/.cache/torchweld/kernels.
)";

}  // namespace torchweld::cli
