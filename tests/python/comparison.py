"""How results are compared."""

def largest_error(ours, theirs):
    """The largest difference over the largest magnitude of TorchScript's result."""
    assert ours.shape == theirs.shape and ours.dtype == theirs.dtype and ours.device == theirs.device
    return ((ours - theirs).abs().max() / theirs.abs().max()).item()


def all_plans(report):
    return [plan for method in report["methods"] for region in method["regions"] for plan in region["plans"]]


def assert_fused(report):
    """Kernels ran, and no call fell back."""
    assert report["totals"]["fused_calls"] > 0
    fallbacks = [entry for method in report["methods"] for region in method["regions"] for entry in region["fallbacks"]]
    assert fallbacks == []


