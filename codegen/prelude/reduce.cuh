// reduce.cuh: merges the states of the threads that share a row; every one of them gets the result.

template <class State>
DEV State state_of_lane_xor(const State& state, int offset, int width) {
  constexpr int kWords = int(sizeof(State)) / 4;
  unsigned words[kWords];
  memcpy(words, &state, sizeof(State));
#pragma unroll
  for (int i = 0; i < kWords; ++i) words[i] = shfl_xor_word(words[i], offset, width);
  State other;
  memcpy(&other, words, sizeof(State));
  return other;
}
template <class State>
DEV State state_of_lane(const State& state, int lane) {
  constexpr int kWords = int(sizeof(State)) / 4;
  unsigned words[kWords];
  memcpy(words, &state, sizeof(State));
#pragma unroll
  for (int i = 0; i < kWords; ++i) words[i] = shfl_word(words[i], lane);
  State other;
  memcpy(&other, words, sizeof(State));
  return other;
}

// Over `kLanes` neighbouring lanes of a warp.
template <int kLanes, class State>
DEV void merge_lanes(State& state) {
#pragma unroll
  for (int offset = kLanes / 2; offset > 0; offset /= 2) state.merge(state_of_lane_xor(state, offset, kLanes));
}
template <int kLanes, class... State>
DEV void lane_reduce(State&... states) {
  (merge_lanes<kLanes>(states), ...);
}

// The words of one warp's states, one state after the other.
DEV void put_states(unsigned*) {}
template <class State, class... Rest>
DEV void put_states(unsigned* to, const State& state, const Rest&... rest) {
  memcpy(to, &state, sizeof(State));
  put_states(to + sizeof(State) / 4, rest...);
}
DEV void get_states(const unsigned*) {}
template <class State, class... Rest>
DEV void get_states(const unsigned* from, State& state, Rest&... rest) {
  memcpy(&state, from, sizeof(State));
  get_states(from + sizeof(State) / 4, rest...);
}

// Over all threads of a block, with one barrier. `scratch` has room for the states of every warp; a kernel alternates
// between two of them, so that no warp overwrites what a slower one still reads.
template <int kThreads, class... State>
DEV void block_reduce(unsigned* scratch, State&... states) {
  constexpr int kWarps = kThreads / 32;
  constexpr int kWords = int((sizeof(State) + ...)) / 4;
  (merge_lanes<32>(states), ...);
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0) put_states(scratch + warp * kWords, states...);
  block_sync();
  if (lane < kWarps)
    get_states(scratch + lane * kWords, states...);
  else
    ((states = State()), ...);
  (merge_lanes<kWarps>(states), ...);
  if constexpr (kWarps < 32) ((states = state_of_lane(states, 0)), ...);
}

// Of one column, the parts of every warp, side by side for each kind of state; the result is put after them.
template <int kParts, int kStride>
DEV void merge_parts(unsigned*) {}
template <int kParts, int kStride, class State, class... Rest>
DEV void merge_parts(unsigned* at) {
  State all;
  memcpy(&all, at, sizeof(State));
#pragma unroll 8
  for (int part = 1; part < kParts; ++part) {
    State other;
    memcpy(&other, at + part * kStride, sizeof(State));
    all.merge(other);
  }
  memcpy(at + kParts * kStride, &all, sizeof(State));
  merge_parts<kParts, kStride, Rest...>(at + sizeof(State) / 4);
}
template <int kAcross, int V, class State>
DEV void merge_lanes_along(State* states) {
#pragma unroll
  for (int offset = 16; offset >= kAcross; offset /= 2)
#pragma unroll
    for (int v = 0; v < V; ++v) states[v].merge(state_of_lane_xor(states[v], offset, 32));
}

// Over the kAlong threads of a block that share V columns each; kAcross neighbours have columns of their own. Lanes of
// a warp first, then warps in their order. `scratch` has room for the states of every part and for the results; it may
// be used again at once, since whoever writes parts has read its results, and the parts are read before any result is
// written.
template <int kAcross, int kAlong, int V, class... State>
DEV void column_reduce(unsigned* scratch, State*... states) {
  constexpr int kParts = kAcross < 32 ? kAcross * kAlong / 32 : kAlong, kColumns = kAcross * V;
  constexpr int kWords = int((sizeof(State) + ...)) / 4;
  (merge_lanes_along<kAcross, V>(states), ...);
  if constexpr (kParts > 1) {
    const unsigned x = threadIdx.x % kAcross, part = threadIdx.x / (kAcross < 32 ? 32 : kAcross);
    if (kAcross >= 32 || threadIdx.x % 32 < kAcross) {
#pragma unroll
      for (int v = 0; v < V; ++v) put_states(scratch + ((part * V + v) * kAcross + x) * kWords, states[v]...);
    }
    block_sync();
    for (unsigned column = threadIdx.x; column < kColumns; column += kAcross * kAlong)
      merge_parts<kParts, kColumns * kWords, State...>(scratch + column * kWords);
    block_sync();
#pragma unroll
    for (int v = 0; v < V; ++v) get_states(scratch + ((kParts * V + v) * kAcross + x) * kWords, states[v]...);
  }
}
