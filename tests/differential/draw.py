"""Random shapes, values and types, and the case that an operator's entry draws from them."""

import dataclasses

import numpy

FLOATS = ("float32", "float32", "float64", "float16")
SIGNED = ("int8", "int16", "int32", "int64")
INTEGERS = (*SIGNED, "uint8")
NUMBERS = ("float32", "float32", *FLOATS, *INTEGERS)
ANY = (*NUMBERS, "bool")

DIMENSIONS = (1, 1, 2, 3, 4, 5, 7, 9, 17)


@dataclasses.dataclass
class Case:
    """One node on its inputs. None stands for an optional input that is left out.

    exact: outputs are moved or counted, not computed: no tolerance even for floating-point types.
    tolerance: (rtol, atol) in place of that of the type.
    """

    inputs: list
    attributes: dict = dataclasses.field(default_factory=dict)
    opset: int = 13
    outputs: int = 1
    exact: bool = False
    tolerance: tuple[float, float] | None = None


class Draw:
    """The random choices of one case; equal seeds give equal cases."""

    def __init__(self, seed):
        self.random = numpy.random.default_rng(seed)

    def integer(self, low: int, high: int) -> int:
        """From low to high, both included."""
        return int(self.random.integers(low, high + 1))

    def integers(self, low: int, high: int, count: int) -> list[int]:
        return [self.integer(low, high) for _ in range(count)]

    def chance(self, probability: float) -> bool:
        return bool(self.random.random() < probability)

    def pick(self, choices):
        return choices[self.integer(0, len(choices) - 1)]

    def real(self, low: float, high: float) -> float:
        """Rounded to 1/64, so that it is the same number in every floating-point type."""
        return float(numpy.round(self.random.uniform(low, high) * 64) / 64)

    def shape(self, low: int = 0, high: int = 4, empty: float = 0.08, limit: int = 3000) -> tuple[int, ...]:
        """Of a rank from low to high and at most `limit` elements; with the given chance one dimension is 0."""
        rank = self.integer(low, high)
        while True:
            shape = [self.pick(DIMENSIONS) for _ in range(rank)]
            if numpy.prod(shape, dtype=int) <= limit:
                break
        if rank > 0 and self.chance(empty):
            shape[self.integer(0, rank - 1)] = 0
        return tuple(shape)

    def broadcast_shapes(self, count: int, high: int = 4) -> list[tuple[int, ...]]:
        """Shapes that broadcast together: of a common shape, leading dimensions left out or any set to 1."""
        common = self.shape(0, high)
        shapes = [common]
        while len(shapes) < count:
            kept = common[self.integer(0, len(common)) if self.chance(0.4) else 0:]
            ones = 0.3 if self.chance(0.6) else 0
            shapes.append(tuple(1 if self.chance(ones) else dim for dim in kept))
        self.random.shuffle(shapes)
        return [tuple(shape) for shape in shapes]

    def axis(self, rank: int) -> int:
        """An axis of the rank, counted from either end."""
        return self.integer(-rank, rank - 1)

    def axes(self, rank: int, low: int = 1) -> list[int]:
        """Different axes in any order, each counted from either end."""
        chosen = self.random.permutation(rank)[: self.integer(min(low, rank), rank)]
        return [int(axis) - (rank if self.chance(0.4) else 0) for axis in chosen]

    def values(self, type_: str, shape, low: float = -4, high: float = 4) -> numpy.ndarray:
        """Uniform between the bounds; for bool, either."""
        if type_ == "bool":
            return numpy.asarray(self.random.random(shape) < 0.5)
        if numpy.dtype(type_).kind == "f":
            return numpy.asarray(self.random.uniform(low, high, shape)).astype(type_)
        low = max(low, numpy.iinfo(type_).min)
        return numpy.asarray(self.random.integers(int(low), int(high) + 1, shape)).astype(type_)

    def steps(self, type_: str, shape, low: int = -3, high: int = 3) -> numpy.ndarray:
        """Few different whole numbers, so that ties are common and sums are exact."""
        if type_ == "bool":
            return self.values(type_, shape)
        low = max(low, 0) if type_.startswith("u") else low
        return numpy.asarray(self.random.integers(low, high + 1, shape)).astype(type_)

    def with_specials(self, array: numpy.ndarray, chance: float = 0.15) -> numpy.ndarray:
        """At times, with infinities, NaN, zeros of both signs and large numbers among the elements."""
        if array.dtype.kind == "f" and array.size > 0 and self.chance(chance):
            specials = numpy.array([numpy.inf, -numpy.inf, numpy.nan, 0.0, -0.0, 90.0, -90.0], array.dtype)
            flat = array.reshape(-1)
            for _ in range(max(2, array.size // 8)):
                flat[self.integer(0, array.size - 1)] = self.pick(specials)
            return flat.reshape(array.shape)
        return array


def ints(values) -> numpy.ndarray:
    """A one-dimensional int64 tensor: shapes, axes, pads."""
    return numpy.array(values, dtype=numpy.int64).reshape(-1)


def scalar(type_: str, value) -> numpy.ndarray:
    return numpy.array(value, dtype=type_)
