"""Checks the certificate of a minimum: that no choice costs less than the plan. It needs Python alone.

    python check_minimum.py model.cert.json

THE PROBLEM. An op runs in one of its modes. A mode reads storages in some layouts, writes others in some layouts, and
has a price. A storage has one writer, an op or the input of the program in a fixed layout (`given`), and readers. To
read a storage in layout w that was written in layout g costs p(g, w), once for each layout w, however many readers want
it. Prices are whole numbers, not negative; p(w, w) is 0, and null means that nothing converts g to w. An op that runs
twice writes a storage in two layouts, or reads it in two; then each w is converted from the cheapest g. So a choice of
one mode for each op costs

    sum of the prices of its modes + sum over storages, over the set of layouts w that are read, of min over g of p(g, w)

THE CLAIM. The plan is a choice, it costs `cost`, and no choice costs less than `bound`.

THE PROOF. A term (r, W, G, u) of a storage says: if reader r reads a layout of W, and no layout of G is written, at
least u is paid for the storage. A list of terms is sound if for each layout g in which the storage may be written, and
each w in which it may be read, the sum of u over the terms with w in W and g not in G is at most p(g, w).

  Lemma. Sound terms bound the cost of the storage in every choice:
      cost >= sum over terms of u * ([r reads a layout of W] - [a layout of G is written]).
  Proof. A term counts more than 0 only if its reader reads a layout of W and no layout of G is written. Ascribe each
  such term to one layout w of W that its reader reads. Those ascribed to w have w in W, and g not in G for every g that
  is written, so their sum is at most p(g, w) for each of these g: at most the price that is paid for w. The layouts w
  are different, so the prices of all of them are paid. The other terms count 0 or less.

  Theorem. The bracket of a term is a sum over ops: what the mode of r reads, less what the mode of the writer writes.
  So with sound terms for some storages, every choice costs for them, and for the modes of the ops around them, at least
      sum over ops of the least, over the op's modes, of its price + u for each term whose W it reads as the reader r
                                                                  - u for each term whose G it writes
      - u for each term of a given storage whose layout is in G.
  If only some modes of an op are open, the least over these bounds all choices among them.

  Tree. A node may branch: children with fewer open modes of one op, which together cover its open modes. It may close
  modes first: that is a child with these modes alone, which the terms of the node bound. The least bound of all leaves
  holds for every choice.

  Rounding. The least price of each op is paid in any case. The rest of a cost is a sum of conversion prices and of
  differences of prices, so it is a multiple of what divides all of these, and a bound may be rounded up to the next one.

  Parts. If every op with several modes has all of its storages in one part, what the parts cost is chosen
  independently, and their bounds add up.

BELIEVED. That the problem is that of the program: that its ops have these forms, that a form computes the same as the
op, and that a conversion costs what the problem says.

The last line is `accepted: minimum N ...`, and the exit code is 0; or `refused: ` with the first step that does not
hold, and 1; or `undecided: ` if all steps hold, and the bound is less than the cost, and 2.
"""

import gzip
import json
import sys
from math import gcd, inf


class Refused(Exception):
    """A step that does not hold."""


def need(holds, *what):
    if not holds:
        raise Refused("".join(map(str, what)))


def whole(value, least, below, *what):
    """A whole number from `least` on and below a limit. JSON's true, 1.0 and negative numbers are none."""
    need(type(value) is int and least <= value < below, *what, ": expected a whole number, found ", value)
    return value


def many(value, *what):
    need(type(value) is list, *what, ": expected a list")
    return value


def text(value, *what):
    need(type(value) is str, *what, ": expected a text")
    return value


def layouts_of(used, layouts, *what):
    """What an op uses in a mode: one layout, or several in a list."""
    each = used if type(used) is list else [used]
    need(each, *what, ": no layout")
    return frozenset(whole(layout, 0, layouts, *what) for layout in each)


