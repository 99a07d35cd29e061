"""The laws of check_forms.py: for each kind of op the names of its axes, and the digits that they may become.

Axes of one name in several values are indexed together. A form may cut an axis into digits that lie anywhere (cut), or
beside each other (together), or not at all (whole). How each kind follows from the meaning of its ops:

  - An op that computes each element from those at the same position, or sums over axes, has all axes in common: cut.
    One attribute that names a single axis cannot name two parts of it: that axis stays together.
  - Along an axis of a slice, a split, a concat, a pad, a cumulative sum, a window or a pick, positions differ: whole.
  - Ops that find axes by their letters need each in one place; those of windows are whole.
  - Operands such as scales have one number for each position of an axis (along), or axes of their own (own), or are
    read in the order in which they came (fixed).
"""

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or __package__:
    from .digits import UNKNOWN, Digit, Name, each_of
else:
    from digits import UNKNOWN, Digit, Name, each_of

LAWS = {  # for each law its kinds; its parts say what attributes name, and which values have other axes
    "alike": "abs neg sign exp log sqrt rsqrt reciprocal sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh"
    " erf ceil floor round not relu leaky_relu elu selu gelu sigmoid hard_sigmoid silu hard_swish mish softplus"
    " softsign clip cast bitcast add sub mul div mod pow max min prelu and or xor equal not_equal less less_equal"
    " greater greater_equal select vendor_elementwise",
    "own scale zero_point lhs_scale lhs_zero_point rhs_scale rhs_zero_point result_scale result_zero_point": "quant_add"
    " quant_mul dynamic_quantize",
    "axis together": "softmax log_softmax lp_norm",
    "axis whole": "hardmax lrn cumsum cumprod concat split block_quantize block_dequantize",
    "axis whole; covers": "gather_elements scatter_elements",
    "axis whole; own count indices condition sizes": "top_k scatter compress dynamic_split",
    "axis whole; batch whole; own lengths": "reverse_sequence",
    "axis whole; parts whole": "dft",
    "axes cut": "layer_norm rms_norm tensor_norm reverse",
    "axes cut; drops axes": "reduce_sum reduce_mean reduce_max reduce_min reduce_prod reduce_l1 reduce_l2"
    " reduce_sum_square reduce_log_sum_exp",
    "axis whole; drops axis": "arg_max arg_min",
    "axis together; along scale bias mean variance zero_point": "batch_norm quantize dequantize",
    "axis together; axes cut; along scale bias": "instance_norm",
    "axis whole; axes cut; along scale bias": "group_norm",
    "axis together; along rhs_scale; own lhs_scale result_scale result_zero_point": "requantize",
    "low 0; high 0": "pad",
    "starts 0; limits 9223372036854775807; steps 1": "slice",
    "repeats 1": "tile",
    "axes whole; own starts limits steps pads repeats numbers roi": "dynamic_slice dynamic_pad dynamic_tile"
    " dynamic_resize",
    "all together; axes whole; own numbers roi": "dynamic_interpolate",
    "axes whole; own result": "shape_of",
    "letters DHW": "max_pool avg_pool global_max_pool global_avg_pool upsample unpool mask_unpool bilinear rotate",
    "letters DHW; own input_scale input_zero_point result_scale result_zero_point": "quant_avg_pool"
    " quant_global_avg_pool",
    "letters DHW; axes whole": "mirror",
    "letters CDHW": "depth_to_space space_to_depth",
    "letters NDHW; fixed grid boxes batches": "grid_sample roi_align",
    "letters NCDHW; fixed offsets kernel bias mask": "deform_conv",
    "letters NCDHW; own kernel bias data_zero_point kernel_zero_point data_scale kernel_scale result_scale"
    " result_zero_point": "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d conv2d_integer"
    " quant_conv2d",
    "product": "matmul gemm matmul_integer quant_matmul quant_gemm",
    "gather": "gather",
    "broadcast": "broadcast",
    "heads": "attention rotary",
    "fixed": "opaque range rnn gru lstm non_zero unique non_max_suppression",
}
LAW_OF = {
    **{f"npu.{kind}": law for law, kinds in LAWS.items() for kind in kinds.split()},
    **dict.fromkeys(("func.return", "func.call", "scf.yield", "scf.condition"), "fixed"),
    "ends": "dims",
}


