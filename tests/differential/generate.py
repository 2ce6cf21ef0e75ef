#!/usr/bin/env python3
"""Writes random models with the outputs that ONNX Runtime's CPU provider gives, as folders of the suite's format.

    python -m tests.differential.generate OUT [--force]

Layout, one folder per case:

    OUT/<operator>/<operator>_<k>/model.onnx, data.json, test_data_set_0/{input,output}_<i>.pb
    OUT/Graph/Graph_<k>/...          whole graphs of several nodes
    OUT/stamp.json                   versions, skipped cases, and what each case is; written last

The same versions give the same cases: each is drawn from a seed of its operator's name and its number. A drawn case
that the standard's own checks call illegal, or that ONNX Runtime refuses, is skipped and another is drawn; skipped
cases are counted in the stamp and never written. OUT appears complete or not at all. When its stamp fits, nothing is
done.
"""

import argparse
import collections
import hashlib
import json
import pathlib
import sys
import tempfile
import zlib

import numpy
import onnx
import onnxruntime
from onnx import helper, numpy_helper

from . import elementwise, graphs, layout, products
from .draw import Case, Draw

OPERATORS = elementwise.OPERATORS | products.OPERATORS | layout.OPERATORS
CASES_PER_OPERATOR = 10
MOST_DRAWS = 40
GRAPHS = 60
IR_VERSION = 10

# (rtol, atol) by the widest error that two right implementations may show:
# float32: sums of up to a few hundred products of numbers near 1, in any order, and vectorised exp, erf and tanh.
# float64: the same, but some functions are computed with constants of float precision, so far from the type's own.
# float16: one rounding of a result that was computed in float32 on one side, and two or three roundings on the other.
# All else (integers, bool): every bit counts.
TOLERANCES = {"float32": (1e-4, 2e-5), "float64": (1e-7, 1e-9), "float16": (4e-3, 4e-3)}
# Up to 15 layers of such sums, one after the other.
GRAPH_TOLERANCE = (1e-3, 1e-4)


class Refused(Exception):
    """No case: the standard's checks (by "illegal") or ONNX Runtime (by "onnxruntime") refuse the model."""


def tolerance(case: Case, outputs) -> tuple[float, float]:
    if case.exact:
        return (0, 0)
    if case.tolerance:
        return case.tolerance
    return max((TOLERANCES.get(str(output.dtype), (0, 0)) for output in outputs), default=(0, 0))


