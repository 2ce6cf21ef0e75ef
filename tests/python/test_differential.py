"""Random one-node models of every operator, and random graphs, against ONNX Runtime's CPU provider.

tests/differential draws the cases and says which tolerances hold. A case is run as the conformance suite's are.
"""

import collections
import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("OVERT_BUILD", ROOT / "build" / "release")).resolve()
PROGRAM = BUILD / "bin" / "overt-conformance"
CASES = ROOT / "build" / "differential"

sys.path.insert(0, str(ROOT))
pytest.importorskip("onnxruntime")
from tests.differential.generate import CASES_PER_OPERATOR, GRAPHS, OPERATORS, generate  # noqa: E402

FEWEST_CASES = 3
STAGE_ONE = """
    Abs Neg Ceil Floor Round Sign Sqrt Reciprocal Exp Log Erf Sin Cos Tanh Sigmoid Relu LeakyRelu PRelu Elu HardSigmoid
    HardSwish Softplus Gelu Clip Not Add Sub Mul Div Pow Mod Min Max And Or Equal Less LessOrEqual Greater
    GreaterOrEqual Where ReduceMean ReduceSum ReduceMax ReduceMin ReduceProd ReduceL2 ReduceSumSquare ArgMax ArgMin
    CumSum TopK Gemm MatMul Conv ConvTranspose MaxPool AveragePool GlobalAveragePool GlobalMaxPool BatchNormalization
    InstanceNormalization LayerNormalization Softmax LogSoftmax Dropout Cast Constant ConstantOfShape Identity Shape
    Size Reshape Flatten Transpose Squeeze Unsqueeze Concat Split Slice Gather GatherElements GatherND ScatterND
    ScatterElements Expand Tile Range NonZero Trilu DepthToSpace OneHot Pad Resize NonMaxSuppression Einsum EyeLike If
""".split()

# Cases in which ONNX Runtime departs from the standard's text or from its reference, each with the reason. They must
# go on differing.
REFERENCE_WRONG = {
    "LogSoftmax_9": "an infinity in a row of float64: the standard's reference, which subtracts the largest element "
                    "first, makes the whole row NaN; ONNX Runtime makes the other elements minus infinity",
    "MaxPool_7": "SAME_UPPER with dilations: the text counts (kernel - 1) * dilation + 1 elements in the padding; ONNX "
                 "Runtime counts the kernel undilated and pads 0 where 1 is due",
    "NonZero_9": "of a scalar: the text asks for the shape (0, N), ONNX Runtime gives (1, N)",
    "Resize_2": "align_corners with scales that make no whole length: the standard's reference and its backend suite "
                "divide by the fractional length - 1, 7 * 1.5 - 1; ONNX Runtime by the rounded one's",
}


def operator_of(case: str) -> str:
    return case.rpartition("_")[0]


@pytest.fixture(scope="module")
def cases() -> dict[str, str]:
    """What each case is, by name."""
    return generate(CASES)["cases"]


@pytest.fixture(scope="module")
def failures(cases) -> dict[str, str]:
    """Why a case fails, by name."""
    command = [PROGRAM, CASES, "--json", "--verbose"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    try:
        results = json.loads(done.stdout)
    except json.JSONDecodeError:
        last = done.stderr.strip().rpartition("\n")[2]
        pytest.fail(f"stopped with status {done.returncode}, last words: {last}")
    failed = {case["name"]: case["why"] for case in results["failed"]}
    assert results["passed"] + len(failed) == len(cases), "not every case was run"
    return failed


def check(operator: str, cases: dict[str, str], failures: dict[str, str]) -> None:
    wrong = [f"{name} ({what}): {failures[name]}" for name, what in cases.items()
             if operator_of(name) == operator and name in failures and name not in REFERENCE_WRONG]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("operator", sorted(OPERATORS))
def test_operator_agrees(operator, cases, failures):
    check(operator, cases, failures)


def test_graphs_agree(cases, failures):
    check("Graph", cases, failures)


def test_every_stage_one_operator_has_cases(cases):
    counts = collections.Counter(operator_of(name) for name in cases)
    assert len(STAGE_ONE) == 98
    few = {name: counts[name] for name in STAGE_ONE if not FEWEST_CASES <= counts[name] <= CASES_PER_OPERATOR}
    assert not few, f"too few or too many cases: {few}"
    assert counts["Graph"] >= GRAPHS * 9 // 10


def test_listed_cases_still_differ(failures):
    agreeing = [name for name in REFERENCE_WRONG if name not in failures]
    assert not agreeing, f"take these off REFERENCE_WRONG: {agreeing}"
