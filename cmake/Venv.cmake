# The Python environment that scripts/setup.sh fills: it holds LibTorch, nvcc and the models of the tests.

if(NOT "$ENV{TORCHWELD_VENV}" STREQUAL "")
  set(default_venv $ENV{TORCHWELD_VENV})
elseif(NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
  set(default_venv $ENV{XDG_CACHE_HOME}/torchweld/venv)
else()
  set(default_venv $ENV{HOME}/.cache/torchweld/venv)
endif()
set(TORCHWELD_VENV ${default_venv} CACHE PATH "Python environment with torch, made by `make setup`")
file(GLOB TORCHWELD_SITE_PACKAGES ${TORCHWELD_VENV}/lib/python3*/site-packages)
