"""torchweld cache: what is kept on disk, and clearing it."""

import os
import time

import pytest
from command_line import bad, model  # noqa: F401  (a fixture)


class TestCache:
    @pytest.fixture
    def cache(self, tool, model, tmp_path):
        folder = tmp_path / "kernels"
        tool("run", model, "--input", "f32[4,8]", "--method", "halve", TORCHWELD_CACHE_DIR=folder)
        return folder

    def test_lists_kernels_with_size_age_and_name(self, tool, cache):
        [entry] = cache.iterdir()
        os.utime(entry, (0, time.time() - 90 * 60))
        result = tool("cache", "list", TORCHWELD_CACHE_DIR=cache)
        assert result.returncode == 0
        folder, total, empty, titles, kernel = result.stdout.splitlines()
        assert folder == str(cache) and total.startswith("1 kernel, ")
        assert titles.split() == ["age", "size", "for", "kernel"]
        assert kernel.split()[:3] == ["1", "h", f"{entry.stat().st_size / 1024:.1f}"]
        assert kernel.split()[-2:] == ["host", "mul_sub_relu"]

    def test_takes_the_folder_as_an_option(self, tool, cache):
        assert tool("cache", "list", "--cache-dir", cache).stdout.startswith(f"{cache}\n1 kernel, ")

    def test_tells_ages_and_damage(self, tool, cache):
        [entry] = cache.iterdir()
        entry.write_bytes(b"damaged")
        os.utime(entry, (0, time.time() - 3 * 86400 - 5))
        listed = tool("cache", "list", "--cache-dir", cache).stdout.splitlines()[-1]
        assert listed.split() == ["3", "d", "7", "B", "-", "damaged"]

    def test_clear_removes_kernels_and_nothing_else(self, tool, cache):
        (cache / "notes.txt").write_text("mine")
        (cache / ("0" * 32 + ".kernel.abcdef")).write_text("being written by another process")
        result = tool("cache", "clear", "--cache-dir", cache)
        assert result.returncode == 0
        assert result.stdout.startswith("removed 1 kernel, ") and result.stdout.endswith(f" from {cache}\n")
        assert sorted(path.name for path in cache.iterdir()) == ["0" * 32 + ".kernel.abcdef", "notes.txt"]
        assert tool("cache", "clear", "--cache-dir", cache).stdout == f"removed 0 kernels, 0 B from {cache}\n"

    def test_clear_removes_what_an_ended_process_left(self, tool, tmp_path):
        left = tmp_path / ("0" * 32 + ".kernel.abcdef")
        left.write_text("half")
        os.utime(left, (0, 0))
        assert tool("cache", "clear", "--cache-dir", tmp_path).stdout.startswith("removed 1 kernel, 4 B from ")
        assert not left.exists()

    def test_a_default_folder_that_is_not_there_yet_is_empty(self, tool, tmp_path):
        result = tool("cache", "list", TORCHWELD_CACHE_DIR=tmp_path / "later")
        assert (result.returncode, result.stdout) == (0, f"{tmp_path}/later\n0 kernels, 0 B\n")

    def test_a_named_folder_that_is_not_there_is_a_mistake(self, tool, tmp_path):
        assert bad(tool("cache", "list", "--cache-dir", tmp_path / "nothing")) == (
            f"--cache-dir {tmp_path}/nothing: is no folder, expected one that holds compiled kernels"
        )