class Law:
    """The law of an op whose values have these names and sizes."""

    def __init__(self, entry: Any, names: Sequence[str], sizes: Sequence[Sequence[int]]) -> None:
        self.entry, self.names, self.sizes = entry, names, sizes
        self.attributes = entry.get("attributes", {})
        self.axes: list[Sequence[Name]] = [[*range(len(each))] for each in sizes]
        """For each value the names of its axes; those of one name are digits of it, the most significant first."""
        self.free: dict[Name, str] = dict.fromkeys(range(max(map(len, sizes), default=0)), "cut")
        """The digits that an axis may become; those without an entry are whole."""
        self.alone, self.fixed = set[int](), set[int](entry.get("stuck", []))
        """Values with axes of their own, and those that keep their order."""
        self.templates: list[Sequence[Sequence[Name]]] = [[()] * len(sizes)]
        """The axes of each value behind those of the common sequence, in each of several forms."""
        self.stays: set[int] = set()
        """Values from whose byte orders no order of the axes that they lack follows: these stay where they are."""
        self.kept: Sequence[Name] = ()
        """Axes that are whole in the first value."""
        self.are_ends = False
        """True for ends that are tied: their other orders follow from the one in which they came, too."""
        self.computed = set[Name]()
        """Axes that attributes name."""
        self.is_known = True
        """False for an op of whose forms the law says too little."""
        for part in LAW_OF[entry["kind"]].split("; "):
            word, *rest = part.split()
            getattr(self, f"_{word}", self._named)(word, rest)
        self.still = {name for place in self.fixed for name in self.axes[place]}
        """Axes in the order of the program."""
        if entry["kind"] in PRODUCTS and not entry["freedom"][3]:
            self.still |= {*range(len(sizes[-1]) - 2)}

        self.places = entry.get("places", {})
        """The places that the target wants for axes that attributes name."""
        self.is_known &= all(type(each) is int or each in ("last", "increasing") for each in self.places.values())
        is_placed = {*self.places.values()} <= {"last", "increasing"} and not entry.get("conditional", False)
        self.is_cut = is_placed and not entry.get("demands")

    def came_in_place(self) -> bool:
        """True if axes that attributes name are where the target wants them in the op as it came."""
        rank = len(self.sizes[0])
        named = [(sorted(self.numbers(attribute)), wanted) for attribute, wanted in self.places.items()]
        return all(
            axes == ([*range(rank - len(axes), rank)] if wanted == "last" else [wanted])
            for axes, wanted in named
            if wanted != "increasing"
        )

    def may_be(self, name: Name, digits: Sequence[Digit], runs: Sequence[Name]) -> bool:
        """True if an axis may be these digits, where runs of digits belong to these axes."""
        free, is_static = self.free.get(name, "whole"), all(inner * size < UNKNOWN for _, inner, size in digits)
        is_static |= name in self.kept
        is_whole = digits == [(name, 0, 0)]
        return (is_whole or (self.is_cut and free != "whole" and is_static)) and (free == "cut" or runs.count(name) < 2)

    def are_in_place(self, runs: Sequence[Name], rank: int) -> bool:
        """True if axes that attributes name are where the target wants them; those of one element may be anywhere."""
        for attribute, wanted in self.places.items():
            at = [place for place, axis in enumerate(runs) if axis in self.numbers(attribute)]
            if wanted == "last" and at != [*range(len(runs) - len(at), len(runs))]:
                return False
            if type(wanted) is int and at and not at[0] <= wanted <= at[0] + rank - len(runs):
                return False
        return True

    def numbers(self, attribute: str) -> list[int]:
        """The axes that an attribute names."""
        return each_of(self.attributes.get(attribute, []))

    def _alike(self, word: str, rest: Sequence[str]) -> None:
        """All values share all axes."""

    def _dims(self, word: str, rest: Sequence[str]) -> None:
        """The ends of calls, loops and functions that take one order."""
        self.axes, self.free, self.are_ends = self.entry["dims"], {}, True

    def _all(self, word: str, rest: Sequence[str]) -> None:
        """The op takes inputs of one rank."""
        self.free = dict.fromkeys(self.free, rest[0])

    def _named(self, word: str, rest: Sequence[str]) -> None:
        """An attribute names axes, or has a number for each, of which this one has no effect."""
        named = self.numbers(word)
        if rest[0] not in ("cut", "together", "whole"):
            named = [axis for axis, number in enumerate(named) if number != int(rest[0])]
            if self.entry["kind"] == "npu.slice":
                named = [axis for axis in named if not self._is_same(axis, self.sizes[-1])]
            rest = ["whole"]
        self.free |= dict.fromkeys(named, rest[0])
        self.computed |= {*named}

    def _is_same(self, axis: int, sizes: Sequence[int]) -> bool:
        return self.sizes[0][axis] == sizes[axis] < UNKNOWN

    def _chosen(self, names: Sequence[str]) -> list[int]:
        return [place for place, name in enumerate(self.names) if name in names or not names]

    def _own(self, word: str, rest: Sequence[str]) -> None:
        """Values have axes of their own."""
        for place in self._chosen(rest):
            self.alone.add(place)
            self.axes[place] = [(place, axis) for axis in range(len(self.sizes[place]))]
            self.fixed |= {place} if word == "fixed" else set()

    _fixed = _own

    def _along(self, word: str, rest: Sequence[str]) -> None:
        """Values have a number for each position of an axis."""
        for place in self._chosen(rest):
            self.axes[place] = [self.attributes.get("axis")] * len(self.sizes[place])
            self.stays.add(place)

    def _drops(self, word: str, rest: Sequence[str]) -> None:
        """The result lacks the axes that an attribute names."""
        if "keep" not in self.attributes:
            self.axes[1] = [axis for axis in self.axes[0] if axis not in self.numbers(rest[0])]

    def _letters(self, word: str, rest: Sequence[str]) -> None:
        """The op finds axes by their letters; these are whole. Without a demand, channels could be cut."""
        self.is_known = rest[0] != "NCDHW" or bool(self.entry.get("demands"))
        letters = enumerate(self.entry["letters"])
        self.free |= {axis: "whole" if letter in rest[0] else "together" for axis, letter in letters}

    def _covers(self, word: str, rest: Sequence[str]) -> None:
        """An axis along which the second operand may be shorter is whole."""
        self.free |= {axis: "whole" for axis in self.axes[0] if not self._is_same(axis, self.sizes[1])}

    def _gather(self, word: str, rest: Sequence[str]) -> None:
        """The axes of the indices are digits of the axis along which it picks: unknown sizes need the same names."""
        axis, count = self.attributes["axis"], len(self.sizes[1])
        self.axes[1:] = [[axis] * count, [*range(axis), *[axis] * count, *range(axis + 1, len(self.sizes[0]))]]
        self.free[axis], self.kept, self.stays = "together", (axis,), {0, 1, 2}
        several = [size for size in self.sizes[1] if size != 1]
        self.is_known = len(several) < 2 or [*self.sizes[1]] == [*self.sizes[2][axis : axis + count]]

    def _broadcast(self, word: str, rest: Sequence[str]) -> None:
        """The axes of the operand are anywhere in the result; where a target wants it, they increase."""
        self.axes[0], self.stays = self.attributes["axes"], {0, 1}
        self.alone = set[int]() if self.entry.get("places") else {0, 1}

    def _heads(self, word: str, rest: Sequence[str]) -> None:
        """Values with heads are in any order that a target demands; else all may exchange their heads and rows."""
        heads: Sequence[str] = self.entry["heads"]
        is_free, exchange = bool(self.entry.get("demands")), str.maketrans("HN", "NH")
        tails = [[(place, axis) for axis in letters] for place, letters in enumerate(heads)]
        exchanged = [[(place, axis) for axis in letters.translate(exchange)] for place, letters in enumerate(heads)]
        self.axes = [
            tail or [(place, axis) for axis in range(len(self.sizes[place]))] for place, tail in enumerate(tails)
        ]
        self.fixed |= {place for place, letters in enumerate(heads) if not letters}
        self.alone = {*range(len(heads))} if is_free else {*self.fixed}
        self.templates = self.templates if is_free else [tails, exchanged]

    def _product(self, word: str, rest: Sequence[str]) -> None:
        """Rows M, columns N and summed axes K are behind the batch axes, in orders that a target allows."""
        rank, flags = len(self.sizes[-1]), ["trans_a" in self.attributes, "trans_b" in self.attributes]
        tails = ["KM" if flags[0] else "MK", "NK" if flags[1] else "KN"]
        tails += ["MN" if len(each) == rank else "N" * len(each) for each in self.sizes[2:]]
        self.axes = [[*range(len(each) - len(tail)), *tail] for each, tail in zip(self.sizes, tails)]
        self.free |= dict.fromkeys("MNK", "together")
        may_lhs, may_rhs, may_swap, _ = self.entry["freedom"]
        is_vector = any(tail == "N" and each != [1] for each, tail in zip(self.sizes, tails))
        may_swap = may_swap and not is_vector and self.entry["kind"] in ("npu.matmul", "npu.gemm")
        self.templates = []
        for lhs, rhs, result in product((0, 1), (0, 1), (0, 1)):
            read = flags[0] ^ lhs, flags[1] ^ rhs
            read = (not read[1], not read[0]) if result else read
            if (may_swap or not result) and (may_lhs or read[0] == flags[0]) and (may_rhs or read[1] == flags[1]):
                turned = zip(tails, [lhs, rhs, *[result] * len(tails)])
                self.templates.append([tail[::-1] if turn else tail for tail, turn in turned])


PRODUCTS = [kind for kind, law in LAW_OF.items() if law == "product"]
