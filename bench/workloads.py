"""Memory-bound workloads: name -> (module, example inputs, least bytes).

Least bytes: each input read once and each output written once. The modules are short so that they script.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Callable

import torch
import torch.nn.functional as F
from torch import nn


class Swish(nn.Module):
    def forward(self, x):
        return x * torch.sigmoid(x)


class BiasGelu(nn.Module):
    def forward(self, x, b):
        return F.gelu(x + b)


class BiasTanhGelu(nn.Module):
    def forward(self, x, b):
        y = x + b
        return 0.5 * y * (1.0 + torch.tanh(0.7978845608 * (y + 0.044715 * y * y * y)))


class SwiGLU(nn.Module):
    def forward(self, a, b):
        return F.silu(a) * b


class Chain12(nn.Module):
    def forward(self, x, y):
        a = x * y + x
        b = torch.relu(a) - y
        c = torch.tanh(b) * 0.5 + a
        d = torch.exp(-torch.abs(c))
        return torch.clamp(d * c + b, -1.0, 1.0)


class Softmax(nn.Module):
    def __init__(self, dim: int = -1):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        return torch.softmax(x, dim=self.dim)


class LogSoftmax(nn.Module):
    def forward(self, x):
        return torch.log_softmax(x, dim=-1)


class MaskedSoftmax(nn.Module):
    def forward(self, s, mask):
        return torch.softmax(s * 0.125 + mask, dim=-1)


class LayerNorm(nn.Module):
    def forward(self, x, w, b):
        return F.layer_norm(x, [x.size(-1)], w, b, 1e-5)


class ResidualBiasLayerNorm(nn.Module):
    def forward(self, x, r, bias, w, b):
        h = x + bias + r
        return F.layer_norm(h, [h.size(-1)], w, b, 1e-5)


class ResidualBiasLayerNormBoth(nn.Module):
    def forward(self, x, r, bias, w, b):
        h = x + bias + r
        return F.layer_norm(h, [h.size(-1)], w, b, 1e-5), h


class RMSNorm(nn.Module):
    def forward(self, x, w):
        f = x.float()
        v = f.pow(2).mean(-1, keepdim=True)
        return (f * torch.rsqrt(v + 1e-6)).to(x.dtype) * w


class ResidualRMSNorm(nn.Module):
    def forward(self, x, r, w):
        h = x + r
        f = h.float()
        v = f.pow(2).mean(-1, keepdim=True)
        return (f * torch.rsqrt(v + 1e-6)).to(x.dtype) * w, h


class CrossEntropy(nn.Module):
    def forward(self, x, target):
        return F.cross_entropy(x, target)


class ColumnSum(nn.Module):
    def forward(self, x):
        return x.sum(0)


class ChannelMoments(nn.Module):
    def forward(self, x):
        return x.mean([0, 2, 3]), x.var([0, 2, 3], unbiased=False)


class FullSum(nn.Module):
    def forward(self, x):
        return x.sum()


class SquaredError(nn.Module):
    def forward(self, x, y):
        return ((x - y) * (x - y)).mean()


class RowMax(nn.Module):
    def forward(self, x):
        return x.amax(-1)


class BatchNormAddRelu(nn.Module):
    def forward(self, x, mean, variance, w, b, r):
        return torch.relu(F.batch_norm(x, mean, variance, w, b, False, 0.1, 1e-5) + r)


class GroupNormSilu(nn.Module):
    def forward(self, x, w, b):
        return F.silu(F.group_norm(x, 32, w, b, 1e-5))


class Normalize(nn.Module):
    def forward(self, x):
        return x / (x.norm(2, -1, True) + 1e-12)


class Rotary(nn.Module):
    def forward(self, q, cos, sin):
        half = q.size(-1) // 2
        rotated = torch.cat([-q[..., half:], q[..., :half]], dim=-1)
        return q * cos + rotated * sin


class TransposeAdd(nn.Module):
    def forward(self, x, y):
        return x.transpose(0, 1) * 2.0 + torch.relu(y)


class MeanPool(nn.Module):
    def forward(self, x):
        return torch.relu(x).mean([2, 3])


F32, F16, BF16 = torch.float32, torch.float16, torch.bfloat16


@dataclass(frozen=True)
class Tensor:
    shape: tuple[int, ...]
    dtype: torch.dtype
    classes: int = 0  # positive: whole numbers below it
    positive: bool = False

    def make(self, device: str) -> torch.Tensor:
        if self.classes:
            return torch.randint(0, self.classes, self.shape, device=device)
        values = torch.randn(*self.shape, device=device, dtype=torch.float32)
        return (values.abs() + 0.5 if self.positive else values).to(self.dtype)

    def nbytes(self) -> int:
        return math.prod(self.shape) * torch.empty((), dtype=self.dtype).element_size()


@dataclass(frozen=True)
class Workload:
    module: Callable[[], nn.Module]
    operands: tuple[Tensor, ...]
    results: tuple[Tensor, ...]

    def inputs(self, device: str) -> list[torch.Tensor]:
        return [each.make(device) for each in self.operands]

    def least_bytes(self) -> int:
        return sum(each.nbytes() for each in self.operands + self.results)


WORKLOADS: dict[str, Workload] = {}


def _add(name, module, dtype, *shapes, outputs=1, output=None):
    """Inputs of one dtype; `outputs` results of the first input's shape, or one of shape `output`."""
    made = tuple(Tensor(shape, dtype) for shape in shapes)
    results = (Tensor(output, dtype),) if output is not None else (made[0],) * outputs
    WORKLOADS[name] = Workload(module, made, results)


