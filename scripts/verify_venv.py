"""Tells whether the running environment is whole: every installed file is there with its size, and torch loads."""

import importlib.metadata
import os
import sys


def damaged_files(distribution):
    """Names of files that the distribution's record lists and that are missing or cut short."""
    record = distribution.files
    if record is None:
        return ["RECORD"]
    return [
        str(file)
        for file in record
        if file.size is not None
        and not str(file).endswith(".pyc")
        and (not os.path.exists(file.locate()) or os.path.getsize(file.locate()) != file.size)
    ]


def main():
    damaged = 0
    for distribution in importlib.metadata.distributions():
        files = damaged_files(distribution)
        if files:
            damaged += 1
            print(f"setup: {distribution.name}: {len(files)} damaged files, first: {files[0]}", file=sys.stderr)
    if damaged:
        return 1
    import torch  # noqa: F401
    import torchvision  # noqa: F401
    import transformers  # noqa: F401

    return 0


sys.exit(main())
