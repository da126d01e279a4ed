#include "fusion/plan.h"
#include "torchweld/error.h"

namespace torchweld::fusion {

std::string_view name_of(Reason reason) {
  switch (reason) {
  case Reason::reshape_does_not_align:  // a reshape cuts where the group's axes do not divide
    return "reshape_does_not_align";
  case Reason::slice_of_computed_value:  // a part of a value that the group computes whole
    return "slice_of_computed_value";
  case Reason::domains_disagree:  // outputs run over different axes
    return "domains_disagree";
  case Reason::two_index_maps:  // a value is needed at two indices at once, as in x + x.t()
    return "two_index_maps";
  case Reason::reduces_other_dims:  // two reductions over different axes
    return "reduces_other_dims";
  case Reason::reduction_repeats_per_row:  // a reduction that some rows share
    return "reduction_repeats_per_row";
  case Reason::output_does_not_span_domain:  // an output smaller than the loops of the group
    return "output_does_not_span_domain";
  case Reason::indirect_load_of_computed_value:  // a gather from a value that the group computes
    return "indirect_load_of_computed_value";
  case Reason::path_leaves_and_returns:  // a third kernel needs one of the two and is needed by the other
    return "path_leaves_and_returns";
  case Reason::too_many_operands:  // more tensors than a kernel takes
    return "too_many_operands";
  case Reason::too_many_live_values:  // more values at once than registers hold
    return "too_many_live_values";
  case Reason::not_profitable:  // legal, but slower or hardly better than two kernels
    return "not_profitable";
  case Reason::not_connected:  // neither uses the other's result, and they share no input
    return "not_connected";
  }
  throw InternalError("a reason has a name");
}

}  // namespace torchweld::fusion
