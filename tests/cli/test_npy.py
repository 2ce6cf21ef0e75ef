"""Arrays on their way in and out: every type, both orders, and files that are damaged on purpose."""

import io
import struct

import numpy
import pytest
from onnx import TensorProto


def through(overt, identity, tmp_path, array, type_, name="x.npy"):
    """The array that comes out of an Identity for this one."""
    if array is not None:
        numpy.save(tmp_path / "x.npy", array)
    shape = numpy.load(tmp_path / name).shape if array is None else array.shape
    overt("run", identity(type_, list(shape)), "--input", f"x={name}", "--output-dir", "out")
    return numpy.load(tmp_path / "out" / "y.npy")


TYPES = {"bool": TensorProto.BOOL, "int8": TensorProto.INT8, "int16": TensorProto.INT16, "int32": TensorProto.INT32,
         "int64": TensorProto.INT64, "uint8": TensorProto.UINT8, "uint16": TensorProto.UINT16,
         "uint32": TensorProto.UINT32, "uint64": TensorProto.UINT64, "float16": TensorProto.FLOAT16,
         "float32": TensorProto.FLOAT, "float64": TensorProto.DOUBLE, "complex64": TensorProto.COMPLEX64,
         "complex128": TensorProto.COMPLEX128}


@pytest.mark.parametrize("name", TYPES)
def test_each_numeric_type_comes_through(overt, identity, tmp_path, name):
    array = numpy.arange(6).reshape(2, 3).astype(name)
    result = through(overt, identity, tmp_path, array, TYPES[name])
    assert result.dtype == array.dtype and (result == array).all()


def test_texts_come_through(overt, identity, tmp_path):
    array = numpy.array(["", "ä", "日本語", "a\nb"])
    result = through(overt, identity, tmp_path, array, TensorProto.STRING)
    assert result.dtype.kind == "U" and result.tolist() == array.tolist()


def test_byte_strings_that_are_not_utf8_come_through(overt, identity, tmp_path):
    array = numpy.array([b"\xff\xfe", b"ok"])
    assert through(overt, identity, tmp_path, array, TensorProto.STRING).tolist() == [b"\xff\xfe", b"ok"]


@pytest.mark.parametrize("name, type_", [("bfloat16", TensorProto.BFLOAT16), ("float8_e4m3fn", TensorProto.FLOAT8E4M3FN),
                                         ("float8_e5m2", TensorProto.FLOAT8E5M2)])
def test_types_of_ml_dtypes_come_through_as_bits(overt, identity, tmp_path, name, type_):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    array = numpy.array([0, 1, -2, 0.5], getattr(ml_dtypes, name))
    result = through(overt, identity, tmp_path, array, type_)
    assert result.view(array.dtype).tolist() == array.tolist()


def test_four_bit_integers_are_int8_outside(overt, identity, tmp_path):
    array = numpy.array([-8, 7, 0, -1, 3], "int8")
    assert through(overt, identity, tmp_path, array, TensorProto.INT4).tolist() == array.tolist()
    numpy.save(tmp_path / "x.npy", numpy.array([8], "int8"))
    error = overt("run", identity(TensorProto.INT4, [1]), "--input", "x=x.npy", code=1).error
    assert "x.npy: element 0 is 8, which int4 cannot hold; clip the array first" in error


@pytest.mark.parametrize("shape", [(2, 3, 4), (5,), (), (0, 3), (1, 1, 2, 1)])
def test_fortran_order_is_put_right(overt, identity, tmp_path, shape):
    array = numpy.asfortranarray(numpy.arange(numpy.prod(shape, dtype=int)).reshape(shape).astype("float32"))
    result = through(overt, identity, tmp_path, array, TensorProto.FLOAT)
    assert result.shape == array.shape and (result == array).all()


