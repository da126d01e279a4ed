#include "codegen/schedules/schedules.h"

namespace torchweld::codegen {
namespace {

/// Bytes of loads in flight that make a second vector a thread pointless.
constexpr int kEnoughBytesInFlight = 32;

int bytes_of_vector_loads(const Tile& tile, const LoopNest& nest) {
  int bytes = 0;
  for (const fusion::Statement& statement : nest.group->statements)
    if (const auto* load = std::get_if<fusion::Load>(&statement.body)) {
      const auto access = static_cast<std::size_t>(load->access);
      if (tile.accesses[access].pattern == Pattern::vector)
        bytes += tile.vector * graph::size_of(nest.group->accesses[access].dtype);
    }
  return bytes;
}

std::int64_t elements_of_block(const Tile& tile) {
  return std::int64_t{tile.vector} * tile.threads * tile.vectors_per_thread;
}

}  // namespace

// Measured on an H200: T128 K2 and T256 K1 run at the speed of a copy; K4 costs 3 %, a persistent grid 7-12 %.
Tile choose_pointwise_tile(const LoopNest& nest, const Target& target) {
  Tile tile;
  tile.wide = needs_wide_index(nest);
  const std::int64_t n = nest.num_inner();
  set_vector(tile, nest, widest_vector(nest), false);
  if (!is_mostly_vectors(tile, nest)) {
    set_vector(tile, nest, 1, false);
    tile.vectors_per_thread = 4;
  } else {
    tile.vectors_per_thread = bytes_of_vector_loads(tile, nest) <= kEnoughBytesInFlight ? 2 : 1;
  }
  tile.threads = tile.vectors_per_thread > 1 ? 128 : 256;
  // A small problem is spread over all multiprocessors.
  const auto blocks = [&] { return (n + elements_of_block(tile) - 1) / elements_of_block(tile); };
  if (blocks() < target.multiprocessors) {
    tile.vectors_per_thread = 1;
    tile.threads = 128;
  }
  if (blocks() < target.multiprocessors) tile.threads = 32;
  if (n % elements_of_block(tile) == 0)
    tile.ends = Ends::exact;
  else
    tile.ends = n % tile.vector == 0 ? Ends::whole_vectors : Ends::ragged;
  return tile;
}

}  // namespace torchweld::codegen
