"""Checks that a certificate of a minimum leaves no form of an op out. It needs Python alone.

    python check_forms.py model.cert.json

`check_minimum.py` proves that no choice of the listed forms costs less. This program checks the lists.

DIGITS. An axis of 24 elements that a reshape makes of 4 by 6 has two digits: one of size 4 whose steps are 6 (`inner`)
and one of size 6 whose steps are 1. A byte order of a storage is a sequence of digits of its axes, from the slowest to
the fastest in memory; axes of one element have none, and neighbours that continue each other are one. An operand or
result is a view: along each of its axes it has some digits of the storage, so a byte order is a sequence of digits of
the op's own axes as well, which are compared by name: the axes of one name in several values are indexed together.

LAWS. An op computes the same elements in another form if
  - all values that share its axes have them in one sequence S, each those that it has (`shared`): an elementwise op, a
    norm, a reduction, a concat, a pool;
  - an axis is cut into several digits of S only if its positions are computed alike, or are all summed over, and the op
    can name the parts ('cut'); if it can name one axis only, these digits are neighbours ('together'); an axis along
    which positions differ, such as that of a slice or a window, is one digit ('whole');
  - a product of matrices has its batch axes in one sequence, and behind them the two axes of each matrix, in the order
    of the flags that it has, or that the target's `freedom` lets it have; rows and columns are exchanged by exchanging
    the operands;
  - a gather has the axes of its indices, in their order, where the data has the axis along which it picks;
  - the other operands (`own`) have any order, or the one in which they came (`fixed`);
  - a demand of the target on a value is met, and the axes that attributes name are where the target wants them.
Nothing is cut of an op with a demand, with letters for its axes, or of unknown size; an op over digits has at most as
many axes as the target's tensors, and one with more than six keeps its order. LAWS below has the law of each kind.

THE CLAIM. K is the set of byte orders in which each storage is written or read in the certificate.
  Sound: every mode of an op is a form by its law.
  Closed: for every op, every value and every byte order in K of its storage, the forms in which the op uses that byte
  order there are modes of the op: all of them if the value has all axes of S. Axes that it lacks are whole, and anywhere
  in S; where it lacks them in the byte order in which the program came, and where a gather or a repetition needs no
  order, they stay. Values whose orders are independent have every two of their byte orders in K.
  Begun: K has the byte orders of given storages, and of each op those that the target demands, or those it came with.
So the minimum is that over all byte orders that follow from those of the program and of the target.

BELIEVED. That a byte order that nothing leads to costs no less: if every law renames digits one to one, such orders can
be exchanged for those of the program along all values that agree in them, at no cost. That the facts are those of the
program and of the target's file: views, attributes, demands. That storages which are not listed cost nothing, that
prices may depend on the form, and that pairs of forms (ops that run twice) are only left out where they save nothing.
Kinds of ops that have no law here are listed with their number.

The last line is `accepted: ...; believed: ...`, exit code 0, or `refused: ` with the first step that does not hold, 1.
"""

import gzip
import json
import sys
from collections import Counter
from itertools import combinations, product

MOST_AXES, END = 6, 2**63 - 1
SYMBOLS = [2**power - 1 for power in (61, 89, 107, 127, 521, 607, 1279, 2203)]  # primes in the place of unknown sizes

