#include <algorithm>

#include "fault.h"
#include "grid.h"

namespace emulation_device {
namespace {

using Kind = WarpMeeting::Kind;

std::string lane_list(unsigned mask) {
  std::string out;
  for (unsigned lane = 0; lane < kWarpThreads; ++lane)
    if (mask >> lane & 1) out += (out.empty() ? "" : ",") + std::to_string(lane);
  return out;
}

void check_mask(const Thread& self, unsigned mask, const Site& here) {
  const unsigned lane = self.index % kWarpThreads;
  if ((mask >> lane & 1) == 0) fault("lane " + std::to_string(lane) + " is not in its own mask", text_of(here));
  const unsigned lanes = std::min(kWarpThreads, grid().shape().block - (self.index - lane));
  const unsigned existing = lanes == kWarpThreads ? ~0u : (1u << lanes) - 1;
  if ((mask & ~existing) != 0)
    fault("the mask names lanes that the block does not have: its last warp has " + std::to_string(lanes),
          text_of(here));
}

// The meeting that lanes of `mask` are on their way to, or a new one.
WarpMeeting& join(std::vector<WarpMeeting>& meetings, Kind kind, unsigned mask, const Site& here) {
  for (WarpMeeting& meeting : meetings) {
    if ((meeting.mask & mask) == 0) continue;
    if (meeting.mask != mask || meeting.kind != kind || !same_place(meeting.first_site, here))
      fault("lanes of a warp meet at different barriers or exchanges, the first arrived at " +
                text_of(meeting.first_site),
            text_of(here));
    return meeting;
  }
  WarpMeeting& meeting = meetings.emplace_back();
  meeting.kind = kind;
  meeting.mask = mask;
  meeting.first_site = here;
  return meeting;
}

void finish(const WarpMeeting& meeting, const Block& block, unsigned first_thread) {
  unsigned votes = 0;
  for (unsigned lane = 0; lane < kWarpThreads; ++lane)
    if ((meeting.mask >> lane & 1) && meeting.words[lane] != 0) votes |= 1u << lane;
  for (unsigned lane = 0; lane < kWarpThreads; ++lane) {
    if ((meeting.mask >> lane & 1) == 0) continue;
    Thread& thread = grid().thread(block, first_thread + lane);
    const unsigned source = meeting.sources[lane];
    if (meeting.kind == Kind::shuffle && (meeting.mask >> source & 1) == 0)
      fault("lane " + std::to_string(lane) + " reads lane " + std::to_string(source) +
                ", which is not among the lanes " + lane_list(meeting.mask) + " of the exchange",
            text_of(meeting.first_site));
    thread.received = meeting.kind == Kind::ballot ? votes : meeting.words[source];
    grid().set_ready(thread);
  }
}

unsigned meet(Kind kind, unsigned mask, unsigned word, unsigned source, const Site& here) {
  Thread& self = grid().current();
  self.site = here;
  check_mask(self, mask, here);
  const unsigned lane = self.index % kWarpThreads;
  auto& meetings = self.block->meetings[self.index / kWarpThreads];
  WarpMeeting& meeting = join(meetings, kind, mask, here);
  meeting.arrived |= 1u << lane;
  meeting.words[lane] = word;
  meeting.sources[lane] = source;
  if (meeting.arrived == mask) {
    const WarpMeeting complete = meeting;
    meetings.erase(meetings.begin() + (&meeting - meetings.data()));
    finish(complete, *self.block, self.index - lane);
    self.fiber.leave(false);
  } else {
    grid().wait(State::warp_meeting);
  }
  return self.received;
}

// The lane that `lane` receives from, within its segment of `width` lanes; itself where CUDA says so.
unsigned source_lane(Exchange exchange, unsigned lane, unsigned by, unsigned width) {
  const unsigned first = lane / width * width, end = first + width;
  switch (exchange) {
  case Exchange::index:
    return first + by % width;
  case Exchange::up:
    return lane < first + by ? lane : lane - by;
  case Exchange::down:
    return lane + by < end ? lane + by : lane;
  case Exchange::by_xor:
    return (lane ^ by) < end ? lane ^ by : lane;
  }
  return lane;
}

}  // namespace

void warp_barrier(unsigned mask) {
  meet(Kind::barrier, mask, 0, 0, site_here());
  if (mask == ~0u) ++grid().current().clock.warp;
}

unsigned shuffle(Exchange exchange, unsigned mask, unsigned word, unsigned by, unsigned width) {
  const Site here = site_here();
  if (width == 0 || width > kWarpThreads || (width & (width - 1)) != 0)
    fault("the width of an exchange is " + std::to_string(width) + ", not a power of two up to 32", text_of(here));
  const unsigned lane = grid().current().index % kWarpThreads;
  return meet(Kind::shuffle, mask, word, source_lane(exchange, lane, by, width), here);
}

unsigned ballot(unsigned mask, bool predicate) { return meet(Kind::ballot, mask, predicate ? 1 : 0, 0, site_here()); }

}  // namespace emulation_device
