"""For each row of the op table: operands to try it with, made from its first tensor.

A row has several makers where its operands come in several forms; a maker returns None where a tensor does not suit it.
"""
import torch

ROWS = {}


def rows(names, *makers):
    for name in names.split():
        assert name not in ROWS, name
        ROWS[name] = makers


def spread(values, x):
    """`values`, over and over, as a row-major tensor of the sizes and dtype of x."""
    tensor = torch.tensor(values, dtype=torch.float64)
    return tensor.repeat(x.numel() // len(values) + 1)[: x.numel()].reshape(x.shape).to(x.dtype)


def other(x):
    """Another operand: numbers of every kind, in another order."""
    if x.dtype.is_floating_point:
        return spread([0.4, -2.0, float("inf"), 0.0, 3.5, float("nan"), -0.0, -0.3, float("-inf"), 1.0, 2.0], x)
    if x.dtype == torch.bool:
        return spread([0, 1, 1], x)
    return spread([3, 0, 1, 7, 2, 5, 100] if x.dtype == torch.uint8 else [3, 0, -1, 7, -2, 5, 100], x)


def positive(x):
    return spread([1, 2, 3, 5], x)


def mask(x):
    return spread([0, 1, 1, 0, 1], x) != 0


def scalar(x, value):
    return torch.tensor(value).to(x.dtype)


def on(*trailing):
    """The tensor and numbers or texts that follow."""
    return lambda x: [x, *trailing]


def where_rank(low, maker):
    return lambda x: maker(x) if x.dim() >= low else None


def on_rank(low, *trailing):
    return where_rank(low, on(*trailing))


# ---- pointwise

rows("""abs acos acosh asin asinh atan atanh bitwise_not ceil cos cosh deg2rad erf erfc exp exp2 expm1 floor frac
hardsigmoid hardswish isfinite isinf isnan isneginf isposinf lgamma log log10 log1p log2 log_sigmoid logical_not mish neg
positive rad2deg reciprocal relu relu6 round rsqrt selu sgn sigmoid sign silu sin sinh sqrt square tan tanh trunc""",
     on())
rows("""__and__.Tensor __or__.Tensor __xor__.Tensor __lshift__.Tensor __rshift__.Tensor atan2 bitwise_and.Tensor
bitwise_left_shift.Tensor bitwise_or.Tensor bitwise_right_shift.Tensor bitwise_xor.Tensor copysign.Tensor eq.Tensor fmax
fmin ge.Tensor gt.Tensor hypot le.Tensor logaddexp logical_and logical_or logical_xor lt.Tensor max.other maximum
min.other minimum mul.Tensor ne.Tensor xlogy.Tensor""",
     lambda x: [x, other(x)], lambda x: [other(x), x], where_rank(1, lambda x: [x, other(x)[0]]),
     lambda x: [x, scalar(x, 1)])
rows("div.Tensor fmod.Tensor remainder.Tensor floor_divide pow.Tensor_Tensor", lambda x: [x, other(x)],
     lambda x: [x, positive(x)], where_rank(1, lambda x: [x, positive(x)[-1]]))
rows("""__and__.Scalar __or__.Scalar __xor__.Scalar __lshift__.Scalar __rshift__.Scalar bitwise_and.Scalar
bitwise_left_shift.Tensor_Scalar bitwise_or.Scalar bitwise_right_shift.Tensor_Scalar bitwise_xor.Scalar copysign.Scalar
clamp_max clamp_min div.Scalar eq.Scalar fmod.Scalar floor_divide.Scalar ge.Scalar gt.Scalar le.Scalar lt.Scalar mul.Scalar
ne.Scalar remainder.Scalar xlogy.Scalar_Other""",
     on(3), on(-0.5), on(True), on(0))
rows("""bitwise_and.Scalar_Tensor bitwise_or.Scalar_Tensor bitwise_xor.Scalar_Tensor bitwise_left_shift.Scalar_Tensor
bitwise_right_shift.Scalar_Tensor pow.Scalar remainder.Scalar_Tensor xlogy.Scalar_Self""",
     lambda x: [3, x], lambda x: [2.5, x], lambda x: [1, x])
rows("pow.Tensor_Scalar", *[on(exponent) for exponent in (2, 0.5, -0.5, -1, 3, 0, -2, 1.7)])
rows("add.Tensor sub.Tensor rsub.Tensor", lambda x: [x, other(x), 1], lambda x: [x, other(x), 2],
     lambda x: [x, other(x), 0.5], where_rank(1, lambda x: [x, other(x)[0], 1]), lambda x: [x, scalar(x, 1), 1])
rows("add.Scalar sub.Scalar rsub.Scalar", on(3, 1), on(0.5, 1), on(1, 2), on(True, 1))
rows("div.Tensor_mode", lambda x: [x, other(x), None], lambda x: [x, other(x), "floor"], lambda x: [x, other(x), "trunc"])
rows("div.Scalar_mode", on(3, "floor"), on(-3, "trunc"), on(2.5, None))
rows("addcmul addcdiv", lambda x: [x, other(x), positive(x), 1], lambda x: [x, other(x), positive(x), 0.5])
rows("lerp.Scalar", lambda x: [x, other(x), 0.25], lambda x: [x, other(x), 0.75])
rows("lerp.Tensor", lambda x: [x, positive(x), other(x)])
rows("clamp", on(-0.5, 0.5), on(None, 2), on(1, None), on(3, 1))
rows("clamp.Tensor", lambda x: [x, other(x), None], lambda x: [x, other(x), positive(x)])
rows("clamp_max.Tensor clamp_min.Tensor", lambda x: [x, other(x)], lambda x: [x, scalar(x, 1)])
rows("elu", on(1, 1, 1), on(1.5, 2.0, 0.5))
rows("celu leaky_relu", on(0.1), on(2))
rows("hardshrink softshrink", on(0.5), on(0.25))
rows("hardtanh", on(-1, 1))
rows("softplus", on(1, 20), on(2, 3))
rows("threshold", on(0.1, 7), on(1, 0))
rows("gelu", on("none"), on("tanh"))
rows("glu", lambda x: [x, next((d for d, size in enumerate(x.shape) if size % 2 == 0), 0)] if x.dim() else None)
rows("nan_to_num", on(None, None, None), on(1.5, 2, None))
rows("prelu", lambda x: [x, scalar(x, 0.25)],
     lambda x: [x, spread([0.5, -1], x[0, :, 0, 0])] if x.dim() == 4 and x.numel() else None)
rows("where.self", lambda x: [mask(x), x, other(x)], lambda x: [mask(x), x, scalar(x, 1)],
     where_rank(1, lambda x: [mask(x)[0], x, other(x)]))
rows("where.ScalarOther", lambda x: [mask(x), x, 3], lambda x: [mask(x), x, 0.5])
rows("where.ScalarSelf", lambda x: [mask(x), 3, x], lambda x: [mask(x), 0.5, x])
rows("where.Scalar", lambda x: [mask(x), 3.0, 0.5], lambda x: [mask(x), 3, 2])
rows("masked_fill.Scalar", lambda x: [x, mask(x), 1], lambda x: [x, mask(x), 0.5],
     where_rank(1, lambda x: [x, mask(x)[-1], True]))
rows("masked_fill.Tensor", lambda x: [x, mask(x), scalar(x, 1)])

# ---- casts and copies

rows("alias detach resolve_conj resolve_neg", on())
rows("clone contiguous", *[on(format) for format in (0, 1)], lambda x: [x, 2] if x.dim() == 4 else None)
rows("dropout feature_dropout", on(0.5, False))
rows("to.dtype", *[on(code, False, False, None) for code in (6, 5, 15, 7, 4, 3, 1, 0, 11)], on(6, False, True, 0))
rows("to.dtype_layout", on(6, None, "cpu", None, False, False, None))
rows("to.device", on("cpu", 6, False, False, None))
rows("to.other", lambda x: [x, torch.ones(1), False, False, None])
rows("to.prim_Device", on("cpu", 6, False, False))
rows("to.prim_dtype", on(6, False, False))
rows("to.prim_other", on(False, False))
rows("type_as", lambda x: [x, torch.ones(1)], lambda x: [x, torch.ones(1, dtype=torch.float16)])
rows("_cast_Float", on(False))
rows("_autocast_to_full_precision", on(True, True), on(True, False))
rows("_autocast_to_reduced_precision", on(True, True, 5, 15), on(True, False, 5, 15))

# ---- reductions and norms


def channels(x, value=1.0):
    return [spread([value, 0.5], x[0, :, 0, 0]) for _ in range(4)]


def tame(x):
    """Numbers whose sums of squares are far from the limits of a dtype."""
    return spread([0.3, -0.7, 1.5, 0.2, -1.1, 0.9, 2.0], x) if x.dtype.is_floating_point else x


def strided_like(x, y):
    """The values of y in the layout of x."""
    made = torch.empty_strided(x.shape, x.stride(), dtype=y.dtype)
    return made.copy_(y) if 0 not in x.stride() else y


def tamed(maker):
    return lambda x: maker(strided_like(x, tame(x)))


def tamed_rank(low, *trailing):
    return where_rank(low, tamed(on(*trailing)))


rows("all any max min", on())
rows("all.dim any.dim max.dim min.dim argmax argmin", on(0, False), on_rank(1, -1, True))
rows("all.dims any.dims", on([0], True), on_rank(2, [0, -1], False), on(None, False))
rows("amax amin", on([0], False), on_rank(2, [0, -1], True), on([], True))
rows("aminmax", on(None, False), on(0, True), on_rank(1, -1, False))
rows("mean prod sum", tamed(on(None)), tamed(on(7)))
rows("mean.dim sum.dim_IntList", tamed(on([0], False, None)), tamed_rank(2, [0, -1], True, None), tamed(on(None, False, 6)))
rows("prod.dim_int", tamed(on(0, False, None)), tamed_rank(1, -1, True, None))
rows("std std_mean var var_mean", tamed(on(True)), tamed(on(False)))
rows("std.dim std_mean.dim var.dim var_mean.dim", tamed(on([0], True, False)), tamed_rank(2, [0, -1], False, True))
rows("std.correction std_mean.correction var.correction var_mean.correction", tamed(on([0], 1, False)),
     tamed_rank(2, [0, -1], 0, True), tamed(on(None, None, False)))
rows("linalg_vector_norm", *[tamed(on(order, None, False, None)) for order in (0, 1, 2, float("inf"), -float("inf"), 3)],
     tamed_rank(2, 2, [0, -1], True, None), tamed(on(2, [0], False, 7)))
rows("norm.Scalar", tamed(on(2)), tamed(on(1)))
rows("norm.ScalarOpt_dim", tamed(on(2, [0], False)), tamed_rank(2, None, [0, -1], True))
rows("norm.ScalarOpt_dim_dtype", tamed(on(2, [0], False, 7)))
rows("norm.ScalarOpt_dtype", tamed(on(2, 7)))
rows("logsumexp", on([0], False), on_rank(2, [0, -1], True))
rows("softmax.int log_softmax.int", on(-1, None), on(0, None), on(0, 6))
rows("_softmax _log_softmax", on(-1, False))
rows("layer_norm", tamed_rank(1, [17], None, None, 1e-5, True),
     where_rank(1, tamed(lambda x: [x, [x.shape[-1]], positive(x[0]) if x.dim() == 1 else None, None, 1e-5, True])),
     where_rank(2, tamed(lambda x: [x, [x.shape[-1]], *[spread([1, 0.5], torch.ones(x.shape[-1], dtype=x.dtype))] * 2,
                                    1e-5, True])))
rows("rms_norm", where_rank(1, tamed(lambda x: [x, [x.shape[-1]], None, 1e-5] if x.numel() else None)))


def of_images(maker):
    return tamed(lambda x: maker(x) if x.dim() == 4 and x.numel() else None)


rows("batch_norm", of_images(lambda x: [x, *channels(x), False, 0.1, 1e-5, True]),
     of_images(lambda x: [x, None, None, *channels(x)[:2], False, 0.1, 1e-5, True]))
rows("instance_norm", of_images(lambda x: [x, *channels(x)[:2], None, None, True, 0.1, 1e-5, True]),
     of_images(lambda x: [x, None, None, None, None, True, 0.1, 1e-5, True]),
     of_images(lambda x: [x, *channels(x), False, 0.1, 1e-5, True]))
rows("group_norm", of_images(lambda x: [x, 1, *channels(x)[:2], 1e-5, True]),
     of_images(lambda x: [x, x.shape[1], None, None, 1e-5, True]))

# ---- losses

rows("l1_loss mse_loss", *[lambda x, r=reduction: [x, positive(x), r] for reduction in (0, 1, 2)])
rows("huber_loss smooth_l1_loss", *[lambda x, r=reduction: [x, positive(x), r, 0.75] for reduction in (0, 1, 2)])
rows("kl_div", *[lambda x, r=reduction, l=log: [x, positive(x), r, l] for reduction, log in ((0, False), (1, True))])
rows("binary_cross_entropy_with_logits", lambda x: [x, positive(x), None, None, 0],
     tamed(lambda x: [x, positive(x), None, None, 1]),
     where_rank(1, tamed(lambda x: [x, positive(x), positive(x), positive(x)[0], 2])))

# ---- views and layout

rows("permute", lambda x: [x, list(reversed(range(x.dim())))], on_rank(1, [0]))
rows("transpose.int swapaxes swapdims", on_rank(1, 0, -1))
rows("t", on())
rows("movedim.int", on_rank(2, 0, -1))
rows("movedim.intlist", on_rank(2, [0, 1], [-1, 0]))
rows("view reshape", on([-1]), on([3, -1]), where_rank(1, lambda x: [x, [*x.shape[:-1], -1, 1]]))
rows("view_as reshape_as", lambda x: [x, torch.ones(x.numel())], lambda x: [x, torch.ones(1, *x.shape)])
rows("flatten.using_ints", on(0, -1), on_rank(2, 1, 2))
rows("unflatten.int", where_rank(1, lambda x: [x, -1, [1, -1]]))
rows("squeeze", on())
rows("squeeze.dim", on_rank(1, 0))
rows("squeeze.dims", on_rank(1, [0, -1]))
rows("unsqueeze", on(0), on(-1))
rows("expand", lambda x: [x, [2, *x.shape], False], on([-1] * 4, False))
rows("broadcast_to", lambda x: [x, [2, *x.shape]])
rows("expand_as", lambda x: [x, torch.ones(2, *x.shape)])
rows("numpy_T mT", on())
rows("slice.Tensor", on_rank(1, 0, 1, None, 2), on_rank(2, -1, -4, -1, 1))
rows("select.int", on_rank(1, 0, -1))
rows("narrow", on_rank(1, 0, 1, 1))
rows("unbind.int", on_rank(1, 0))
rows("chunk unsafe_chunk", on_rank(1, 2, -1))
rows("split.Tensor unsafe_split.Tensor", on_rank(1, 2, -1))
rows("split.sizes split_with_sizes unsafe_split_with_sizes",
     where_rank(1, lambda x: [x, [1, x.shape[-1] - 1], -1]))
rows("tensor_split.sections", on_rank(1, 3, -1), on_rank(1, 1, 0))
rows("tensor_split.indices", on_rank(1, [1, 3], -1), on_rank(1, [-2, 9], 0))
rows("cat", lambda x: [[x, other(x)], 0], lambda x: [[x, x.float()], -1])
rows("stack", lambda x: [[x, other(x)], 0], lambda x: [[x, other(x)], -1])
rows("dstack hstack vstack", lambda x: [[x, other(x)]])
rows("constant_pad_nd", on_rank(2, [1, 2, 0, 1], 1), on_rank(1, [-1, 0], 0), on_rank(1, [0, 0], 0))
rows("pad", on_rank(1, [1, 2], "constant", None), on_rank(2, [0, -1, 3, 0], "constant", 0.5))
rows("flip", on([0]), on_rank(2, [0, -1]), on([]))
rows("roll", on([2], []), on_rank(1, [-1], [-1]), on_rank(1, [0], [0]))
rows("repeat", lambda x: [x, [2, *[1] * x.dim()]], lambda x: [x, [3] * x.dim()], lambda x: [x, [1] * x.dim()])
rows("tile", on([2]), lambda x: [x, [2, *[1] * x.dim()]])
rows("tril triu", on(0), on(-1), on(2))
rows("pixel_shuffle", lambda x: [x, 1], lambda x: [x.repeat(1, 4, 1, 1), 2] if x.dim() == 4 else None)
rows("pixel_unshuffle", lambda x: [x, 1], lambda x: [x[:, :, :4, :4], 2] if x.dim() == 4 else None)

# ---- creations

NONES = [None, None, None, None]
rows("full", lambda x: [[2, 3], 0.5, *NONES], lambda x: [[2, 3], 7, 6, None, None, None])
rows("zeros ones", lambda x: [[2, 3], *NONES], lambda x: [[0], 15, None, None, None])
rows("full_like", on(2, *NONES, None), on(0.5, 6, None, None, None, None))
rows("zeros_like ones_like", on(*NONES, None), on(6, None, None, None, None))
rows("new_full", on([2, 3], 2, *NONES))
rows("new_zeros new_ones", on([2, 3], *NONES))
rows("arange", lambda x: [5, *NONES])
rows("arange.start", lambda x: [2, 9, *NONES])
rows("arange.start_step", lambda x: [9, 2, -3, *NONES])
rows("scalar_tensor", lambda x: [0.5, *NONES], lambda x: [3, 15, None, None, None])
