"""Wrong usage ends with exit code 2 and one paragraph that says the way out."""

import pytest

COMMANDS = ("inspect", "run", "explain", "bench", "compare", "detect")


def test_help_shows_every_command_and_examples(overt):
    out = overt("--help").out
    assert all(f"\n  {command} " in out for command in COMMANDS)
    assert "overt detect yolox_nano.onnx dog.jpg --output marked" in out


def test_version_names_the_program(overt):
    assert overt("--version").out == "overt 0.1.0\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help_with_an_example(overt, command):
    out = overt(command, "--help").out
    assert "--json" in out and f"  overt {command} " in out


@pytest.mark.parametrize("args, expected", [
    ([], "error: no command is given; there are inspect, run, explain, bench, compare and detect; see 'overt --help'\n"),
    (["dtect"], "error: there is no command 'dtect'; did you mean 'detect'?; see 'overt --help'\n"),
    (["--josn"], "error: 'overt' has no option --josn of its own; options stand behind a command; see 'overt --help'\n"),
    (["run", "m.onnx", "--inptu", "x=y.npy"],
     "error: 'overt run' has no option --inptu; did you mean --input?; see 'overt run --help'\n"),
    (["run"], "error: model is required; see 'overt run --help'\n"),
    (["inspect", "a.onnx", "b.onnx"],
     "error: 'overt inspect' does not know what to do with 'b.onnx'; see 'overt inspect --help'\n"),
    (["run", "m.onnx", "--provider", "cup"],
     "error: --provider: this build has no provider 'cup'; did you mean 'cpu'?\n"),
    (["run", "m.onnx", "--provider", "cpu:x"], "error: --provider: 'x' is not a whole number of 0 or more\n"),
    (["run", "m.onnx", "--memory-limit", "5Q"],
     "error: --memory-limit: '5Q' is no size; give bytes or a number with K, M, G or T behind it, such as 512M\n"),
    (["detect", "m.onnx", "a.jpg", "b.jpg", "--output", "c.png"],
     "error: --output: c.png is one file, and there are 2 pictures; give a folder\n"),
    (["run", "m.onnx", "--passes", "off", "--disable-pass", "x"],
     "error: --disable-pass has no meaning with --passes off; leave one of them out\n"),
])
def test_wrong_usage(overt, args, expected):
    assert overt(*args, code=2).err == expected


def test_an_unknown_word_names_the_nearest(overt):
    error = overt("run", "m.onnx", "--precision", "fp61", code=2).error
    assert "--precision" in error and "'fp61' is not known here; did you mean 'fp16'?" in error
    assert error.endswith("see 'overt run --help'\n")


@pytest.mark.parametrize("command", ["inspect", "run", "explain", "bench"])
def test_a_missing_model_is_an_error_with_its_name(overt, command):
    error = overt(command, "nowhere.onnx", code=1).error
    assert "nowhere.onnx" in error and "code: invalid_argument" in error
    assert error.endswith(f"see 'overt {command} --help'\n")


def test_bytes_that_are_no_model_are_an_error(overt, tmp_path):
    (tmp_path / "noise.onnx").write_bytes(b"\xff\xfe\xfdnot a model")
    assert "code: invalid_model" in overt("inspect", "noise.onnx", code=1).error


def test_a_provider_that_cannot_be_opened_is_an_error(overt, affine):
    error = overt("run", affine, "--onednn-library", "/nowhere/libdnnl.so", code=1).error
    assert "/nowhere/libdnnl.so" in error and "code: provider_unavailable" in error


def test_output_that_cannot_be_written_is_an_error(overt, affine):
    with open("/dev/full", "w") as full:
        import subprocess
        from conftest import PROGRAM
        done = subprocess.run([PROGRAM, "inspect", affine], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr == "error: standard output cannot be written; make room, or send it elsewhere\n"
