#!/usr/bin/env python3
"""Checks that the folders of the project depend on each other one way only.

    scripts/check_layering.py               checks this checkout; prints one line per breach, exits with 1 on any
    scripts/check_layering.py --self-test   shows on a made-up tree that each kind of breach is found

The order is that of the design: see LAYERS. Besides it: the public headers are the only ones that programs see and
need nothing but each other, protobuf's wire format is read under src/onnx alone, and a device is named under
src/providers and src/vision and in src/builtin_providers.cc alone. Tests may name devices, and may include what
their folder may include.
"""

import argparse
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

# folder under src/ -> folders that it builds upon; it may include these and all that they may include
LAYERS = {
    "base": [],
    "tensor": ["base"],
    "graph": ["tensor"],
    "onnx": ["graph"],
    "ops": ["graph"],
    "passes": ["ops"],
    "provider_api": ["graph"],
    "placement": ["passes", "provider_api"],
    "plan": ["placement"],
    "run": ["plan"],
    "providers": ["provider_api", "ops"],
    "vision": ["base"],
}
# folders outside src/ that see the public headers alone
PROGRAMS = ("cli", "python", "server", "bench")
MAX_PUBLIC_HEADERS = 8
SUFFIXES = {".h", ".cc", ".cu", ".cuh"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
CONDITION = re.compile(r"^\s*#\s*(if|ifdef|elif)\b")
DEVICE = re.compile(r'cuda|cudnn|cublas|tensorrt|onednn|\bdnnl|"cpu[":]', re.IGNORECASE)


def reachable(folder: str) -> set[str]:
    """`folder` and every folder that it may include."""
    found, todo = set(), [folder]
    while todo:
        current = todo.pop()
        if current not in found:
            found.add(current)
            todo += LAYERS[current]
    return found


def without_comments(text: str) -> str:
    """The text with comments blanked and line numbers kept; string literals stay."""
    pattern = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
    return pattern.sub(lambda m: m[0] if m[0].startswith('"') else re.sub(r"[^\n]", " ", m[0]), text)


def unit_of(path: pathlib.PurePath) -> str:
    """The folder that decides what a file may include: "base", "providers/cpu", "src" (its top), "include", "cli"."""
    parts = path.parts
    if parts[0] != "src":
        return parts[0]
    if len(parts) == 2:
        return "src"
    return "/".join(parts[1:3]) if parts[1] == "providers" and len(parts) > 3 else parts[1]


def include_breach(unit: str, quoted: bool, target: str) -> str | None:
    """Why a file of `unit` may not include `target`, or None."""
    top = target.split("/")[0]
    if top == "protozero" and unit != "onnx":
        return "only src/onnx reads the protobuf wire format"
    if top == "overt":
        return None
    if unit == "include":
        return "a public header includes only overt/ and standard headers" if quoted or "/" in target else None
    known = quoted and "/" in target and top in LAYERS
    if unit in PROGRAMS:
        return f"{unit}/ sees include/overt alone" if known else None
    if not known:
        return None
    if unit == "src":
        named = target.startswith("providers/")
        return "only src/builtin_providers.cc names a provider" if named else None
    folder = unit.split("/")[0]
    if folder not in LAYERS:
        return f"folder src/{folder} has no place in the order of LAYERS"
    if top not in reachable(folder):
        return f"{folder} may include {', '.join(sorted(reachable(folder)))}"
    if folder == "providers" and top == "providers" and not target.startswith(unit + "/"):
        return "a provider does not include another provider"
    return None


def check_file(root: pathlib.Path, path: pathlib.Path) -> list[str]:
    relative = path.relative_to(root)
    unit = unit_of(relative)
    names_devices = (unit.split("/")[0] in ("providers", "vision", "include") or unit in PROGRAMS
                     or relative.as_posix() == "src/builtin_providers.cc" or path.stem.endswith("_test"))
    breaches, conditions = [], 0
    for number, line in enumerate(without_comments(path.read_text(errors="replace")).splitlines(), 1):
        where = f"{relative.as_posix()}:{number}"
        include = INCLUDE.match(line)
        if include and relative.as_posix() != "src/builtin_providers.cc":
            reason = include_breach(unit, include[1] == '"', include[2])
            if reason:
                breaches.append(f"{where}: includes {include[2]}; {reason}")
        elif not names_devices and DEVICE.search(line):
            breaches.append(f"{where}: names a device ({DEVICE.search(line)[0]}); only src/providers and "
                            "src/builtin_providers.cc do")
        if unit == "include" and CONDITION.match(line):
            breaches.append(f"{where}: a public header has no build flags in it")
    return breaches


def check(root: pathlib.Path) -> list[str]:
    breaches = []
    for folder in ("include", "src", *PROGRAMS):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES:
                breaches += check_file(root, path)
    headers = sorted((root / "include" / "overt").glob("*.h"))
    if len(headers) > MAX_PUBLIC_HEADERS:
        breaches.append(f"include/overt: {len(headers)} public headers, at most {MAX_PUBLIC_HEADERS} are wanted")
    return breaches


def self_test() -> None:
    cases = {  # file -> (content, part of the message, or None when it is fine)
        "src/base/a.cc": ('#include "tensor/shape.h"\n', "a.cc:1: includes tensor/shape.h; base may include base"),
        "src/ops/b.cc": ('#include "onnx/load.h"\n', "ops may include base, graph, ops, tensor"),
        "src/ops/c.cc": ('#include <vector>\n\n#include "base/log.h"\n#include "overt/error.h"\n', None),
        "src/plan/d.h": ('#include "passes/fold.h"\n#include "run/session.h"\n', "d.h:2: includes run/session.h"),
        "src/placement/e.cc": ('#include "providers/cpu/cpu.h"\n', "includes providers/cpu/cpu.h"),
        "src/placement/f.cc": ('auto x = name == "cuda:0";\n', 'f.cc:1: names a device (cuda)'),
        "src/run/g.cc": ('// the cuda way\nauto y = "cpu";\n', 'g.cc:2: names a device ("cpu")'),
        "src/run/g_test.cc": ('auto y = "cpu";\n', None),
        "src/run/h.cc": ('int cpu_count = 2;  /* cuda */\n', None),
        "src/graph/i.cc": ("#include <protozero/pbf_reader.hpp>\n", "only src/onnx reads"),
        "src/onnx/i.cc": ("#include <protozero/pbf_reader.hpp>\n", None),
        "src/providers/cpu/kernels/j.cc": ('#include "providers/cpu/k.h"\n#include "ops/conv.h"\n', None),
        "src/providers/cuda/k.cc": ('#include "providers/cpu/k.h"\n', "does not include another provider"),
        "src/providers/cuda/l.cc": ('#include "plan/plan.h"\n', "providers may include"),
        "src/builtin_providers.cc": ('#include "providers/cpu/cpu.h"\nauto n = "cuda";\n', None),
        "src/session.cc": ('#include "providers/cpu/cpu.h"\n', "only src/builtin_providers.cc names a provider"),
        "src/extra/m.cc": ('#include "base/log.h"\n', "src/extra has no place"),
        "src/vision/n.cc": ('#include "graph/graph.h"\n', "vision may include base, vision"),
        "cli/o.cc": ('#include "base/log.h"\n#include "commands.h"\n', "o.cc:1: includes base/log.h; cli/ sees"),
        "include/overt/p.h": ('#include "base/log.h"\n', "public header includes only"),
        "include/overt/q.h": ("#ifndef Q\n#define Q\n#ifdef CUDA\n#endif\n#endif\n", "q.h:3: a public header has no"),
    }
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, (content, _) in cases.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(content)
        found = check(root)
        for name, (_, expected) in cases.items():
            lines = [line for line in found if line.startswith(name + ":")]
            fits = not lines if expected is None else len(lines) == 1 and expected in lines[0]
            assert fits, f"{name}: expected {expected!r}, found {lines}"
        for number in range(MAX_PUBLIC_HEADERS):
            (root / f"include/overt/r{number}.h").write_text("")
        assert any("10 public headers" in line for line in check(root))
    print(f"{len(cases) + 1} cases behave as expected")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--self-test", action="store_true")
    if parser.parse_args().self_test:
        self_test()
        return 0
    breaches = check(ROOT)
    print("\n".join(breaches) if breaches else "the folders depend on each other one way only")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
