"""Checks the certificate of a minimum: that no choice costs less than the plan. It needs Python alone.

    python check_minimum.py model.cert.json

THE PROBLEM. An op runs in one of its modes. A mode reads storages in some layouts, writes others in some layouts, and
has a price. A storage has one writer and some readers; an input of the program has a writer with one mode, which writes
`given`. To read a storage in layout w that was written in layout g costs p(g, w), once for each w, however many readers
want it. Prices are whole numbers, not negative; p(w, w) is 0, and null or none that nothing converts g to w. An op that
runs twice reads and writes two layouts of a storage; each w is converted from the cheapest g. A joint price of a pool
is for some modes of some ops: a choice pays the dearest of each pool. So a choice of one mode for each op costs
    `sure` + the prices of its modes + for each pool, the largest price of which it has all modes
    + for each storage, the sum over the set of layouts w that are read of min over g of p(g, w)

THE CLAIM. The plan is a choice. It costs `cost`, with `more` beside the problem, and no choice costs less than `bound`.

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
                                                                  - u for each term whose G it writes.
  If only some modes of an op are open, the least over these bounds all choices among them.
  Tree. A node may branch: children with fewer open modes of one op, which together cover its open modes. It may close
  modes first: that is a child with these modes alone, which the terms of the node bound. The least bound of all leaves
  holds for every choice. Every choice pays a joint price that has all open modes of its ops: a node adds one of a pool.
  Rounding. The least price of each op is paid in any case. The rest of a cost is a sum of prices of conversions, joint
  prices and differences of prices: a multiple of what divides all of these. A bound may be rounded up to such a one.
  Parts. If every op with several modes has all of its storages in one part, what the parts cost is chosen
  independently, and their bounds add up. With joint prices there is one part.

BELIEVED. That the problem is that of the program: that its ops have these forms, that a form computes the same as the
op, and that a conversion costs what the problem says; that `sure` and joint prices are paid, whatever the groups.

The last line is `accepted: minimum N` (exit code 0), `refused: ` with the first step that fails (1), or `undecided: `
with a bound that is less than the cost (2).
"""

import gzip
import json
import sys
from math import gcd, inf
from pathlib import Path
from typing import Any, TypeAlias

Layouts: TypeAlias = frozenset[int]
Access: TypeAlias = tuple[int, list[Layouts]]  # An op, and what it uses in each of its modes.
Cost: TypeAlias = int | float  # A whole number, or infinity.
Table: TypeAlias = dict[tuple[int, int], Cost]
Joint: TypeAlias = tuple[int, dict[int, frozenset[int]]]  # A price, and the modes of some ops that pay it.


class Refused(Exception):
    """A step that does not hold."""


def need(holds: bool, *what: object) -> None:
    if not holds:
        raise Refused("".join(map(str, what)))


def whole(value: Any, least: int, below: Cost, *what: object) -> int:
    """A whole number from `least` on and below a limit. JSON's true, 1.0 and negative numbers are none."""
    need(type(value) is int and least <= value < below, *what, ": expected a whole number in range, found ", value)
    return value


def numbers(value: Any, below: int, *what: object) -> frozenset[int]:
    return frozenset(whole(each, 0, below, *what) for each in value)


class StatedStorage:
    """A storage: the prices of its conversions, the writer (an op and its layouts in each mode), and the readers."""

    def __init__(self, entry: Any, number: int, tables: list[Table]) -> None:
        self.name = f"storage {number} ({entry['name']})"
        self.writer: Access = 0, []
        self.readers, self.table = list[Access](), Table()
        if isinstance(entry["conversion"], dict):
            self.table = tables[whole(entry["conversion"]["table"], 0, len(tables), self.name, ", table")]
        prices = (price for price in self.table.values() if isinstance(price, int))
        self.step = gcd(*prices) if self.table else whole(entry["conversion"], 0, inf, self.name, ", price")

    def price(self, given: int, wanted: int) -> Cost:
        """The price of a conversion; infinite if there is none."""
        known = self.table.get((given, wanted), inf) if self.table else self.step
        return 0 if given == wanted else known

    def cost(self, choice: list[int]) -> Cost:
        """The cost of its conversions."""
        op, modes = self.writer
        wanted = Layouts().union(*(each[choice[reader]] for reader, each in self.readers))
        return sum(min(self.price(given, each) for given in modes[choice[op]]) for each in wanted)


