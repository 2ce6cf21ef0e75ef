"""What the README shows works as it stands there."""

import re
import shlex
import shutil
import subprocess

import numpy
import pytest
from conftest import BUILD, ROOT, shared_file

README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path):
    """A folder with the files that the README speaks of."""
    shutil.copy(shared_file("models/yolox_nano.onnx"), tmp_path / "yolox_nano.onnx")
    shutil.copy(shared_file("images/dog.jpg"), tmp_path / "dog.jpg")
    numpy.save(tmp_path / "images.npy", numpy.zeros((1, 3, 416, 416), "float32"))
    return tmp_path


def commands() -> list[str]:
    return [line for block in blocks("sh") for line in block.splitlines() if line.startswith("overt ")]


def test_every_command_is_shown():
    shown = {line.split()[1] for line in commands()}
    assert {"inspect", "run", "explain", "bench", "compare", "detect"} <= shown


@pytest.mark.parametrize("line", commands())
def test_a_command_runs(overt, folder, line):
    overt(*shlex.split(line.split("#")[0])[1:])


def test_the_cpp_example_compiles_and_runs(folder):
    (example,) = blocks("cpp")
    (folder / "example.cc").write_text(example)
    subprocess.run(["g++", "-std=c++20", "-Wall", "-Werror", f"-I{ROOT / 'include'}", "example.cc", "-o", "example",
                    f"-L{BUILD / 'lib'}", "-lovert", f"-Wl,-rpath,{BUILD / 'lib'}"], cwd=folder, check=True)
    out = subprocess.run(["./example"], cwd=folder, check=True, capture_output=True, text=True).stdout
    assert "yolox_nano: 369 nodes, " in out and "output: 301665 values" in out
