# LibTorch from the wheel in the environment, or from CMAKE_PREFIX_PATH.

if(NOT Torch_DIR AND EXISTS ${TORCHWELD_SITE_PACKAGES}/torch/share/cmake/Torch)
  set(Torch_DIR ${TORCHWELD_SITE_PACKAGES}/torch/share/cmake/Torch CACHE PATH "Folder of TorchConfig.cmake")
endif()
if(NOT Torch_DIR AND NOT CMAKE_PREFIX_PATH)
  message(FATAL_ERROR "no LibTorch in ${TORCHWELD_VENV}: run `make setup`, or set TORCHWELD_VENV or Torch_DIR, "
                      "or build without it: -DTORCHWELD_WITH_TORCH=OFF")
endif()

# find_package(Torch) enables the CUDA language although we compile no .cu file. The environment's nvcc is the one that
# matches the wheel's headers, so it comes before any other toolkit; CMAKE_CUDA_COMPILER or CUDACXX overrule it.
set(wheel_toolkit ${TORCHWELD_SITE_PACKAGES}/nvidia/cu13)
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND EXISTS ${wheel_toolkit}/bin/nvcc)
  set(CMAKE_CUDA_COMPILER ${wheel_toolkit}/bin/nvcc CACHE FILEPATH "nvcc of the wheels")
  set(CUDA_TOOLKIT_ROOT_DIR ${wheel_toolkit} CACHE PATH "toolkit of the wheels")
endif()

# CMake 3.25 knows no CUDA 20 dialect, and a given list skips a probe that fails where there is no GPU.
set(CMAKE_CUDA_STANDARD 17)
set(TORCH_CUDA_ARCH_LIST "9.0+PTX")
find_package(Torch REQUIRED)

# Folders that use LibTorch share one precompiled header, which holds its costly headers. Their symbols are visible to
# the linker; exports.map says which of them leave the library.
function(torchweld_torch_visibility target)
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET default VISIBILITY_INLINES_HIDDEN OFF)
endfunction()

add_library(torchweld_torch_pch OBJECT ${PROJECT_SOURCE_DIR}/cmake/empty.cpp)
target_link_libraries(torchweld_torch_pch PUBLIC torchweld_options torch)
# Named without its folder, so that the text does not depend on where the clone is.
target_include_directories(torchweld_torch_pch PRIVATE ${PROJECT_SOURCE_DIR}/cmake)
target_precompile_headers(torchweld_torch_pch PRIVATE <torch_pch.h>)
torchweld_torch_visibility(torchweld_torch_pch)

# Whether a source includes a header of LibTorch, itself or by way of our own headers.
function(torchweld_reaches_torch path result)
  get_property(known GLOBAL PROPERTY "reaches_torch ${path}" SET)
  if(NOT known)
    set_property(GLOBAL PROPERTY "reaches_torch ${path}" OFF)
    file(STRINGS ${path} includes REGEX "^#include")
    set(reaches OFF)
    foreach(line IN LISTS includes)
      if(line MATCHES "<(ATen|c10|torch)/")
        set(reaches ON)
      elseif(line MATCHES "\"([^\"]+)\"")
        set(header ${PROJECT_SOURCE_DIR}/${CMAKE_MATCH_1})
        if(EXISTS ${header})
          torchweld_reaches_torch(${header} reaches)
        endif()
      endif()
      if(reaches)
        break()
      endif()
    endforeach()
    set_property(GLOBAL PROPERTY "reaches_torch ${path}" ${reaches})
  endif()
  get_property(reaches GLOBAL PROPERTY "reaches_torch ${path}")
  set(${result} ${reaches} PARENT_SCOPE)
endfunction()

# Where LibTorch's headers are not wanted, reading the precompiled one would cost more than it saves.
function(torchweld_skip_unneeded_header target)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(path ${source} ABSOLUTE)
    torchweld_reaches_torch(${path} reaches)
    if(NOT reaches)
      set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()

function(torchweld_use_torch target)
  target_link_libraries(${target} PRIVATE torch)
  target_precompile_headers(${target} REUSE_FROM torchweld_torch_pch)
  torchweld_skip_unneeded_header(${target})
  torchweld_torch_visibility(${target})
  # The header was compiled for a library; an executable's -fPIE would make g++ refuse it.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  # The last three are g++ 12's guesses about LibTorch's inline functions, reported although its headers are SYSTEM.
  target_compile_options(${target} PRIVATE -fPIC -Wno-array-bounds -Wno-maybe-uninitialized -Wno-stringop-overflow)
endfunction()
