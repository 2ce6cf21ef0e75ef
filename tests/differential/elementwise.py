"""Entries of the operators that work element by element, and of the reductions and scans along axes."""

import numpy

from .draw import ANY, FLOATS, INTEGERS, NUMBERS, SIGNED, Case, Draw, ints, scalar


def unary(types, opsets, low=-4.0, high=4.0, attributes=None, whole=False, specials=True):
    """attributes: {name: (low, high)}, each left out at times. whole: inputs are multiples of one half."""

    def draw_case(draw: Draw) -> Case:
        type_ = draw.pick(types)
        x = draw.values(type_, draw.shape(), low, high)
        if whole:
            x = (numpy.round(x * 2) / 2).astype(type_)
        chosen = {name: draw.real(*bounds) for name, bounds in (attributes or {}).items() if draw.chance(0.7)}
        return Case([draw.with_specials(x) if specials else x], chosen, draw.pick(opsets))

    return draw_case


def binary(types, opsets, low=-4.0, high=4.0, second=None, ties=False):
    """second: bounds of the second operand, where a part of the numbers is no legal choice. ties: equal elements."""

    def draw_case(draw: Draw) -> Case:
        type_ = draw.pick(types)
        shapes = draw.broadcast_shapes(2)
        if ties:
            return Case([draw.steps(type_, shape) for shape in shapes], opset=draw.pick(opsets))
        bounds = (low, high), second or (low, high)
        return Case([draw.values(type_, shape, *bound) for shape, bound in zip(shapes, bounds)],
                    opset=draw.pick(opsets))

    return draw_case


def variadic(types, opsets):
    def draw_case(draw: Draw) -> Case:
        type_ = draw.pick(types)
        shapes = draw.broadcast_shapes(draw.integer(1, 4))
        return Case([draw.values(type_, shape, -20, 20) for shape in shapes], opset=draw.pick(opsets))

    return draw_case


def prelu(draw: Draw) -> Case:
    type_ = draw.pick(FLOATS)
    shape = draw.shape(1)
    slope = tuple(1 if draw.chance(0.4) else dim for dim in shape[draw.integer(0, len(shape) - 1):])
    return Case([draw.values(type_, shape), draw.values(type_, slope)], opset=draw.pick((7, 9, 16)))


def gelu(draw: Draw) -> Case:
    attributes = {"approximate": draw.pick(("none", "tanh"))} if draw.chance(0.8) else {}
    return Case([draw.with_specials(draw.values(draw.pick(FLOATS), draw.shape()))], attributes, 20)


def clip(draw: Draw) -> Case:
    opset = draw.pick((6, 11, 12, 13))
    low, high = sorted((draw.integer(-3, 3), draw.integer(-3, 3)))
    if opset == 6:
        limits = {"min": float(low), "max": float(high)}
        return Case([draw.values("float32", draw.shape())], {n: v for n, v in limits.items() if draw.chance(0.7)}, 6)
    type_ = draw.pick(("float32",) if opset == 11 else (*FLOATS, "int8", "int32", "int64", "uint8"))
    if type_ == "uint8":
        low, high = max(low, 0), max(high, 0)
    limits = [scalar(type_, limit) if draw.chance(0.7) else None for limit in (low, high)]
    return Case([draw.values(type_, draw.shape(), -6, 6), *limits], opset=opset)


def div(draw: Draw) -> Case:
    type_ = draw.pick(NUMBERS)
    shapes = draw.broadcast_shapes(2)
    divisor = draw.values(type_, shapes[1], 1, 6)
    if not type_.startswith("u"):
        divisor = divisor * draw.pick((1, -1))
    return Case([draw.values(type_, shapes[0], -100, 100), divisor.astype(type_)], opset=draw.pick((7, 13, 14)))


def mod(draw: Draw) -> Case:
    fmod = draw.integer(0, 1)
    type_ = draw.pick(("float32", "float64", *INTEGERS) if fmod else INTEGERS)
    shapes = draw.broadcast_shapes(2)
    divisor = draw.values(type_, shapes[1], 1, 7)
    if not type_.startswith("u"):
        divisor = (divisor * (1 - 2 * draw.steps(type_, shapes[1], 0, 1))).astype(type_)
    return Case([draw.values(type_, shapes[0], -50, 50), divisor], {"fmod": fmod}, draw.pick((10, 13)))