class Storage:
    """A storage: the writer (an op, and the layouts of its modes), the readers, and the prices of conversions."""

    def __init__(self, entry, number, layouts, tables):
        self.name = f"storage {number} ({text(entry['name'], 'name of storage ', number)})"
        self.given = None if "given" not in entry else layouts_of(entry["given"], layouts, self.name)
        self.writer = None
        self.readers = []
        conversion, self.table = entry["conversion"], None
        if type(conversion) is dict:
            self.table = tables[whole(conversion["table"], 0, len(tables), self.name, ", table")]
            self.step = gcd(*(price for price in self.table.values() if price is not None))
        else:
            self.step = self.each = whole(conversion, 0, inf, self.name, ", price")

    def price(self, given, wanted):
        """The price of a conversion; infinite if there is none."""
        if given == wanted:
            return 0
        if self.table is None:
            return self.each
        need((given, wanted) in self.table, self.name, ": no price from layout ", given, " to ", wanted)
        price = self.table[given, wanted]
        return inf if price is None else price

    def possible(self):
        """The layouts in which it may be written, and in which it may be read."""
        written = self.given if self.writer is None else frozenset().union(*self.writer[1])
        return written, frozenset().union(*(each for _, modes in self.readers for each in modes))

    def cost(self, modes):
        """The cost of its conversions in a choice."""
        written = self.given if self.writer is None else self.writer[1][modes[self.writer[0]]]
        wanted = frozenset().union(*(each[modes[op]] for op, each in self.readers))
        return sum(min(self.price(given, each) for given in written) for each in wanted)


class Problem:
    """All ops and storages."""

    def __init__(self, content):
        need(content["format"] == "npu-opt problem 1", "problem: unknown format")
        layouts = len(many(content["layouts"], "layouts"))
        tables = [self._table(each, layouts) for each in many(content["tables"], "tables")]
        listed = many(content["storages"], "storages")
        self.storages = [Storage(each, number, layouts, tables) for number, each in enumerate(listed)]
        self.names, self.prices, self.uses = [], [], []
        for number, entry in enumerate(many(content["ops"], "ops")):
            self._add(entry, f"op {number} ({text(entry['name'], 'name of op ', number)})", layouts)
        for each in self.storages:
            need((each.given is None) != (each.writer is None), each.name, ": expected one writer, or a given layout")
            need(each.given is None or len(each.given) == 1, each.name, ": expected one given layout")
        self.least = [min(prices) for prices in self.prices]

    @staticmethod
    def _table(entry, layouts):
        """The price from each layout to each."""
        rows = [layouts_of([each], layouts, "table") for each in many(entry["from"], "table")]
        columns = [layouts_of([each], layouts, "table") for each in many(entry["to"], "table")]
        need(len(many(entry["prices"], "table")) == len(rows) == len({*rows}), "table: expected a row for each layout")
        found = {}
        for (given,), prices in zip(rows, entry["prices"], strict=True):
            need(
                len(many(prices, "table")) == len(columns) == len({*columns}), "table: expected a price for each layout"
            )
            for (wanted,), price in zip(columns, prices, strict=True):
                known = None if price is None else whole(price, 0, inf, "price of a table")
                need(given != wanted or known == 0, "table: a layout is converted to itself at a price")
                found[given, wanted] = known
        return found

    def _add(self, entry, name, layouts):
        """Add an op, and note it as writer and reader of its storages."""
        number, found = len(self.names), []
        for kind in ("reads", "writes"):
            for use in many(entry[kind], name):
                need(len(many(use, name)) == 2, name, ": expected a storage and its layouts")
                storage = self.storages[whole(use[0], 0, len(self.storages), name, ", storage")]
                modes = [layouts_of(each, layouts, name) for each in many(use[1], name)]
                found.append((use[0], modes))
                if kind == "reads":
                    storage.readers.append((number, modes))
                else:
                    need(storage.writer is None, storage.name, ": a second writer, ", name)
                    storage.writer = number, modes
        counts = {len(modes) for _, modes in found}
        prices = entry.get("prices", [0] * max(counts, default=1))
        counts.add(len(many(prices, name, ", prices")))
        need(len(counts) == 1 and 0 not in counts, name, ": expected as many layouts as modes")
        self.names.append(name)
        self.prices.append([whole(price, 0, inf, name, ", price") for price in prices])
        self.uses.append({storage for storage, _ in found})

    def cost(self, modes):
        """The cost of a choice."""
        paid = sum(prices[mode] for prices, mode in zip(self.prices, modes, strict=True))
        return paid + sum(each.cost(modes) for each in self.storages)