UNARY = (
    "abs neg sign exp log sqrt rsqrt reciprocal sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf ceil floor"
    " round not relu leaky_relu elu selu gelu sigmoid hard_sigmoid silu hard_swish mish softplus softsign clip cast bitcast"
)
BINARY = "add sub mul div mod pow max min prelu and or xor equal not_equal less less_equal greater greater_equal select"
CONVOLUTIONS = "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d conv2d_bpa conv2d_integer quant_conv2d"
OF_RESULT = "scale zero_point lhs_scale lhs_zero_point rhs_scale rhs_zero_point result_scale result_zero_point"
LAWS = {  # for each law its kinds: what attributes name, and which values have axes of their own
    "": f"{UNARY} {BINARY}",
    f"own {OF_RESULT}": "quant_add quant_mul dynamic_quantize",
    "axis together": "softmax log_softmax lp_norm",
    "axis whole": "hardmax lrn cumsum cumprod concat split arg_max arg_min",
    "axis whole; covers": "gather_elements scatter_elements",
    "axis whole; own count indices condition": "top_k scatter compress",
    "axis whole; parts whole": "dft",
    "axes cut": "layer_norm rms_norm tensor_norm reverse reduce_sum reduce_mean reduce_max reduce_min reduce_prod"
    " reduce_l1 reduce_l2 reduce_sum_square reduce_log_sum_exp",
    "axis together; along scale bias mean variance zero_point": "batch_norm quantize dequantize",
    "axis together; axes cut; along scale bias": "instance_norm",
    "axis whole; axes cut; along scale bias": "group_norm",
    "axis together; along rhs_scale; own lhs_scale result_scale result_zero_point": "requantize",
    "low 0; high 0": "pad",
    "starts 0; limits end; steps 1; full": "slice",
    "repeats 1": "tile",
    "axes whole; own starts limits steps pads repeats": "dynamic_slice dynamic_pad dynamic_tile",
    "axes whole; own result": "shape_of",
    "letters DHW": "max_pool avg_pool global_max_pool global_avg_pool upsample unpool bilinear rotate mask_unpool",
    "letters DHW; own input_scale input_zero_point result_scale result_zero_point": "quant_avg_pool quant_global_avg_pool",
    "letters CDHW": "depth_to_space space_to_depth",
    "letters NDHW; fixed grid boxes batches": "grid_sample roi_align",
    "letters NCDHW; fixed offsets kernel bias mask": "deform_conv",
    "letters DHW; axes whole": "mirror",
    "letters NCDHW; demanded; own kernel bias data_zero_point kernel_zero_point data_scale kernel_scale result_scale"
    " result_zero_point": CONVOLUTIONS,
    "product": "matmul gemm matmul_integer quant_matmul quant_gemm",
    "gather": "gather",
    "broadcast": "broadcast",
    "heads": "attention rotary",
    "rigid": "opaque range rnn gru lstm",
}
RECURRENT = ("npu.rnn", "npu.gru", "npu.lstm")
LAW_OF = {f"npu.{kind}": law for law, kinds in LAWS.items() for kind in kinds.split()} | {"ends": "ends", "func.return": "rigid"}


class Refused(Exception):
    """A step that does not hold."""


def need(holds, *what):
    if not holds:
        raise Refused("".join(map(str, what)))


def size_of(entry):
    """A size; a list is a factor and the unknown sizes that it is multiplied by."""
    factor, *symbols = entry if type(entry) is list else [entry]
    need(type(factor) is int and factor >= 0, "expected a size, found ", entry)
    for symbol in symbols:
        factor *= SYMBOLS[symbol]
    return factor


def merged(digits):
    """A sequence of digits (of, inner, size); neighbours that continue each other are one."""
    found = []
    for of, inner, size in digits:
        if found and found[-1][0] == of and found[-1][1] == inner * size:
            inner, size = inner, found.pop()[2] * size
        found.append((of, inner, size))
    return tuple(found)