for _dtype, _name in ((F32, "f32"), (BF16, "bf16")):
    _add(f"swish_{_name}", Swish, _dtype, (8192, 16384))
    _add(f"chain12_{_name}", Chain12, _dtype, (8192, 8192), (8192, 8192))
    for _rows, _columns in ((65536, 1024), (16384, 4096), (8192, 32768), (2048, 131072)):
        _add(f"softmax_{_columns}_{_name}", Softmax, _dtype, (_rows, _columns))
    _add(f"column_sum_{_name}", ColumnSum, _dtype, (32768, 4096), output=(4096,))
    _add(f"full_sum_{_name}", FullSum, _dtype, (16384, 16384), output=())
_add("bias_gelu_bf16", BiasGelu, BF16, (16384, 8192), (8192,))
_add("bias_tanh_gelu_f16", BiasTanhGelu, F16, (16384, 8192), (8192,))
_add("swiglu_bf16", SwiGLU, BF16, (16384, 11008), (16384, 11008))
_add("masked_softmax_f16", MaskedSoftmax, F16, (16, 16, 1024, 1024), (16, 1, 1, 1024))
for _columns in (1024, 4096, 16384):
    _rows = 16384 * 8192 // _columns
    _add(f"layer_norm_{_columns}_bf16", LayerNorm, BF16, (_rows, _columns), (_columns,), (_columns,))
    _add(f"rms_norm_{_columns}_bf16", RMSNorm, BF16, (_rows, _columns), (_columns,))
_RESIDUAL = ((16384, 4096), (16384, 4096), (4096,), (4096,), (4096,))
_add("residual_bias_layer_norm_4096_bf16", ResidualBiasLayerNorm, BF16, *_RESIDUAL)
_add("residual_bias_layer_norm_both_4096_bf16", ResidualBiasLayerNormBoth, BF16, *_RESIDUAL, outputs=2)
_add("residual_rms_norm_4096_bf16", ResidualRMSNorm, BF16, (16384, 4096), (16384, 4096), (4096,), outputs=2)
WORKLOADS["cross_entropy_bf16"] = Workload(
    CrossEntropy,
    (Tensor((8192, 128256), BF16), Tensor((8192,), torch.int64, classes=128256)),
    (Tensor((), BF16),),
)
_add("log_softmax_32768_bf16", LogSoftmax, BF16, (8192, 32768))
_add("softmax_middle_f32", lambda: Softmax(1), F32, (64, 512, 4096))
WORKLOADS["channel_moments_f32"] = Workload(
    ChannelMoments, (Tensor((64, 256, 56, 56), F32),), (Tensor((256,), F32), Tensor((256,), F32))
)
_add("squared_error_f32", SquaredError, F32, (8192, 8192), (8192, 8192), output=())
_add("row_max_f32", RowMax, F32, (16384, 16384), output=(16384,))
WORKLOADS["batch_norm_add_relu_f16"] = Workload(
    BatchNormAddRelu,
    (
        Tensor((64, 256, 56, 56), F16),
        Tensor((256,), F32),
        Tensor((256,), F32, positive=True),
        Tensor((256,), F32),
        Tensor((256,), F32),
        Tensor((64, 256, 56, 56), F16),
    ),
    (Tensor((64, 256, 56, 56), F16),),
)
_add("group_norm_silu_f16", GroupNormSilu, F16, (16, 512, 64, 64), (512,), (512,))
_add("normalize_f32", Normalize, F32, (65536, 1024))
_add("rotary_bf16", Rotary, BF16, (8, 32, 4096, 128), (4096, 128), (4096, 128))
_add("transpose_add_f32", TransposeAdd, F32, (8192, 8192), (8192, 8192))
_add("mean_pool_f16", MeanPool, F16, (256, 2048, 14, 14), output=(256, 2048))
_add("swish_small_f32", Swish, F32, (64, 256))
_add("chain12_small_f32", Chain12, F32, (64, 256), (64, 256))
_add("residual_bias_layer_norm_small_bf16", ResidualBiasLayerNormBoth, BF16, (64, 1024), (64, 1024), (1024,), (1024,), (1024,), outputs=2)