def power(draw: Draw) -> Case:
    base, exponent = draw.pick(FLOATS + ("int32", "int64")), draw.pick(("float32", "float64", "int32", "int64"))
    shapes = draw.broadcast_shapes(2)
    low = 0.1 if numpy.dtype(exponent).kind == "f" else -3
    lowest = 0 if numpy.dtype(base).kind == "i" else -2
    if draw.chance(0.3):
        shapes[1] = ()
    return Case([draw.values(base, shapes[0], low, 3), draw.values(exponent, shapes[1], lowest, 3)],
                opset=draw.pick((12, 13, 15)))


def where(draw: Draw) -> Case:
    shapes = draw.broadcast_shapes(3)
    type_ = draw.pick(ANY)
    return Case([draw.values("bool", shapes[0]), draw.values(type_, shapes[1]), draw.values(type_, shapes[2])],
                opset=draw.pick((9, 16)), exact=True)


def logical(draw: Draw) -> Case:
    return Case([draw.values("bool", shape) for shape in draw.broadcast_shapes(2)], opset=7)


def logical_not(draw: Draw) -> Case:
    return Case([draw.values("bool", draw.shape())], opset=7)


def reduce(types, axes_input_since, low=-3.0, high=3.0, opsets=(11, 13, 18)):
    """axes_input_since: the opset from which the axes are an input; before it they are an attribute."""

    def draw_case(draw: Draw) -> Case:
        opset = draw.pick(opsets)
        x = draw.values(draw.pick(types), draw.shape(1), low, high)
        attributes = {"keepdims": draw.integer(0, 1)} if draw.chance(0.8) else {}
        axes = draw.axes(x.ndim) if draw.chance(0.8) else None
        if opset < axes_input_since:
            return Case([x], attributes | ({"axes": axes} if axes else {}), opset)
        if draw.chance(0.3):
            attributes["noop_with_empty_axes"] = draw.integer(0, 1)
        if axes is None and draw.chance(0.3):
            axes = []
        return Case([x, None if axes is None else ints(axes)], attributes, opset)

    return draw_case


def arg_reduce(draw: Draw) -> Case:
    opset = draw.pick((11, 12, 13))
    x = draw.steps(draw.pick(("float32", "float32", "float64", "int32", "int8", "uint8")), draw.shape(1, empty=0))
    attributes = {"axis": draw.axis(x.ndim)} if draw.chance(0.8) else {}
    if draw.chance(0.7):
        attributes["keepdims"] = draw.integer(0, 1)
    if opset >= 12 and draw.chance(0.6):
        attributes["select_last_index"] = draw.integer(0, 1)
    return Case([x], attributes, opset)


def cumsum(draw: Draw) -> Case:
    x = draw.values(draw.pick(("float32", "float64", "int32", "int64")), draw.shape(1))
    axis = numpy.array(draw.axis(x.ndim), draw.pick(("int32", "int64")))
    attributes = {name: draw.integer(0, 1) for name in ("exclusive", "reverse") if draw.chance(0.7)}
    return Case([x, axis if draw.chance(0.6) else axis.reshape(1)], attributes, draw.pick((11, 14)))


def topk(draw: Draw) -> Case:
    opset = draw.pick((10, 11))
    type_ = draw.pick(("float32", "float64") if opset == 10 else ("float32", "float64", "int32", "int64"))
    shape = draw.shape(1, empty=0)
    axis = draw.axis(len(shape)) if opset == 11 else draw.integer(0, len(shape) - 1)
    x = draw.steps(type_, shape, -9, 9) if draw.chance(0.5) else draw.values(type_, shape, -1000, 1000)
    attributes = {"axis": axis} | ({"largest": draw.integer(0, 1), "sorted": 1} if opset == 11 else {})
    return Case([x, ints(draw.integer(0 if draw.chance(0.2) else 1, shape[axis]))], attributes, opset, outputs=2,
                exact=True)


