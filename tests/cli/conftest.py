"""What the tests of the command line share: the program, and small models to run it on."""

import dataclasses
import json
import os
import pathlib
import subprocess

import numpy
import onnx
import pytest
from onnx import TensorProto, helper

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("OVERT_BUILD", ROOT / "build" / "release")).resolve()
PROGRAM = BUILD / "bin" / "overt"


def shared_file(name: str) -> pathlib.Path:
    """models/... or images/... of the checkout or of the folder beside it; skips the test where neither has it."""
    for path in (ROOT / "models" / name.removeprefix("models/"), ROOT.parent / "shared" / name):
        if path.exists():
            return path
    pytest.skip(f"{name} is not here")


@dataclasses.dataclass
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def error(self) -> str:
        """The one error paragraph, without log lines."""
        assert self.err.count("error: ") == 1, self.err
        return self.err[self.err.index("error: "):]


@pytest.fixture
def overt(tmp_path):
    """Runs the program in an empty folder: overt("run", model, "--json")."""

    def run(*args, code=0, **options) -> Result:
        done = subprocess.run([PROGRAM, *map(str, args)], capture_output=True, text=True, cwd=tmp_path, timeout=120,
                              **options)
        assert done.returncode == code, f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
        return Result(done.returncode, done.stdout, done.stderr)

    return run


def value(name, type_, shape):
    return helper.make_tensor_value_info(name, type_, shape)


def save(path, nodes, inputs, outputs, initializers=(), opset=17, ir_version=8, opsets=None, **fields):
    graph = helper.make_graph(nodes, "small", inputs, outputs, initializers)
    imports = [helper.make_opsetid(domain, version) for domain, version in ({"": opset} | (opsets or {})).items()]
    model = helper.make_model(graph, opset_imports=imports, ir_version=ir_version, **fields)
    onnx.save(model, path)
    return path


@pytest.fixture
def affine(tmp_path):
    """y = x * [1, 2, 3] + 1 for x: float32 [batch, 3]."""
    scale = onnx.numpy_helper.from_array(numpy.array([1, 2, 3], "float32"), "scale")
    one = onnx.numpy_helper.from_array(numpy.array(1, "float32"), "one")
    nodes = [helper.make_node("Mul", ["x", "scale"], ["scaled"], name="mul"),
             helper.make_node("Add", ["scaled", "one"], ["y"], name="add")]
    return save(tmp_path / "affine.onnx", nodes, [value("x", TensorProto.FLOAT, ["batch", 3])],
                [value("y", TensorProto.FLOAT, ["batch", 3])], [scale, one], producer_name="hand",
                producer_version="1.0")


@pytest.fixture
def identity(tmp_path):
    """A model whose output y is its input x: identity(TensorProto.INT64, [2, 3])."""

    def make(type_, shape, name="x"):
        return save(tmp_path / "identity.onnx", [helper.make_node("Identity", [name], ["y"], name="same")],
                    [value(name, type_, shape)], [value("y", type_, shape)], opset=21, ir_version=10)

    return make


@pytest.fixture
def convolution(tmp_path):
    """A 3x3 convolution of 2 channels, a Relu and a mean over the picture."""
    weights = numpy.random.default_rng(5).normal(size=(4, 2, 3, 3)).astype("float32")
    nodes = [helper.make_node("Conv", ["x", "w"], ["c"], name="conv", pads=[1, 1, 1, 1]),
             helper.make_node("Relu", ["c"], ["r"], name="relu"),
             helper.make_node("GlobalAveragePool", ["r"], ["y"], name="mean")]
    return save(tmp_path / "convolution.onnx", nodes, [value("x", TensorProto.FLOAT, [1, 2, 8, 8])],
                [value("y", TensorProto.FLOAT, [1, 4, 1, 1])], [onnx.numpy_helper.from_array(weights, "w")])
