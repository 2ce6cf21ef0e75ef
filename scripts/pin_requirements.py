#!/usr/bin/env python3
"""Writes the hashes of every pinned package into requirements files.

    scripts/pin_requirements.py scripts/requirements-test.txt ...

A requirements file holds comment lines and pins, `name==version` with an optional `; marker`, each followed by its
hashes. To add or change a package, write the pin without hashes (and those of everything that it needs: packages are
installed with --no-deps), then run this. It asks pip for the x86-64 Linux wheels of each supported Python and
rewrites the file in place. Needs the package registry.
"""

import argparse
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile

PYTHONS = ("3.10", "3.11", "3.12")
PLATFORMS = ("manylinux1", "manylinux2014", "manylinux_2_17", "manylinux_2_27", "manylinux_2_28", "manylinux_2_31",
             "manylinux_2_34")


def applies(marker: str, python: str) -> bool:
    """Evaluates the one kind of marker that the files use: python_version <op> "3.N"."""
    if not marker:
        return True
    match = re.fullmatch(r'python_version\s*(<|>=)\s*"3\.(\d+)"', marker)
    if not match:
        sys.exit(f"marker {marker!r} is not of the form python_version < \"3.N\" or >= \"3.N\"")
    minor, bound = int(python.split(".")[1]), int(match[2])
    return minor < bound if match[1] == "<" else minor >= bound


def wheel_hashes(pin: str, marker: str) -> list[str]:
    """sha256 of each wheel that pip would choose for `pin` on the supported Pythons, sorted."""
    hashes = set()
    for python in PYTHONS:
        if not applies(marker, python):
            continue
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                       "--only-binary=:all:", "--dest", folder, "--python-version", python]
            for platform in PLATFORMS:
                command += ["--platform", f"{platform}_x86_64"]
            subprocess.run(command + [pin], check=True)
            hashes |= {hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in pathlib.Path(folder).iterdir()}
    return sorted(hashes)


def repin(path: pathlib.Path) -> None:
    lines = []
    for line in path.read_text().splitlines():
        if line.lstrip().startswith("--hash="):
            continue
        if not line or line.startswith("#"):
            lines.append(line)
            continue
        pin, _, marker = line.rstrip("\\ ").partition(";")
        pin, marker = pin.strip(), marker.strip()
        lines.append(f"{pin} ; {marker} \\" if marker else f"{pin} \\")
        hashes = wheel_hashes(pin, marker)
        lines += [f"    --hash=sha256:{value}{' ' + chr(92) if value != hashes[-1] else ''}" for value in hashes]
        print(f"{pin}: {len(hashes)} wheels")
    path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    for file in parser.parse_args().files:
        repin(file)