class Part:
    """Some storages, with the ops around them."""

    def __init__(self, problem, number, entry, unit):
        self.name, self.problem, self.unit = f"part {number}", problem, unit
        count = len(problem.storages)
        self.storages = {whole(each, 0, count, self.name, ", storage") for each in many(entry["storages"], self.name)}
        self.ops = set()
        for each in map(problem.storages.__getitem__, self.storages):
            self.ops.update(op for op, _ in [*each.readers, *([each.writer] if each.writer else [])])
        for op in self.ops:
            apart = len(problem.prices[op]) > 1 and not problem.uses[op] <= self.storages
            need(not apart, self.name, ": ", problem.names[op], " has storages in other parts, too")
        steps = [problem.storages[each].step for each in self.storages]
        own = (price - problem.least[op] for op in self.ops for price in problem.prices[op])
        self.step = gcd(*steps, *own) or 1
        self.nodes = many(entry["nodes"], self.name)

    def bound(self):
        """The least bound of all leaves."""
        least, seen = inf, set()
        stack = [(0, {op: frozenset(range(len(self.problem.prices[op]))) for op in self.ops})]
        while stack:
            place, is_open = stack.pop()
            name = f"{self.name}, node {place}"
            need(place not in seen, name, ": has two parents")
            seen.add(place)
            node = self.nodes[place]
            if "closed" in node or "children" not in node:
                values, paid = self._values(node, name)
                now = {op: min((values[op][mode] for mode in modes), default=inf) for op, modes in is_open.items()}
                total = paid + sum(now.values())
            if "children" not in node:
                least = min(least, self._rounded(total))
                continue
            for entry in many(node.get("closed", []), name):
                op, modes = self._modes(entry, name)
                left = min((values[op][mode] for mode in modes & is_open[op]), default=inf)
                least = min(least, self._rounded(total - now[op] + left))
                is_open = {**is_open, op: is_open[op] - modes}
                # What follows is bounded for all modes that were open before, which is weaker, and true.
            cover = [self._modes([node["op"], each], name) for each in many(node["cover"], name)]
            covered = frozenset().union(*(modes for _, modes in cover))
            op = whole(node["op"], 0, inf, name, ", op")
            need(is_open[op] <= covered, name, ": a mode of ", self.problem.names[op], " is in no child")
            need(len(many(node["children"], name)) == len(cover), name, ": expected a child for each set of modes")
            for child, (_, modes) in zip(node["children"], cover, strict=True):
                whole(child, place + 1, len(self.nodes), name, ", child")
                stack.append((child, {**is_open, op: is_open[op] & modes}))
        return least

    def _rounded(self, total):
        """A bound in whole numbers, rounded up to what a choice can cost."""
        return total if total == inf else -(-total // (self.unit * self.step)) * self.step

    def _modes(self, entry, name):
        """An op and some of its modes."""
        need(len(many(entry, name)) == 2, name, ": expected an op and its modes")
        op = whole(entry[0], 0, len(self.problem.names), name, ", op")
        need(op in self.ops, name, ": ", self.problem.names[op], " is in another part")
        count = len(self.problem.prices[op])
        return op, frozenset(whole(mode, 0, count, name, ", mode") for mode in many(entry[1], name))

    def _values(self, node, name):
        """What each mode of each op adds to the bound by the terms of a node, and what given storages take off."""
        problem, paid, of_storage = self.problem, 0, {}
        values = {op: [(p - problem.least[op]) * self.unit for p in problem.prices[op]] for op in self.ops}
        for term in many(node["terms"], name):
            need(len(many(term, name)) == 5, name, ": expected a term of five parts")
            number = whole(term[0], 0, len(problem.storages), name, ", storage of a term")
            storage = problem.storages[number]
            need(number in self.storages, name, ": ", storage.name, " is in another part")
            op, modes = storage.readers[whole(term[1], 0, len(storage.readers), name, ", reader of a term")]
            wanted, saved_by = frozenset(many(term[2], name)), frozenset(many(term[3], name))
            amount = whole(term[4], 0, inf, name, ", amount of a term")
            of_storage.setdefault(number, []).append((wanted, saved_by, amount))
            for mode, used in enumerate(modes):
                values[op][mode] += amount if used & wanted else 0
            if storage.writer is None:
                paid -= amount if storage.given & saved_by else 0
                continue
            writer, modes = storage.writer
            for mode, used in enumerate(modes):
                values[writer][mode] -= amount if used & saved_by else 0
        for number, terms in of_storage.items():
            self._check_sound(problem.storages[number], terms, name)
        return values, paid

    def _check_sound(self, storage, terms, name):
        """Check that terms are paid by no more than each conversion costs."""
        written, read = storage.possible()
        for wanted in read.intersection(*[frozenset().union(*(term[0] for term in terms))]):
            own = [(saved_by, amount) for layouts, saved_by, amount in terms if wanted in layouts]
            total, saved = sum(amount for _, amount in own), dict.fromkeys(written, 0)
            for given, amount in ((given, amount) for saved_by, amount in own for given in saved_by & written):
                saved[given] += amount
            for given in written:
                holds = total - saved[given] <= storage.price(given, wanted) * self.unit
                need(holds, name, ": ", storage.name, ", layouts ", given, " to ", wanted, ": terms exceed the price")


def verdict_of(data):
    """The exit code and the verdict on the content of a file."""
    try:
        content = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
        need(content["format"] == "npu-opt certificate 1", "unknown format")
        problem, plan, proof = Problem(content["problem"]), content["plan"], content["proof"]
        need(len(many(plan["modes"], "plan")) == len(problem.names), "plan: expected a mode for each op")
        for name, prices, mode in zip(problem.names, problem.prices, plan["modes"], strict=True):
            whole(mode, 0, len(prices), "plan, mode of ", name)
        cost = problem.cost(plan["modes"])
        need(cost == whole(plan["cost"], 0, inf, "cost"), "plan: it costs ", cost, ", not ", plan["cost"])
        unit = whole(proof["denominator"], 1, inf, "denominator")
        parts = [Part(problem, *each, unit) for each in enumerate(many(proof["parts"], "parts"))]
        listed = sorted(each for part in parts for each in part.storages)
        need(listed == [*range(len(problem.storages))], "parts: expected each storage in one part")
        bound = sum(problem.least) + sum(part.bound() for part in parts)
        claimed = whole(proof["bound"], 0, inf, "bound")
        need(claimed <= bound, "the proof gives the bound ", bound, ", not ", claimed)
    except Refused as error:
        return 1, f"refused: {error}"
    except (ValueError, KeyError, TypeError, IndexError, OSError, EOFError, RecursionError) as error:
        return 1, f"refused: not a certificate: {type(error).__name__}: {error}"
    size = f"{len(problem.names)} ops, {len(problem.storages)} storages, {sum(len(part.nodes) for part in parts)} nodes"
    believed = "believed: the forms of the ops, and the prices of conversions"
    if claimed < cost:
        return 2, f"undecided: a plan of cost {cost}, and no choice costs less than {claimed} ({size}); {believed}"
    return 0, f"accepted: minimum {cost} ({size}); {believed}"


def main(arguments):
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        print(__doc__, file=sys.stderr if len(arguments) != 1 else sys.stdout)
        return int(len(arguments) != 1)
    try:
        with open(arguments[0], "rb") as file:
            data = file.read()
    except OSError as error:
        print(f"check_minimum: error: cannot read '{arguments[0]}': {error.strerror}", file=sys.stderr)
        return 1
    code, verdict = verdict_of(data)
    print(verdict)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
