// lanes.h: reductions of long rows on the host, in as many independent states as a block has elements, so that a
// compiler can use vectors.

constexpr i64 kLanes = 64;
DEV i64 end_of_block(i64 begin, i64 n) { return begin + kLanes < n ? begin + kLanes : n; }

template <class State>
struct Lanes {
  State lanes[kLanes];
  template <class T>
  DEV void push(i64 lane, T x) {
    lanes[lane].push(x);
  }
  DEV auto value() const {
    State merged;
    for (const State& lane : lanes) merged.merge(lane);
    return merged.value();
  }
};