class StatedProblem:
    """All storages, and of each op its prices and storages. A free op with one mode writes what is given."""

    def __init__(self, content: Any) -> None:
        need(content["format"] == "npu-opt problem 1", "problem: unknown format")
        self.layouts = len(content["layouts"])
        tables = [self.table(each) for each in content["tables"]]
        self.storages = [StatedStorage(each, number, tables) for number, each in enumerate(content["storages"])]
        self.names, self.prices, self.uses = list[str](), list[list[int]](), list[set[int]]()
        for number, entry in enumerate(content["ops"]):
            self.add(entry, f"op {number} ({entry['name']})")
        for number, storage in enumerate(self.storages):
            if "given" in (entry := content["storages"][number]):
                self.add({"reads": [], "writes": [[number, [[entry["given"]]]]]}, f"input {storage.name}")
            need(bool(storage.writer[1]), storage.name, ": expected a writer, or a given layout")
        self.least = [*map(min, self.prices)]
        self.sure = whole(content.get("sure", 0), 0, inf, "sure")
        self.pools = [[*map(self.joint, pool["prices"])] for pool in content.get("joint", ())]

    def joint(self, entry: Any) -> Joint:
        """A joint price, and the modes of some ops that pay it."""
        (price, chosen), name, ops = entry, "joint price", len(self.names)
        paid = {op: numbers(modes, len(self.prices[whole(op, 0, ops, name)]), name) for op, modes in chosen}
        return whole(price, 0, inf, name), paid

    def cost(self, choice: list[int]) -> Cost:
        """The cost of a choice."""
        cost = self.sure + sum(prices[mode] for prices, mode in zip(self.prices, choice, strict=True))
        for pool in self.pools:
            cost += max([0, *(price for price, of in pool if all(choice[op] in modes for op, modes in of.items()))])
        return cost + sum(each.cost(choice) for each in self.storages)

    def table(self, entry: Any) -> Table:
        """The price from each layout to each."""
        found: Table = {}
        numbers([*entry["from"], *entry["to"]], self.layouts, "table")
        for given, prices in zip(entry["from"], entry["prices"], strict=True):
            for wanted, price in zip(entry["to"], prices, strict=True):
                need((given, wanted) not in found, "table: a layout is in it twice")
                found[given, wanted] = inf if price is None else whole(price, 0, inf, "price of a table")
                need(given != wanted or price == 0, "table: a layout is converted to itself at a price")
        return found

    def add(self, entry: Any, name: str) -> None:
        """Add an op, and note it as writer and reader of its storages."""
        number, uses = len(self.names), list[tuple[int, list[Layouts]]]()
        for kind in ("reads", "writes"):
            for place, used in entry[kind]:
                storage = self.storages[whole(place, 0, len(self.storages), name)]
                # A mode uses one layout, or two in a list.
                modes = [numbers(each if type(each) is list else [each], self.layouts, name) for each in used]
                uses.append((place, modes))
                if kind == "reads":
                    storage.readers.append((number, modes))
                else:
                    need(not storage.writer[1], storage.name, ": a second writer, ", name)
                    storage.writer = number, modes
        prices = entry["prices"] if "prices" in entry else [0] * len(uses[0][1])
        is_used = all(len(modes) == len(prices) and all(modes) for _, modes in uses)
        need(len(prices) > 0 and is_used, name, ": expected layouts for each mode")
        self.names.append(name)
        self.prices.append([whole(price, 0, inf, name, ", price") for price in prices])
        self.uses.append({each for each, _ in uses})


