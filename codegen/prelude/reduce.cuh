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
