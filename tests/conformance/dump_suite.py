#!/usr/bin/env python3
"""Writes the backend test suite of the pinned onnx package to files, for the conformance runner.

    tests/conformance/dump_suite.py OUT [--force]

Layout, one folder per test, kinds as the package names them (node, simple, pytorch-converted, pytorch-operator,
real):

    OUT/<kind>/test_<name>/model.onnx
    OUT/<kind>/test_<name>/data.json                        {"rtol": .., "atol": ..}, where not 1e-3 and 1e-7
    OUT/<kind>/test_<name>/test_data_set_<k>/input_<i>.pb   in the order of the graph's inputs
    OUT/<kind>/test_<name>/test_data_set_<k>/output_<j>.pb  in the order of the graph's outputs
    OUT/stamp.json                                          versions and counts; written last

Each .pb holds one TensorProto, SequenceProto or OptionalProto, as the type of the graph's input or output says.
Graph inputs that are initializers have no file. The package compares bfloat16 outputs with an rtol of at least
2^-6, all else with the tolerances above, strings exactly, and NaN equal to NaN.

Expected outputs of the node tests are computed here, so models, inputs and outputs always come from one run. The
same versions give the same bytes. OUT appears complete or not at all. When its stamp fits, nothing is done. Needs
the packages of scripts/requirements-test.txt.
"""

import argparse
import collections
import hashlib
import json
import pathlib
import shutil
import sys
import tempfile
import warnings

try:
    import ml_dtypes
    import numpy
    import onnx
    from onnx import numpy_helper
    from onnx.backend.test.loader import DATA_DIR, load_model_tests
    from onnx.backend.test.runner import Runner
except ImportError as error:
    sys.exit(f"dump_suite: {error}; run scripts/setup test and use build/venv/bin/python")

EXPECTED = {"node": 1884, "simple": 23, "pytorch-converted": 82, "pytorch-operator": 35, "real": 9}
DEFAULT_TOLERANCE = (1e-3, 1e-7)


def wanted_stamp() -> dict:
    """What makes a dump current: the versions that the bytes depend on, and this file."""
    return {"onnx": onnx.__version__, "numpy": numpy.__version__, "ml_dtypes": ml_dtypes.__version__,
            "script": hashlib.sha256(pathlib.Path(__file__).read_bytes()).hexdigest(), "counts": EXPECTED}


def write_proto(path: pathlib.Path, proto) -> None:
    path.write_bytes(proto.SerializeToString(deterministic=True))


def value_proto(value, info: onnx.ValueInfoProto):
    """The proto of one input or output, checked against the type that the graph declares."""
    kind = info.type.WhichOneof("value")
    if kind == "sequence_type":
        return numpy_helper.from_list(value, info.name)
    if kind == "optional_type":
        return numpy_helper.from_optional(value, info.name)
    if kind != "tensor_type":
        raise ValueError(f"{info.name}: no file format for a value of kind {kind}")
    tensor = value if isinstance(value, onnx.TensorProto) else numpy_helper.from_array(numpy.asarray(value), info.name)
    declared = info.type.tensor_type.elem_type
    if tensor.data_type != declared:
        raise ValueError(f"{info.name}: the value has element type {tensor.data_type}, the graph says {declared}")
    return tensor


def write_data_set(folder: pathlib.Path, model: onnx.ModelProto, inputs, outputs) -> None:
    folder.mkdir(parents=True)
    for label, values, infos in (("input", inputs, model.graph.input), ("output", outputs, model.graph.output)):
        if len(values) != len(infos):
            raise ValueError(f"{folder.parent.name}: {len(values)} {label} values for {len(infos)} graph {label}s")
        for i, (value, info) in enumerate(zip(values, infos)):
            write_proto(folder / f"{label}_{i}.pb", value_proto(value, info))


def write_node_case(folder: pathlib.Path, case) -> None:
    write_proto(folder / "model.onnx", case.model)
    for k, (inputs, outputs) in enumerate(case.data_sets):
        write_data_set(folder / f"test_data_set_{k}", case.model, inputs, outputs)


def write_stored_case(folder: pathlib.Path, case) -> None:
    """A case whose files are in the package as they are wanted."""
    source = pathlib.Path(case.model_dir)
    shutil.copy(source / "model.onnx", folder)
    for data_set in sorted(source.glob("test_data_set_*")):
        (folder / data_set.name).mkdir()
        for file in sorted(data_set.glob("*.pb")):
            shutil.copy(file, folder / data_set.name)


def write_light_case(folder: pathlib.Path, case) -> None:
    """A case of kind "real": the package has the model and the outputs; the inputs are the suite's ramp."""
    model_path = pathlib.Path(DATA_DIR) / "light" / pathlib.PurePosixPath(case.url).name
    model = onnx.load(model_path)
    shutil.copy(model_path, folder / "model.onnx")
    data_set = folder / "test_data_set_0"
    data_set.mkdir()
    initializers = {tensor.name for tensor in model.graph.initializer}
    infos = [info for info in model.graph.input if info.name not in initializers]
    for i, info in enumerate(infos):
        ramp = Runner.generate_dummy_data(info, seed=0, name=case.model_name, random=False)
        write_proto(data_set / f"input_{i}.pb", numpy_helper.from_array(ramp, info.name))
    for j in range(len(model.graph.output)):
        shutil.copy(model_path.with_name(f"{model_path.stem}_output_{j}.pb"), data_set / f"output_{j}.pb")


def write_case(folder: pathlib.Path, case) -> None:
    folder.mkdir(parents=True)
    if case.kind == "node":
        write_node_case(folder, case)
    elif case.model_dir is not None:
        write_stored_case(folder, case)
    else:
        write_light_case(folder, case)
    if (case.rtol, case.atol) != DEFAULT_TOLERANCE:
        (folder / "data.json").write_text(json.dumps({"rtol": case.rtol, "atol": case.atol}) + "\n")


def dump(out: pathlib.Path) -> dict[str, int]:
    counts = collections.Counter()
    for kind in EXPECTED:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            cases = load_model_tests(kind=kind)
        for case in sorted(cases, key=lambda case: case.name):
            write_case(out / kind / case.name, case)
            counts[kind] += 1
    return dict(counts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--force", action="store_true", help="write again even if OUT is current")
    args = parser.parse_args()
    stamp_path = args.out / "stamp.json"
    current = stamp_path.exists() and json.loads(stamp_path.read_text()) == wanted_stamp()
    if args.force or not current:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=args.out.parent, prefix=".dump-") as temporary:
            fresh = pathlib.Path(temporary) / "suite"
            counts = dump(fresh)
            if counts != EXPECTED:
                print(f"dump_suite: found {counts}, expected {EXPECTED}; was the onnx package changed?", file=sys.stderr)
                return 1
            (fresh / "stamp.json").write_text(json.dumps(wanted_stamp(), indent=1) + "\n")
            if args.out.exists():
                args.out.rename(pathlib.Path(temporary) / "old")
            fresh.rename(args.out)
    kinds = ", ".join(f"{kind} {count}" for kind, count in EXPECTED.items())
    print(f"{args.out}: {sum(EXPECTED.values())} tests ({kinds}){' already there' if current and not args.force else ''}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