def within(inner, size, spans):
    """The parts of a digit that lie in spans (begin, end, of, step); None if one would be torn."""
    found, left, end = [], size, inner * size
    for begin, behind, of, step in spans:
        if begin % end == 0 or inner % behind == 0:
            continue
        low = inner if inner % begin == 0 else begin if begin % inner == 0 else 0
        high = end if behind % end == 0 else behind if end % behind == 0 else 0
        if not low or not high or high % low or left % (high // low):
            return None
        left //= high // low
        found.append((of, step * (low // begin), high // low))
    return found if left == 1 else None


class Value:
    """An operand or result: its axes as stored, each with its size and its digits of a storage."""

    def __init__(self, entry, storages, uses):
        self.name, link, axes = entry
        self.use = None if link == -1 else uses[link]
        self.storage = None if link == -1 else storages[self.use[0]]
        self.axes, self.sizes = [], []
        for axis in axes:
            listed = axis if self.storage and type(axis) is list else [axis]
            self.axes.append(list(map(self.storage.digit, listed)) if self.storage else [])
            self.sizes.append(1 if self.storage else size_of(axis))
            for _, _, size in self.axes[-1]:
                self.sizes[-1] *= size
        self.of_storage, self.of_axis = {}, {}
        for place, digits in enumerate(self.axes):
            behind = self.sizes[place]
            for of, inner, size in digits:
                behind //= size
                self.of_storage.setdefault(of, []).append((inner, inner * size, place, behind))
                self.of_axis.setdefault(place, []).append((behind, behind * size, of, inner))
        for spans in self.of_storage.values():
            spans.sort(reverse=True)
        self.known = {}

    def seen(self, layout):
        """A byte order as digits of the stored axes; None if it is none of the view. A whole axis is (axis, 0, 0)."""
        if layout not in self.known:
            found = []
            for of, inner, size in self.storage.orders[layout]:
                part = within(inner, size, self.of_storage.get(of, []))
                if part is None:
                    found = None
                    break
                found += part
            self.known[layout] = found and tuple(
                (place, 0, 0) if size == self.sizes[place] else (place, inner, size) for place, inner, size in merged(found)
            )
            if found == []:
                self.known[layout] = ()
        return self.known[layout]

    def stored(self, digits):
        """The layout of digits of the axes; None if they tear the view's, -1 if it is not in the certificate."""
        found = []
        for place, inner, size in digits:
            part = within(inner or 1, size or self.sizes[place], self.of_axis.get(place, []))
            if part is None:
                return None
            found += part
        return self.storage.numbers.get(merged(found), -1)

    @property
    def here(self):
        """The axes of more than one element."""
        return [place for place, size in enumerate(self.sizes) if size != 1]



class Op:
    """An op: its values, the names of their axes, and what its law says of these.

    Values whose orders depend on each other are a group. They have the axes of one sequence S, each those that it has,
    behind these the axes of its `tail`, in one of the templates.
    """

    def __init__(self, entry, listed, storages, most):
        self.entry, self.most, self.name = entry, most, f"{listed['name']} ({entry['kind']})"
        border, used = entry["operands"], {"reads": [], "writes": []}
        self.values = []
        for place, each in enumerate(entry["values"]):
            kind = "reads" if place < border else "writes"
            used[kind] += [each[1]] if each[1] != -1 else []
            self.values.append(Value(each, storages, listed[kind]))
        for kind, found in used.items():
            need(sorted(found) == [*range(len(listed[kind]))], self.name, ": a use of no value, or of two, in ", kind)
        self.listed = [place for place, value in enumerate(self.values) if value.storage]
        self.modes = [*zip(*(self.values[place].use[1] for place in self.listed))]
        self.attributes, self.stuck = entry.get("attributes", {}), {*entry.get("stuck", ())}
        self.demands, self.places = entry.get("demands", []), entry.get("places", {})
        self.is_cut = not self.demands and {*self.places.values()} <= {"last", "increasing"}
        self.is_cut &= not entry.get("conditional", False)
        self.free, self.order, self.stays, self.run, self.fixed = {}, None, False, (), []
        self.labels = [[*range(len(value.sizes))] for value in self.values]
        self.groups = [[place for place, value in enumerate(self.values) if {*value.sizes} - {1}]]
        self.templates = [[""] * len(self.values)]
        law = LAW_OF[entry["kind"]]
        getattr(self, f"_{law}" if law.isalpha() else "_alike")(law, border)
        self.here = [[self.labels[place][axis] for axis, size in enumerate(value.sizes) if size != 1]
                     for place, value in enumerate(self.values)]
        self.grouped = [(group, [place for place in group if self.values[place].storage]) for group in self.groups]
        self.rest = {place: self.values[place].stored([]) for place in self.listed}

    def _alone(self, places):
        """Values whose orders depend on no other value."""
        self.groups = [[place for place in group if place not in places] for group in self.groups]
        for place in places:
            self.groups.append([place])
            self.labels[place] = [(place, axis) for axis in range(len(self.values[place].sizes))]

    def _alike(self, law, border):
        first, second, last = self.values[0], self.values[min(1, len(self.values) - 1)], self.values[-1]
        clauses = {word: rest for word, *rest in map(str.split, law.split("; ")) if word} if law else {}
        self.free = dict.fromkeys(range(max(map(len, self.labels))), "cut")
        for word, rest in clauses.items():
            chosen, numbers = [p for p, value in enumerate(self.values) if value.name in rest], self.attributes.get(word)
            if word in ("own", "fixed"):
                self._alone(chosen)
                self.stuck |= {*chosen} if word == "fixed" else set()
            elif word == "along":
                for place in chosen:
                    self.labels[place] = [self.attributes.get("axis")] * len(self.labels[place])
            elif word == "letters":
                letters = enumerate(self.entry["letters"])
                self.free.update((axis, "whole" if letter in rest[0] else "together") for axis, letter in letters)
            elif word == "demanded":
                need(self.demands, self.name, ": no law without a demand")
            elif word == "covers":
                self.free.update((axis, "whole") for axis, size in enumerate(first.sizes)
                                 if size != second.sizes[axis] or size >= SYMBOLS[0])
            elif numbers is not None and rest[0] in ("cut", "together", "whole"):
                self.free.update(dict.fromkeys(numbers if type(numbers) is list else [numbers], rest[0]))
            elif numbers is not None:
                neutral = END if rest[0] == "end" else int(rest[0])
                self.free.update((axis, "whole") for axis, number in enumerate(numbers) if number != neutral
                                 and not ("starts" in clauses and first.sizes[axis] == last.sizes[axis] < SYMBOLS[0]))
        if self.entry["kind"].startswith(("npu.reduce_", "npu.arg_")) and "keep" not in self.attributes:
            named = self.attributes["axes"] if "axes" in self.attributes else [self.attributes["axis"]]
            self.labels[1] = [axis for axis in self.labels[0] if axis not in named]

    def _product(self, law, border):
        rank = len(self.values[-1].sizes)
        batch = [*range(rank - 2)]
        self.free = dict.fromkeys(batch, "cut") | dict.fromkeys("MNK", "together")
        flags = ["trans_a" in self.attributes, "trans_b" in self.attributes]
        tails = ["KM" if flags[0] else "MK", "NK" if flags[1] else "KN"]
        tails += ["MN" if len(value.sizes) == rank else "N" * len(value.sizes) for value in self.values[2:]]
        self.labels = [[*batch[: len(value.sizes) - len(tail)], *tail] for value, tail in zip(self.values, tails)]
        may_lhs, may_rhs, may_swap, may_order = self.entry["freedom"]
        may_swap &= "N" not in (tails[place] for place in self.groups[0])
        may_swap &= self.entry["kind"] in ("npu.matmul", "npu.gemm")
        self.fixed = [] if may_order else batch
        self.templates = []
        for lhs, rhs, result in product((0, 1), (0, 1), (0, 1)):
            read = flags[0] ^ lhs, flags[1] ^ rhs
            read = (not read[1], not read[0]) if result else read
            if (may_swap or not result) and (may_lhs or read[0] == flags[0]) and (may_rhs or read[1] == flags[1]):
                turns = [lhs, rhs, *[result] * (len(tails) - 2)]
                self.templates.append([tail[::-1] if turn else tail for tail, turn in zip(tails, turns)])

    def _gather(self, law, border):
        axis, rank = self.attributes["axis"], len(self.values[0].sizes)
        picks = [f"J{each}" for each in range(len(self.values[1].sizes))]
        self.free = dict.fromkeys([*range(rank), *picks], "cut") | {axis: "whole"}
        self.labels = [[*range(rank)], picks, [*range(axis), *picks, *range(axis + 1, rank)]]
        self.order, self.run = [*range(axis + 1), *picks, *range(axis + 1, rank)], (axis, *picks)
        self.stays = True

    def _broadcast(self, law, border):
        self.free = dict.fromkeys(self.labels[1], "cut")
        self.labels[0] = self.attributes["axes"]
        if self.places:
            self.stays = True
        else:
            self.groups = [[0], [1]]

    def _heads(self, law, border):
        names = {"query": "BHSD", "key": "BGTD", "value": "BGTE", "result": "BHSE", "input": "BHSD"}
        turned = "rows_first" in self.attributes
        tails = [names.get(value.name) or tuple((place, axis) for axis in range(len(value.sizes)))
                 for place, value in enumerate(self.values)]
        both = [[tail[0] + tail[2] + tail[1] + tail[3] if turn and type(tail) is str else tail for tail in tails]
                for turn in (False, True)]
        self.labels = [[*tail] for tail in both[turned]]
        self.templates = [tails for turn, tails in enumerate(both) if self.places.get("heads", 1 + turn) == 1 + turn]
        self.places = {}

    def _rigid(self, law, border):
        names = {"input": "TBX", "lengths": "B", "initial_hidden": "DBH", "initial_cell": "DBH"}
        names |= {"output": "TDBH", "hidden": "DBH", "cell": "DBH"}
        self.labels = [[*names[value.name]] if value.name in names and self.entry["kind"] in RECURRENT
                       else [(place, axis) for axis in range(len(value.sizes))] for place, value in enumerate(self.values)]
        self.free, self.templates = {"B": "together"}, [self.labels]

    def _ends(self, law, border):
        self.labels = self.entry["dims"]
        self.free = {}

    # Forms.

    def _sequence(self, place, layout):
        """A layout as digits of named axes; None if it is no order of these."""
        seen = self.values[place].seen(layout)
        return None if seen is None else tuple((self.labels[place][axis], *digit) for axis, *digit in seen)

    def _present(self, group, listed):
        """The names of the axes of a group, in the order in which the program has them."""
        widest = max(group, key=lambda place: len(self.labels[place]))
        order = self.order or [*self.labels[widest], *(label for place in group for label in self.labels[place])]
        return [label for label in dict.fromkeys(order) if any(label in self.here[place] for place in listed)]

    def _mode(self, group, sequence, tails, inner):
        """The layouts of a group's values in a form; None if it is none, -1 for one that is not in the certificate."""
        runs = [label for place, (label, *_) in enumerate(sequence) if not place or sequence[place - 1][0] != label]
        digits = {label: [*each] for label, each in inner.items()}
        for digit in sequence:
            digits.setdefault(digit[0], []).append(digit)
        for label, own in digits.items():
            free = self.free.get(label, "whole")
            is_static = all(inner * size < SYMBOLS[0] for _, inner, size in own)
            if own != [(label, 0, 0)] and not (self.is_cut and free != "whole" and is_static):
                return None
            if free != "cut" and runs.count(label) > 1:
                return None
        rank = max(len(self.labels[place]) for place in group[0])
        own = [place for place, label in enumerate(runs) if label in self.run]
        is_torn = own and (own[-1] - own[0] >= len(own) or self.run[0] in runs[own[0] + 1 :][: len(own) - 1])
        if is_torn or (len(runs) > len({*runs}) and len(runs) - len({*runs}) + rank > self.most):
            return None
        if not self._are_in_place(runs, rank):
            return None
        found = []
        for place in group[0]:
            labels, here = self.labels[place], self.here[place]
            own = [digit for digit in sequence if digit[0] in here]
            own += [digit for label in tails[place] if label in here for digit in digits.get(label, [(label, 0, 0)])]
            as_came = [(label, 0, 0) for label in here]
            batch = [digit for digit in own if digit[0] in self.fixed]
            if batch != [digit for digit in as_came if digit[0] in self.fixed]:
                return None
            if (len(labels) > MOST_AXES or place in self.stuck) and own != as_came:
                return None
            if place in group[1]:
                found.append(self.values[place].stored([(labels.index(label), *digit) for label, *digit in own]))
        return None if None in found else tuple(found)

    def _are_in_place(self, runs, rank):
        """True if the axes that attributes name are where the target wants them; those of one element may be anywhere."""
        for name, wanted in self.places.items():
            named = self.attributes.get(name, [])
            named = named if type(named) is list else [named]
            at = [place for place, label in enumerate(runs) if label in named]
            if wanted == "last" and at and at[0] != len(runs) - len(at):
                return False
            if wanted not in ("last", "increasing"):
                need(type(wanted) is int, self.name, ": unknown place ", wanted)
                if at and not at[0] <= wanted <= at[0] + rank - len(runs):
                    return False
        return True

    def _inserted(self, group, sequence, missing, stays):
        """The sequences with further digits: anywhere, or where they are in the program."""
        if not missing:
            return [sequence]
        if not stays:
            places = range(len(sequence) + 1)
            longer = {(*sequence[:place], missing[0], *sequence[place:]) for place in places}
            return {each for one in longer for each in self._inserted(group, one, missing[1:], False)}
        known = [label for label, *_ in sequence]
        if self.run and self.run[0] in known:
            at = known.index(self.run[0]) + 1
            return [(*sequence[:at], *missing, *sequence[at:])]
        if self.run and {*known} & {*self.run} and [digit[0] for digit in missing] == [self.run[0]]:
            at = min(known.index(label) for label in self.run if label in known)
            return [(*sequence[:at], *missing, *sequence[at:])]
        if len({*known}) != len(known):
            return []
        rest, wanted = iter(sequence), {*known, *(label for label, *_ in missing)}
        present = self._present(*group)
        return [tuple(next(rest) if label in known else (label, 0, 0) for label in present if label in wanted)]

    def _with(self, group, place, layout, others, stays):
        """The modes of a group in which a value has a layout; `others` has digits of further axes."""
        sequence = self._sequence(place, layout)
        for tails in self.templates if sequence is not None else ():
            tailed = {label for tail in tails for label in tail}
            head = [digit for digit in sequence if digit[0] not in tailed]
            inner = {label: digits for label, digits in others.items() if label in tailed}
            behind = sequence[len(head) :]
            for digit in behind:
                inner[digit[0]] = [each for each in behind if each[0] == digit[0]]
            ordered = [digit for label in tails[place] if label in self.here[place] for digit in inner.get(label, ())]
            if [*sequence] != head + ordered:
                continue
            known = {label for label, *_ in sequence}
            lacked = [label for label in self._present(*group) if label not in known | tailed]
            missing = [digit for label in lacked for digit in others.get(label, [(label, 0, 0)])]
            for each in self._inserted(group, tuple(head), missing, stays):
                mode = self._mode(group, each, tails, inner)
                if mode is not None:
                    yield mode

    def _as_it_came(self, listed):
        """The layouts of some values in the program."""
        axes = ((place, [axis for axis, size in enumerate(self.values[place].sizes) if size != 1]) for place in listed)
        return tuple(self.values[place].stored([(axis, 0, 0) for axis in own]) for place, own in axes)

    def _demanded(self, group, demands):
        """The modes of a group in which demands on its values are met; None without any."""
        named = [(place, each) for place, each in enumerate(demands) if each is not None and place in group[0]]
        if not named:
            return None
        need(len(self.templates) == 1 and not any(self.templates[0]), self.name, ": no law of demands on it")
        (place, wanted), *_ = named
        order = [self.labels[place][axis] for axis in wanted]
        if any([self.labels[other][axis] for axis in each] != order for other, each in named):
            return set()
        present = self._present(*group)
        mode = self._mode(group, tuple((label, 0, 0) for label in order if label in present), self.templates[0], {})
        return set() if mode is None else {mode}

    def _closed(self, group):
        """The modes of a group that follow from the byte orders in which its values are written or read anywhere."""
        present, found = self._as_it_came(group[1]), set()
        for index, place in enumerate(group[1]):
            for layout in self.values[place].storage.known:
                if layout != present[index]:
                    found.update(self._with(group, place, layout, {}, self.stays))
        return found | {present} if self._is_allowed(group, present) else found

    def _is_allowed(self, group, mode):
        """True if layouts of a group's values are a form by the law."""
        if not mode or -1 in mode or None in mode:
            return not mode
        at, others = max(range(len(mode)), key=lambda each: len(self.here[group[1][each]])), {}
        for each, layout in zip(group[1], mode):
            own = {}
            for digit in self._sequence(each, layout) or ():
                own.setdefault(digit[0], []).append(digit)
            others = {**own, **others}
        return mode in self._with(group, group[1][at], mode[at], others, False)

    def check(self):
        """Check that the modes are forms by the law, and that no form that follows is left out."""
        groups, came = [group for group in self.grouped if group[1]], self._as_it_came(self.listed)
        wanted, allowed = set(), set()
        modes = {tuple(each) for each in self.modes if list not in map(type, each)}
        for demands in self.demands or [()]:
            stated = [self._demanded(group, demands) for group in groups]
            sets = [self._closed(group) if each is None else each for each, group in zip(stated, groups)]
            parts = [self._as_it_came(group[1]) for group in groups]
            base = [part if part in each else min(each, default=None) for part, each in zip(parts, sets)]
            for one, other in ([(0, 0)] if len(groups) == 1 else combinations(range(len(groups)), 2)) if groups else ():
                for mine, its in product(sets[one], sets[other]):
                    each = {**dict(enumerate(base)), other: its, one: mine}
                    if None not in each.values():
                        wanted.add(self._joined(groups, each))
            for mode in modes - allowed:
                at = dict(zip(self.listed, mode))
                parts = [tuple(at[place] for place in group[1]) for group in groups]
                if all(self._is_allowed(group, part) if each is None else part in each
                       for group, part, each in zip(groups, parts, stated)):
                    allowed.add(mode)
        wanted = {mode for mode in wanted if all(self._is_pinned(*each) for each in zip(self.listed, mode))}
        if not wanted and not allowed:
            allowed = {came}
        for mode in modes - allowed:
            need(False, self.name, ": no form is ", self._text(mode))
        for mode in sorted(wanted - modes):
            need(False, self.name, ": a form is left out: ", self._text(mode))
        for pair in self.modes:
            both = {*zip(*(each if type(each) is list else (each, each) for each in pair))}
            need(both <= modes, self.name, ": a pair of modes of which one is none")

    def _joined(self, groups, parts):
        """The layouts of all listed values, from those of each group."""
        at = {place: layout for number, group in enumerate(groups) for place, layout in zip(group[1], parts[number])}
        return tuple(at.get(place, self.rest[place]) for place in self.listed)

    def _is_pinned(self, place, layout):
        """True if a value is not written against a pin."""
        return place < self.entry["operands"] or self.values[place].storage.pin in (None, layout)

    def _text(self, mode):
        """A mode in words."""
        values = ((self.values[place], layout) for place, layout in zip(self.listed, mode))
        return ", ".join(f"{value.storage.name} in {value.storage.words(layout)}" for value, layout in values)


class Storage:
    """A storage: the sizes of its axes, and its byte orders by the numbers of their layouts."""

    def __init__(self, entry, listed):
        self.name, self.sizes = listed["name"], [*map(size_of, entry["sizes"])]
        self.orders = {int(layout): tuple(map(self.digit, digits)) for layout, digits in entry["orders"].items()}
        self.numbers = {digits: layout for layout, digits in self.orders.items()}
        need(len(self.numbers) == len(self.orders), self.name, ": two layouts of the same digits")
        for digits in self.orders.values():
            need(merged(digits) == digits, self.name, ": neighbours that continue each other are two digits")
        self.known = {listed["given"]} if "given" in listed else set()
        pin = tuple(map(self.digit, entry["pin"])) if "pin" in entry else None
        self.pin = None if pin is None else self.numbers.get(pin, -1)

    def digit(self, entry):
        """A digit: an axis, or its axis, inner and size."""
        axis, inner, size = entry if type(entry) is list else (entry, 1, self.sizes[entry])
        return axis, size_of(inner), size_of(size)

    def words(self, layout):
        """A byte order in words."""
        return "a byte order that nothing else has" if layout == -1 else self.orders[layout]


def verdict_of(data):
    """The exit code and the verdict on the content of a file."""
    try:
        content = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
        problem, forms = content["problem"], content["forms"]
        need(forms["format"] == "npu-opt forms 1", "unknown format")
        need(forms["complete"], "a limit of the search left modes out")
        need(len(forms["ops"]) == len(problem["ops"]), "forms: expected an entry for each op")
        need(len(forms["storages"]) == len(problem["storages"]), "forms: expected an entry for each storage")
        storages = [Storage(*each) for each in zip(forms["storages"], problem["storages"])]
        for op in problem["ops"]:
            for number, modes in (*op["reads"], *op["writes"]):
                storages[number].known.update(*([each] if type(each) is int else each for each in modes))
        for storage in storages:
            need(storage.known <= {*storage.orders}, storage.name, ": a layout without digits")
        believed = Counter()
        for entry, listed in zip(forms["ops"], problem["ops"]):
            if entry["kind"] not in LAW_OF or entry.get("blocks"):
                believed[entry["kind"]] += 1
            else:
                Op(entry, listed, storages, forms["axes"]).check()
    except Refused as error:
        return 1, f"refused: {error}"
    except (ValueError, KeyError, TypeError, IndexError, OSError, EOFError, RecursionError) as error:
        return 1, f"refused: not a certificate with forms: {type(error).__name__}: {error}"
    names = ", ".join(f"{kind} ({count} ops)" for kind, count in sorted(believed.items())) or "no kind of op"
    known = len(problem["ops"]) - believed.total()
    return 0, f"accepted: no form of {known} ops is left out; believed: {names}"


def main(arguments):
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        print(__doc__, file=sys.stderr if len(arguments) != 1 else sys.stdout)
        return int(len(arguments) != 1)
    try:
        with open(arguments[0], "rb") as file:
            data = file.read()
    except OSError as error:
        print(f"check_forms: error: cannot read '{arguments[0]}': {error.strerror}", file=sys.stderr)
        return 1
    code, verdict = verdict_of(data)
    print(verdict)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
