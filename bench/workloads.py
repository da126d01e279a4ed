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


class Chain12(nn.Module):
    def forward(self, x, y):
        a = x * y + x
        b = torch.relu(a) - y
        c = torch.tanh(b) * 0.5 + a
        d = torch.exp(-torch.abs(c))
        return torch.clamp(d * c + b, -1.0, 1.0)


class Softmax(nn.Module):
    def forward(self, x):
        return torch.softmax(x, dim=-1)


class MaskedSoftmax(nn.Module):
    def forward(self, s, mask):
        return torch.softmax(s * 0.125 + mask, dim=-1)


class ResidualBiasLayerNorm(nn.Module):
    def forward(self, x, r, bias, w, b):
        h = x + bias + r
        return F.layer_norm(h, [h.size(-1)], w, b, 1e-5)


class ResidualRMSNorm(nn.Module):
    def forward(self, x, r, w):
        h = x + r
        f = h.float()
        v = f.pow(2).mean(-1, keepdim=True)
        return (f * torch.rsqrt(v + 1e-6)).to(x.dtype) * w, h


@dataclass(frozen=True)
class Workload:
    module: Callable[[], nn.Module]
    shapes: tuple[tuple[int, ...], ...]
    dtype: torch.dtype
    outputs: int = 1  # each of the first input's shape

    def inputs(self, device: str) -> list[torch.Tensor]:
        return [torch.randn(*shape, device=device, dtype=torch.float32).to(self.dtype) for shape in self.shapes]

    def least_bytes(self) -> int:
        element = torch.empty((), dtype=self.dtype).element_size()
        read = sum(math.prod(shape) for shape in self.shapes)
        return (read + self.outputs * math.prod(self.shapes[0])) * element


F32, F16, BF16 = torch.float32, torch.float16, torch.bfloat16

WORKLOADS: dict[str, Workload] = {
    "swish_f32": Workload(Swish, ((8192, 16384),), F32),
    "swish_bf16": Workload(Swish, ((8192, 16384),), BF16),
    "chain12_f32": Workload(Chain12, ((8192, 8192), (8192, 8192)), F32),
    "chain12_bf16": Workload(Chain12, ((8192, 8192), (8192, 8192)), BF16),
    "bias_gelu_bf16": Workload(BiasGelu, ((16384, 8192), (8192,)), BF16),
    "softmax_4096_bf16": Workload(Softmax, ((16384, 4096),), BF16),
    "softmax_4096_f32": Workload(Softmax, ((16384, 4096),), F32),
    "softmax_32768_bf16": Workload(Softmax, ((8192, 32768),), BF16),
    "masked_softmax_f16": Workload(MaskedSoftmax, ((16, 16, 1024, 1024), (16, 1, 1, 1024)), F16),
    "residual_bias_layer_norm_4096_bf16": Workload(
        ResidualBiasLayerNorm, ((16384, 4096), (16384, 4096), (4096,), (4096,), (4096,)), BF16
    ),
    "residual_rms_norm_4096_bf16": Workload(
        ResidualRMSNorm, ((16384, 4096), (16384, 4096), (4096,)), BF16, outputs=2
    ),
    "swish_small_f32": Workload(Swish, ((64, 256),), F32),
}