def test_big_endian_is_put_right(overt, identity, tmp_path):
    array = numpy.array([[1.5, -2.25]], ">f8")
    assert through(overt, identity, tmp_path, array, TensorProto.DOUBLE).tolist() == array.tolist()
    array = numpy.array([1 + 2j], ">c8")
    assert through(overt, identity, tmp_path, array, TensorProto.COMPLEX64).tolist() == array.tolist()
    array = numpy.array(["häß"], ">U3")
    assert through(overt, identity, tmp_path, array, TensorProto.STRING).tolist() == array.tolist()


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_formats_one_to_three_are_read(overt, identity, tmp_path, version):
    array = numpy.arange(4, dtype="int32")
    buffer = io.BytesIO()
    numpy.lib.format.write_array(buffer, array, version=version)
    (tmp_path / "v.npy").write_bytes(buffer.getvalue())
    assert through(overt, identity, tmp_path, None, TensorProto.INT32, "v.npy").tolist() == [0, 1, 2, 3]


def header(text: bytes, version=1) -> bytes:
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(text)) + text


def described(descr=b"'<f4'", order=b"False", shape=b"(2,)") -> bytes:
    return header(b"{'descr': " + descr + b", 'fortran_order': " + order + b", 'shape': " + shape + b", }\n")


@pytest.mark.parametrize("data, expected", [
    (b"", "the file is no .npy file"),
    (b"not numpy at all", "the file is no .npy file"),
    (b"\x93NUMPY\x01", "the file ends within it"),
    (b"\x93NUMPY\x09\x00" + bytes(8), "has format 9, known are 1 to 3"),
    (b"\x93NUMPY\x02\x00\xff\xff\xff\x7f", "it is 2147483647 bytes long"),
    (header(b"{'descr': '<f4'")[:-4], "the file ends within it"),
    (header(b"{}"), "descr, fortran_order or shape is missing"),
    (header(b"{'descr': '<f4', 'evil': 1}"), "it has the unknown key 'evil'"),
    (header(b"__import__('os')"), "'{' is missing"),
    (described(order=b"Maybe"), "fortran_order is neither True nor False"),
    (described(shape=b"(-1,)"), "its shape holds something that is no length"),
    (described(shape=b"(99999999999999999999,)"), "its shape holds something that is no length"),
    (described(shape=b"(" + b"1," * 65 + b")"), "its shape has more than 64 axes"),
    (described(shape=b"(2,"), "its shape holds something that is no length"),
    (described(descr=b"'O'"), "the .npy file holds Python objects"),
    (described(descr=b"[('a', '<f4')]"), "the .npy file holds structs"),
    (described(descr=b"'<f3'") + bytes(6), "elements of type '<f3'"),
    (described(descr=b"'<M8[ns]'") + bytes(16), "elements of type '<M8[ns]'"),
    (described() + bytes(7), "takes 8 bytes, and 7 follow its header; the file is cut off"),
    (described() + bytes(9), "takes 8 bytes, and 9 follow its header; the file is too long"),
    (described(shape=b"(4611686018427387904, 4)"), "2^63"),
    (described(shape=b"(4611686018427387904,)"), "more than 2^63 bytes"),
    (described(shape=b"(1000000000000,)"), "takes 4000000000000 bytes, and 0 follow"),
    (described(descr=b"'<U0'", shape=b"(1000000000000,)"), "more than 100000000 empty strings"),
    (described(descr=b"'<U1'", shape=b"(1,)") + b"\x00\xd8\x00\x00", "0xd800, which is no Unicode character"),
])
def test_damaged_files_are_typed_errors(overt, identity, tmp_path, data, expected):
    (tmp_path / "bad.npy").write_bytes(data)
    error = overt("run", identity(TensorProto.FLOAT, [2]), "--input", "x=bad.npy", code=1).error
    assert "bad.npy: " in error and expected in error
    assert "code: invalid_argument" in error


@pytest.mark.parametrize("name", ["missing.npy", ".", "/dev/zero"])
def test_what_is_no_file_is_an_error(overt, identity, name):
    error = overt("run", identity(TensorProto.FLOAT, [2]), "--input", f"x={name}", code=1).error
    assert f"{name}: there is no such file" in error