def softmax(draw: Draw) -> Case:
    opset = draw.pick((1, 11, 13, 13))
    x = draw.with_specials(draw.values(draw.pick(FLOATS), draw.shape(1), -8, 8), 0.1)
    axis = draw.integer(0, x.ndim - 1) if opset == 1 else draw.axis(x.ndim)
    return Case([x], {"axis": axis} if draw.chance(0.8) or (opset < 13 and x.ndim < 2) else {}, opset)


LOGIC = (7, 11, 13)
OPERATORS = {
    "Abs": unary(NUMBERS, (6, 13), -100, 100),
    "Neg": unary((*FLOATS, *SIGNED), (6, 13), -100, 100),
    "Ceil": unary(FLOATS, (6, 13), whole=True),
    "Floor": unary(FLOATS, (6, 13), whole=True),
    "Round": unary(FLOATS, (11, 22), -9, 9, whole=True),
    "Sign": unary(NUMBERS, (9, 13)),
    "Sqrt": unary(FLOATS, (6, 13), 0, 50),
    "Reciprocal": unary(FLOATS, (6, 13), 0.1, 5),
    "Exp": unary(FLOATS, (6, 13), -6, 5),
    "Log": unary(FLOATS, (6, 13), 0.01, 50),
    "Erf": unary(FLOATS, (9, 13)),
    "Sin": unary(FLOATS, (7, 22), -10, 10, specials=False),
    "Cos": unary(FLOATS, (7, 22), -10, 10, specials=False),
    "Tanh": unary(FLOATS, (6, 13)),
    "Sigmoid": unary(FLOATS, (6, 13), -10, 10),
    "Relu": unary((*FLOATS, "int8", "int32"), (6, 13, 14)),
    "LeakyRelu": unary(FLOATS, (6, 16), attributes={"alpha": (-0.5, 1.5)}),
    "Elu": unary(FLOATS, (6, 22), attributes={"alpha": (0.25, 2)}),
    "HardSigmoid": unary(FLOATS, (6, 22), attributes={"alpha": (0.1, 0.5), "beta": (0.2, 0.8)}),
    "HardSwish": unary(FLOATS, (14, 22), -5, 5),
    "Softplus": unary(FLOATS, (1, 22), -20, 20),
    "PRelu": prelu,
    "Gelu": gelu,
    "Clip": clip,
    "Not": logical_not,
    "And": logical,
    "Or": logical,
    "Add": binary(NUMBERS, (7, 13, 14), -30, 30),
    "Sub": binary(NUMBERS, (7, 13, 14), -30, 30),
    "Mul": binary(NUMBERS, (7, 13, 14), -10, 10),
    "Div": div,
    "Mod": mod,
    "Pow": power,
    "Min": variadic((*FLOATS, "int32", "int64", "int8", "uint8"), (8, 12, 13)),
    "Max": variadic((*FLOATS, "int32", "int64", "int8", "uint8"), (8, 12, 13)),
    "Equal": binary(("float32", "float64", "int32", "int64", "bool", "int8", "uint8"), (7, 11, 13, 19), ties=True),
    "Less": binary(NUMBERS, (7, 9, 13), ties=True),
    "LessOrEqual": binary(NUMBERS, (12, 16), ties=True),
    "Greater": binary(NUMBERS, (7, 9, 13), ties=True),
    "GreaterOrEqual": binary(NUMBERS, (12, 16), ties=True),
    "Where": where,
    "ReduceMean": reduce((*FLOATS, "int32"), 18),
    "ReduceSum": reduce((*FLOATS, "int32", "int64"), 13),
    "ReduceMax": reduce((*FLOATS, "int32", "int64", "int8", "uint8"), 18, -50, 50, (11, 12, 13, 18, 20)),
    "ReduceMin": reduce((*FLOATS, "int32", "int64", "int8", "uint8"), 18, -50, 50, (11, 12, 13, 18, 20)),
    "ReduceProd": reduce(("float32", "float64", "int32", "int64"), 18, 0.5, 1.5),
    "ReduceL2": reduce((*FLOATS, "int32"), 18),
    "ReduceSumSquare": reduce((*FLOATS, "int32"), 18),
    "ArgMax": arg_reduce,
    "ArgMin": arg_reduce,
    "CumSum": cumsum,
    "TopK": topk,
    "Softmax": softmax,
    "LogSoftmax": softmax,
}