def build_model(operator: str, case: Case, draw: Draw) -> tuple[onnx.ModelProto, list[numpy.ndarray]]:
    """The model and the values of its graph inputs. Inputs behind the first are initializers as often as not, and
    dimensions are named instead of given at times, so that both ways into a kernel are taken."""
    names, graph_inputs, initializers, values = [], [], [], []
    symbolic = draw.chance(0.3)
    for i, value in enumerate(case.inputs):
        names.append("" if value is None else f"in{i}")
        if value is None:
            continue
        if i > 0 and draw.chance(0.5):
            initializers.append(numpy_helper.from_array(value, names[-1]))
            continue
        element = helper.np_dtype_to_tensor_dtype(value.dtype)
        dims = [f"in{i}_{axis}" for axis in range(value.ndim)] if symbolic else value.shape
        graph_inputs.append(helper.make_tensor_value_info(names[-1], element, dims))
        values.append(value)
    while names and names[-1] == "":
        names.pop()
    outputs = [f"out{i}" for i in range(case.outputs)]
    node = helper.make_node(operator, names, outputs, **case.attributes)
    graph = helper.make_graph([node], operator, graph_inputs, [onnx.ValueInfoProto(name=name) for name in outputs],
                              initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", case.opset)], ir_version=IR_VERSION), values


def run_reference(model: onnx.ModelProto, values) -> list[numpy.ndarray]:
    """ONNX Runtime's outputs, without graph passes of its own. Declares the outputs' types and ranks in the model."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    feeds = {info.name: value for info, value in zip(model.graph.input, values)}
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        outputs = session.run(None, feeds)
    except Exception as error:
        raise Refused("onnxruntime") from error
    for info, output in zip(model.graph.output, outputs):
        element = helper.np_dtype_to_tensor_dtype(output.dtype)
        dims = [f"{info.name}_{axis}" for axis in range(output.ndim)]
        info.CopyFrom(helper.make_tensor_value_info(info.name, element, dims))
    try:
        onnx.checker.check_model(model)
        onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
    except Exception as error:
        raise Refused("illegal") from error
    return outputs


def write_case(folder: pathlib.Path, model: onnx.ModelProto, values, outputs, limits: tuple[float, float]) -> None:
    data_set = folder / "test_data_set_0"
    data_set.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(model.SerializeToString(deterministic=True))
    (folder / "data.json").write_text(json.dumps({"rtol": limits[0], "atol": limits[1]}) + "\n")
    for label, arrays in (("input", values), ("output", outputs)):
        for i, array in enumerate(arrays):
            proto = numpy_helper.from_array(array, f"{label}_{i}")
            (data_set / f"{label}_{i}.pb").write_bytes(proto.SerializeToString(deterministic=True))


def describe(case: Case) -> str:
    inputs = ", ".join("none" if value is None else f"{value.dtype}{list(value.shape)}" for value in case.inputs)
    attributes = {name: value if isinstance(value, (int, float, str, list)) else "..."
                  for name, value in case.attributes.items()}
    return f"opset {case.opset}, ({inputs}), {attributes}"


def write_operator(out: pathlib.Path, operator: str, skipped: collections.Counter) -> dict[str, str]:
    """Writes the operator's cases; returns what each is, by name."""
    cases = {}
    for attempt in range(MOST_DRAWS):
        if len(cases) == CASES_PER_OPERATOR:
            break
        draw = Draw([zlib.crc32(operator.encode()), attempt])
        case = OPERATORS[operator](draw)
        model, values = build_model(operator, case, draw)
        try:
            outputs = run_reference(model, values)
        except Refused as error:
            skipped[f"{operator}, {error}"] += 1
            continue
        name = f"{operator}_{len(cases)}"
        write_case(out / operator / name, model, values, outputs, tolerance(case, outputs))
        cases[name] = describe(case)
    return cases


def write_graphs(out: pathlib.Path, skipped: collections.Counter) -> dict[str, str]:
    cases = {}
    for k in range(GRAPHS):
        model, values = graphs.draw_graph(Draw([zlib.crc32(b"Graph"), k]))
        try:
            outputs = run_reference(model, values)
        except Refused as error:
            skipped[f"Graph, {error}"] += 1
            continue
        write_case(out / "Graph" / f"Graph_{k}", model, values, outputs, GRAPH_TOLERANCE)
        cases[f"Graph_{k}"] = f"{list(values[0].shape)}: " + ", ".join(node.op_type for node in model.graph.node)
    return cases


def wanted_stamp() -> dict:
    """What makes the cases current: the versions that they depend on, and these files."""
    digest = hashlib.sha256()
    for path in sorted(pathlib.Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return {"onnx": onnx.__version__, "onnxruntime": onnxruntime.__version__, "numpy": numpy.__version__,
            "scripts": digest.hexdigest()}


def read_stamp(out: pathlib.Path) -> dict:
    """The stamp of cases that are current, or an empty one."""
    path = out / "stamp.json"
    stamp = json.loads(path.read_text()) if path.exists() else {}
    return stamp if wanted_stamp().items() <= stamp.items() else {}


def generate(out: pathlib.Path, force: bool = False) -> dict:
    """Writes the cases unless they are there already; returns their stamp."""
    stamp = read_stamp(out)
    if stamp and not force:
        return stamp
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".differential-") as temporary:
        fresh = pathlib.Path(temporary) / "cases"
        skipped, cases = collections.Counter(), {}
        for operator in OPERATORS:
            cases |= write_operator(fresh, operator, skipped)
        cases |= write_graphs(fresh, skipped)
        stamp = wanted_stamp() | {"skipped": dict(sorted(skipped.items())), "cases": cases}
        (fresh / "stamp.json").write_text(json.dumps(stamp, indent=1) + "\n")
        if out.exists():
            out.rename(pathlib.Path(temporary) / "old")
        fresh.rename(out)
    return stamp


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--force", action="store_true", help="write again even if OUT is current")
    args = parser.parse_args()
    stamp = generate(args.out, args.force)
    for what, count in stamp["skipped"].items():
        print(f"skipped {count}: {what}")
    print(f"{args.out}: {len(stamp['cases'])} cases, {sum(stamp['skipped'].values())} drawn cases skipped")
    return 0


if __name__ == "__main__":
    sys.exit(main())
