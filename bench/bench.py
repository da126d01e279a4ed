#!/usr/bin/env python3
"""Times fused kernels against eager and against a copy of the same number of bytes.

    PYTHONPATH=python python3 bench/bench.py [--only NAME,NAME] [--runs N] [--peers] [--out FILE.json]

Every time is the median over cold-L2 runs: between two runs a buffer larger than the cache is read (not written, so
that no dirty line is flushed inside the timed kernel). Ratios hold within one run only. Needs a GPU.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parent))
from workloads import WORKLOADS, Workload

FLUSH_BYTES = 256 << 20  # four times the L2 of an H200 (60 MB)
WARMUP_RUNS = 5


def time_cold(call, runs: int, flush: torch.Tensor) -> float:
    """Median milliseconds of `call` on the GPU. Reading `flush` also keeps the GPU busy while the host queues the call."""
    for _ in range(WARMUP_RUNS):
        call()
    times = []
    for _ in range(runs):
        flush.sum()
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        call()
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end))
    return statistics.median(times)


def host_microseconds(call, calls: int = 2000) -> float:
    """Host time of one call, with the GPU kept from becoming the limit by small inputs."""
    for _ in range(50):
        call()
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(calls):
        call()
    elapsed = time.perf_counter() - start
    torch.cuda.synchronize()
    return elapsed / calls * 1e6


def largest_error(ours, theirs) -> float:
    """Largest difference to eager over eager's largest magnitude, over all results."""
    pairs = zip(ours, theirs) if isinstance(ours, tuple) else [(ours, theirs)]
    return max(((a.float() - b.float()).abs().max() / b.float().abs().max()).item() for a, b in pairs)


def geometric_mean(values) -> float:
    return math.exp(statistics.fmean(map(math.log, values)))


def measure(name: str, workload: Workload, runs: int, peers: bool, flush: torch.Tensor) -> dict:
    import torchweld

    inputs = workload.inputs("cuda")
    module = workload.module().eval()
    scripted = torch.jit.script(module)
    nbytes = workload.least_bytes()
    source = torch.empty(nbytes // 2, dtype=torch.uint8, device="cuda")
    target = torch.empty_like(source)
    started = time.perf_counter()
    fast = torchweld.optimize(scripted)
    with torch.no_grad():
        fast(*inputs)
        torch.cuda.synchronize()
        first_call = time.perf_counter() - started
        calls = {
            "copy": lambda: target.copy_(source),
            "torchweld": lambda: fast(*inputs),
            "eager": lambda: module(*inputs),
        }
        if peers:
            compiled = torch.compile(module)
            calls["torch.compile"] = lambda: compiled(*inputs)
        row = {"name": name, "bytes": nbytes, "compile_s": round(first_call, 3)}
        row["error"] = largest_error(fast(*inputs), module(*inputs))
        totals = torchweld.report(fast)["totals"]
        row["kernels"], row["fallbacks"] = totals["kernels_after"], totals["fallback_calls"]
        row["ms"] = {peer: round(time_cold(call, runs, flush), 5) for peer, call in calls.items()}
        row["of_copy"] = {peer: round(row["ms"]["copy"] / ms, 3) for peer, ms in row["ms"].items()}
        row["host_us"] = {peer: round(host_microseconds(calls[peer]), 2) for peer in calls if nbytes < 1 << 20}
    return row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="names, separated by commas")
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--peers", action="store_true", help="torch.compile as well")
    parser.add_argument("--out", help="JSON file for the results")
    arguments = parser.parse_args()
    if not torch.cuda.is_available():
        print("bench: needs a GPU, none found", file=sys.stderr)
        return 2
    torch._C._jit_set_texpr_fuser_enabled(False)
    names = arguments.only.split(",") if arguments.only else list(WORKLOADS)
    flush = torch.zeros(FLUSH_BYTES // 4, device="cuda")
    rows = []
    for name in names:
        row = measure(name, WORKLOADS[name], arguments.runs, arguments.peers, flush)
        rows.append(row)
        ratios = "  ".join(f"{peer} {ratio:.3f}" for peer, ratio in row["of_copy"].items())
        print(
            f"{name:40s} {row['ms']['torchweld']:.4f} ms  {ratios}  {row['host_us'] or ''}"
            f"  {row['kernels']} kernels, error {row['error']:.0e}{', FELL BACK' if row['fallbacks'] else ''}",
            flush=True,
        )
    large = [row["of_copy"]["torchweld"] for row in rows if not row["host_us"]]
    if large:
        print(f"geometric mean of {len(large)} large workloads: {geometric_mean(large):.3f} of the copy")
    if arguments.out:
        results = {
            "version": 1,
            "command": "bench/bench.py " + " ".join(sys.argv[1:]),
            "device": torch.cuda.get_device_name(),
            "torch": torch.__version__,
            "flush": f"read of {FLUSH_BYTES >> 20} MiB",
            "rows": rows,
        }
        Path(arguments.out).write_text(json.dumps(results, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