class StatedPart:
    """Some storages with the ops around them, and the tree that bounds what they cost."""

    def __init__(self, problem: StatedProblem, number: int, entry: Any, unit: int) -> None:
        self.name, self.problem, self.unit, self.nodes = f"part {number}", problem, unit, entry["nodes"]
        self.storages = numbers(entry["storages"], len(problem.storages), self.name)
        own = [problem.storages[each] for each in self.storages]
        around = (op for each in own for op, _ in [each.writer, *each.readers])
        self.ops = {*(range(len(problem.names)) if problem.pools else around)}
        for op in self.ops:
            is_whole = len(problem.prices[op]) == 1 or problem.uses[op] <= self.storages
            need(is_whole, self.name, ": ", problem.names[op], " has storages in other parts, too")
        differences = (price - problem.least[op] for op in self.ops for price in problem.prices[op])
        joint = (price for pool in problem.pools for price, _ in pool)
        self.step = gcd(*(each.step for each in own), *differences, *joint) or 1

    def bound(self) -> Cost:
        """The least bound of all leaves, without the least price of each op."""
        least: Cost = inf
        stack = [(0, {op: frozenset(range(len(self.problem.prices[op]))) for op in self.ops})]
        while stack:
            place, is_open = stack.pop()
            node, name = self.nodes[place], f"{self.name}, node {place}"
            if not all(is_open.values()):
                continue  # There is no choice to bound.
            values = self.values(node, name) if "terms" in node else {}
            now = {op: min(each[mode] for mode in is_open[op]) for op, each in values.items()}
            joint = (self.joint(*each, is_open, name) for each in dict(node.get("joint", ())).items())
            total = sum(now.values()) + sum(joint) * self.unit
            if "children" not in node:
                least = min(least, self.rounded(total))
                continue
            for closed, listed in node.get("closed", ()):
                modes = self.modes(closed, listed, name)
                only = min((values[closed][mode] for mode in is_open[closed] & modes), default=inf)
                least = min(least, self.rounded(total - now[closed] + only))
                is_open = {**is_open, closed: is_open[closed] - modes}
            op: int = node["op"]
            cover = [self.modes(op, each, name) for each in node["cover"]]
            is_covered = is_open[op] <= Layouts().union(*cover)
            need(is_covered, name, ": a mode of ", self.problem.names[op], " is in no child")
            for child, modes in zip(node["children"], cover, strict=True):
                stack.append((whole(child, place + 1, len(self.nodes), name), {**is_open, op: is_open[op] & modes}))
        return least

    def joint(self, pool: int, place: int, is_open: dict[int, frozenset[int]], name: str) -> int:
        """A joint price that all open choices pay."""
        price, of = self.problem.pools[whole(pool, 0, len(self.problem.pools), name, ", pool")][place]
        is_paid = all(is_open[op] <= modes for op, modes in of.items())
        need(is_paid, name, ": not every open choice pays joint price ", place, " of pool ", pool)
        return price

    def rounded(self, total: Cost) -> Cost:
        """A bound in whole numbers, rounded up to what a choice can cost."""
        return -(-total // (self.unit * self.step)) * self.step if isinstance(total, int) else total

    def modes(self, op: int, value: Any, name: str) -> frozenset[int]:
        """Some modes of an op."""
        need(whole(op, 0, len(self.problem.names), name, ", op") in self.ops, name, ": an op of another part")
        return numbers(value, len(self.problem.prices[op]), name, ", modes of ", self.problem.names[op])

    def values(self, node: Any, name: str) -> dict[int, list[int]]:
        """The amounts that the modes of each op add to the bound by the terms of a node."""
        problem, of_storage = self.problem, dict[int, list[tuple[Layouts, Layouts, int]]]()
        values = {op: [(each - problem.least[op]) * self.unit for each in problem.prices[op]] for op in self.ops}
        for place, reader, *two, amount in node["terms"]:
            storage = problem.storages[whole(place, 0, len(problem.storages), name)]
            what = name, ": a term of ", storage.name
            need(place in self.storages, *what, ", which is in another part")
            wanted, saved_by = (numbers(each, problem.layouts, *what) for each in two)
            of_storage.setdefault(place, []).append((wanted, saved_by, whole(amount, 0, inf, *what)))
            access = storage.readers[whole(reader, 0, len(storage.readers), *what)]
            for op, modes, layouts, paid in ((*access, wanted, amount), (*storage.writer, saved_by, -amount)):
                for mode, used in enumerate(modes):
                    values[op][mode] += paid if used & layouts else 0
        for place, terms in of_storage.items():
            self.check_sound(problem.storages[place], terms, name)
        return values

    def check_sound(self, storage: StatedStorage, terms: list[tuple[Layouts, Layouts, int]], name: str) -> None:
        """Check that terms do not exceed the price of any conversion."""
        written = Layouts().union(*storage.writer[1])
        read = Layouts().union(*(each for _, modes in storage.readers for each in modes))
        for wanted in read & Layouts().union(*(layouts for layouts, _, _ in terms)):
            rest = dict.fromkeys(written, sum(amount for layouts, _, amount in terms if wanted in layouts))
            for layouts, saved_by, amount in terms:
                for given in saved_by & written if wanted in layouts else ():
                    rest[given] -= amount
            for given, amount in rest.items():
                what = name, ": ", storage.name, ", layout ", given, " to ", wanted
                need(amount <= storage.price(given, wanted) * self.unit, *what, ": terms exceed the price")


def verdict_of(data: bytes) -> tuple[int, str]:
    """The exit code and the verdict on the content of a file."""
    try:
        content = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
        need(content["format"] == "npu-opt certificate 1", "unknown format")
        problem, plan, proof = StatedProblem(content["problem"]), content["plan"], content["proof"]
        ops = len(content["problem"]["ops"])
        pairs = zip(problem.prices, plan["modes"] + [0] * (len(problem.names) - ops), strict=True)
        cost = problem.cost([whole(mode, 0, len(prices), "plan, a mode") for prices, mode in pairs])
        cost += whole(plan.get("more", 0), 0, inf, "more")
        need(cost == whole(plan["cost"], 0, inf, "cost"), "plan: it costs ", cost, ", not ", plan["cost"])
        unit = whole(proof["denominator"], 1, inf, "denominator")
        parts = [StatedPart(problem, *each, unit) for each in enumerate(proof["parts"])]
        listed = [each for part in parts for each in part.storages]
        need(sorted(listed) == [*range(len(problem.storages))], "parts: expected each storage in one part")
        need(not problem.pools or len(parts) == 1, "parts: expected one, as there are joint prices")
        bound = problem.sure + sum(problem.least) + sum(part.bound() for part in parts)
        claimed = whole(proof["bound"], 0, inf, "bound")
        need(claimed <= bound, "the proof gives the bound ", bound, ", not ", claimed)
    except Refused as error:
        return 1, f"refused: {error}"
    except Exception as error:
        return 1, f"refused: this is no certificate: {type(error).__name__}: {error}"
    nodes = sum(len(part.nodes) for part in parts)
    size = f"ops: {ops}, storages: {len(problem.storages)}, nodes of the proof: {nodes}"
    believed = "believed: the forms of the ops, and the prices of conversions"
    believed += " and of groups" if problem.sure or problem.pools else ""
    if claimed < cost:
        return 2, f"undecided: the plan costs {cost}, and no choice less than {claimed} ({size}); {believed}"
    return 0, f"accepted: minimum {cost} ({size}); {believed}"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python check_minimum.py FILE.json[.gz]")
    try:
        code, verdict = verdict_of(Path(sys.argv[1]).read_bytes())
    except OSError as error:
        code, verdict = 1, f"refused: cannot read '{sys.argv[1]}': {error.strerror}"
    print(verdict)
    sys.exit(code)
