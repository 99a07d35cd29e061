"""`assign` and `--assign`: against all choices of small problems, errors, examples and contradictions in words."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import npu_opt
import pytest
from assign_problems import kernel, network, online_softmax
from npu_opt.api.assigning import assign
from npu_opt.checkers.check_minimum import verdict_of
from npu_opt.tools.assign import contradiction
from npu_opt.tools.assign.assignment import Assignment, Status
from npu_opt.tools.opt import run
from support.campaign import seeds
from support.source_tree import ROOT

Data: TypeAlias = dict[str, Any]

EXAMPLES = ROOT / "examples" / "assign"
PATIENCE = 3600.0


# --- all choices of a problem, by its description alone


def price(problem: Data, tensor: Data, given: str, wanted: str) -> int | None:
    """The cost of a conversion; None if there is none."""
    if given == wanted:
        return 0
    found: Any = tensor.get("conversion", problem.get("conversion"))
    named: Data = problem["tables"] if type(found) is str else {"": found}
    table: Data | None = named[found] if type(found) is str else named[""] if type(found) is dict else None
    if table is not None:
        found = table["prices"][table["layouts"].index(given)][table["layouts"].index(wanted)]
    return None if found is None else found * tensor.get("weight", 1) * calls(problem, tensor)


def calls(problem: Data, entry: Data) -> int:
    return problem["calls"][entry["function"]] if "function" in entry else 1


def tuples_of(problem: Data, op: Data) -> Sequence[tuple[Sequence[str], Sequence[str], int]]:
    count = calls(problem, op)
    if "tuples" in op:
        return [(each["operands"], each["results"], each.get("cost", 0) * count) for each in op["tuples"]]
    costs: dict[str, int] = {**dict.fromkeys(op["same"], 0), **(op["same"] if type(op["same"]) is dict else {})}
    sizes = len(op["operands"]), len(op["results"])
    return [([layout] * sizes[0], [layout] * sizes[1], cost * count) for layout, cost in costs.items()]


def all_costs(problem: Data) -> Iterator[int | None]:
    """The cost of each choice of tuples, of layouts of free inputs, and of layouts of ties."""
    tensors = {each["name"]: each for each in problem["tensors"]}
    written = {name for op in problem["ops"] for name in op["results"]}
    ties = problem.get("ties", [])
    tied = {name for tie in ties for name in tie}
    free = [each for name, each in tensors.items() if name not in written | tied and "given" not in each]
    layouts_of_ties = [[layout for layout in LAYOUTS if fits(layout, [tensors[name] for name in tie])] for tie in ties]
    for chosen in product(*(tuples_of(problem, op) for op in problem["ops"])):
        for inputs in product(*(each["layouts"] for each in free)):
            for of_ties in product(*layouts_of_ties):
                has = {name: each["given"] for name, each in tensors.items() if "given" in each}
                has |= {each["name"]: layout for each, layout in zip(free, inputs, strict=True)}
                reads: dict[str, set[str]] = {name: set() for name in tensors}
                for tie, layout in zip(ties, of_ties, strict=True):
                    for name in tie:
                        if name in written:
                            reads[name].add(layout)
                        else:
                            has[name] = layout
                for op, (operands, results, _) in zip(problem["ops"], chosen, strict=True):
                    has |= dict(zip(op["results"], results, strict=True))
                    for name, layout in zip(op["operands"], operands, strict=True):
                        reads[name].add(layout)
                for name, each in tensors.items():
                    if "required" in each and name not in tied:
                        reads[name].add(each["required"])
                wanted = [(name, layout) for name, found in reads.items() for layout in found]
                prices = [price(problem, tensors[name], has[name], layout) for name, layout in wanted]
                costs = [cost for _, _, cost in chosen]
                yield None if None in prices else sum(costs) + sum(each or 0 for each in prices)


def fits(layout: str, tensors: Sequence[Data]) -> bool:
    return all(
        layout in each.get("layouts", LAYOUTS) and layout == each.get("given", layout) == each.get("required", layout)
        for each in tensors
    )


def best_cost(problem: Data) -> int | None:
    return min((cost for cost in all_costs(problem) if cost is not None), default=None)


LAYOUTS = ["A", "B", "C"]


def random_problem(seed: int) -> Data:
    """Up to five ops, with tables, weights up to 2**60, ties, calls, free inputs and impossible conversions."""
    rng = Random(seed)
    costs = rng.choice(([0, 1, 2, 5], [0, 3, 2**40, 2**60, 2**60 + 1]))
    share = rng.choice((0.0, 0.2, 0.6))

    def one_price() -> int | None:
        return None if rng.random() < share else rng.choice(costs)

    def table() -> Data:
        return {"layouts": LAYOUTS, "prices": [[0 if a == b else one_price() for a in LAYOUTS] for b in LAYOUTS]}

    tensors: list[Data] = []
    ops: list[Data] = []

    def tensor(**rest: Any) -> str:
        conversion = rng.choice((one_price(), "shared", table()))
        extra = {"function": rng.choice(("f", "g"))} if rng.random() < 0.3 else {}
        name = f"t{len(tensors)}"
        tensors.append({"name": name, "conversion": conversion, "weight": rng.choice((1, 1, 3)), **extra, **rest})
        return name

    inputs = [
        tensor(given=rng.choice(LAYOUTS)) if rng.random() < 0.5 else tensor(layouts=rng.sample(LAYOUTS, 2))
        for _ in range(rng.randint(1, 2))
    ]
    tied = [tensor(layouts=LAYOUTS)] if rng.random() < 0.5 else []
    known = [*inputs, *tied]
    for number in range(rng.randint(1, 4)):
        operands = [rng.choice(known) for _ in range(rng.randint(0 if number else 1, 2))]
        results = [tensor(**({"required": rng.choice(LAYOUTS)} if rng.random() < 0.2 else {}))]
        if rng.random() < 0.4:
            same: Any = rng.sample(LAYOUTS, 2)
            modes: Data = {"same": {each: rng.choice(costs) for each in same} if rng.random() < 0.5 else same}
        else:
            one = [
                {
                    "operands": [rng.choice(LAYOUTS) for _ in operands],
                    "results": [rng.choice(LAYOUTS) for _ in results],
                    "cost": rng.choice(costs),
                }
                for _ in range(rng.randint(1, 3))
            ]
            modes = {"tuples": one}
        function = {"function": "f"} if rng.random() < 0.3 else {}
        ops.append({"name": f"op{number}", "operands": operands, "results": results, **modes, **function})
        known += results
    free_of_required = [op["results"][0] for op in ops if "required" not in tensors[int(op["results"][0][1:])]]
    ties = [[*tied, rng.choice(free_of_required)]] if tied and free_of_required else []
    problem: Data = {"format": "npu-opt assign 1", "tables": {"shared": table()}, "tensors": tensors, "ops": ops}
    return {**problem, "ties": ties, "calls": {"f": rng.choice((0, 1, 7)), "g": 2}}


def cost_of(problem: Data, answer: Assignment) -> int | None:
    """The cost of an answer, counted from its layouts: its tuples, and its conversions at the prices of the problem."""
    tensors = {each["name"]: each for each in problem["tensors"]}
    total = 0
    for op in problem["ops"]:
        chosen = answer.tuples[op["name"]]
        operands, results, cost = tuples_of(problem, op)[chosen.number]
        assert ([*chosen.operands], [*chosen.results]) == ([*operands], [*results])
        assert [answer.layouts[name] for name in op["results"]] == [*results]
        total += cost
    for each in answer.conversions:
        assert each.source == answer.layouts[each.tensor] != each.target
        found = price(problem, tensors[each.tensor], each.source, each.target)
        assert found == each.cost
        total += each.cost
    return total


def test_random_problems_have_the_cost_of_their_best_choice():
    impossible = 0
    for seed in seeds(250, 3000):
        problem = random_problem(seed)
        answer = assign(json.loads(json.dumps(problem)), time_limit=PATIENCE)
        best = best_cost(problem)
        assert answer.cost == answer.bound == best, seed
        assert answer.status is (Status.INFEASIBLE if best is None else Status.PROVED)
        if best is not None:
            assert cost_of(problem, answer) == best
        impossible += best is None
    assert impossible > 10


def test_certificates_of_random_problems_are_accepted():
    for seed in seeds(60, 1000):
        answer = assign(random_problem(seed), time_limit=PATIENCE)
        if answer.cost is not None:
            _, verdict = verdict_of(answer.certificate(PATIENCE).data(is_compressed=False))
            assert verdict.startswith(f"accepted: minimum {answer.cost} "), (seed, verdict)


def named_only(problem: Data, sentences: Sequence[str]) -> Data:
    """The ops, inputs and outputs that some sentences name; what no named op writes comes in any layout."""
    text = "\n".join(sentences)
    core = deepcopy(problem)
    core["ops"] = [op for op in core["ops"] if f"op '{op['name']}'" in text]
    for tensor in core["tensors"]:
        about = next((each for each in sentences if each.startswith(f"tensor '{tensor['name']}' ")), "")
        if "required as" not in about:
            tensor.pop("required", None)
        if " is given as" not in about:
            free(tensor)
    return core


def free(tensor: Data) -> None:
    """Let a tensor that no op writes come in any layout, and be converted for nothing."""
    tensor.pop("given", None)
    tensor |= {"layouts": LAYOUTS, "conversion": 0}


def without(problem: Data, op: Data) -> Data:
    """A problem without an op: what it writes comes in any layout."""
    rest = deepcopy(problem)
    rest["ops"] = [each for each in rest["ops"] if each["name"] != op["name"]]
    for tensor in rest["tensors"]:
        if tensor["name"] in op["results"]:
            free(tensor)
    return rest


def test_the_ops_of_a_contradiction_contradict_each_other_and_each_is_needed():
    tried = 0
    for seed in seeds(150, 1000):
        problem = random_problem(seed)
        problem["ties"] = []
        answer = assign(problem, time_limit=PATIENCE)
        if answer.status is not Status.INFEASIBLE:
            continue
        core = named_only(problem, answer.contradiction)
        written = {name for op in core["ops"] for name in op["results"]}
        for each in core["tensors"]:
            # What an op writes is converted as the problem says.
            if each["name"] in written:
                (original,) = (one for one in problem["tensors"] if one["name"] == each["name"])
                each["conversion"] = original["conversion"]
                each.pop("layouts", None)
        assert best_cost(core) is None, answer.contradiction
        for op in core["ops"]:
            assert best_cost(without(core, op)) is not None, (seed, op["name"])
        tried += 1
    assert tried > 5


def test_one_more_impossible_conversion_never_makes_a_problem_cheaper():
    for seed in seeds(60, 500):
        rng, problem = Random(seed), random_problem(seed)
        before = assign(problem).cost
        row = rng.randrange(3)
        other = deepcopy(problem)
        other["tables"]["shared"]["prices"][row][(row + 1) % 3] = None
        after = assign(other).cost
        assert after is None or (before is not None and before <= after)


def test_the_order_of_tensors_and_ops_does_not_change_the_cost():
    for seed in seeds(40, 300):
        rng, problem = Random(seed), random_problem(seed)
        other = deepcopy(problem)
        rng.shuffle(other["tensors"])
        rng.shuffle(other["ops"])
        assert assign(problem).cost == assign(other).cost


# --- sizes


@pytest.mark.parametrize("chunks", [1, 2, 64])
def test_online_softmax_is_proved(chunks: int):
    """Half of the chunks have keys in another layout than the scores demand: one conversion each."""
    answer = assign(online_softmax(chunks), time_limit=PATIENCE)
    assert answer.proved
    assert len(answer.conversions) == (chunks + 1) // 2
    assert answer.cost == (chunks + 1) // 2 * 1024


def test_networks_and_kernels_of_some_hundred_tensors():
    assert assign(network(600, 8), time_limit=PATIENCE).proved
    large = assign(kernel(40, 120), time_limit=PATIENCE)
    assert large.bound is not None
    assert large.bound <= (large.cost or 0) == sum(each.cost for each in large.conversions)


def test_ten_thousand_ops_in_a_row(monkeypatch: pytest.MonkeyPatch):
    count = 10_000
    tensors: list[Data] = [{"name": f"t{number}"} for number in range(count + 1)]
    tensors[0]["given"] = "A"
    tensors[-1]["required"] = "B"
    ops = [
        {"name": f"o{number}", "operands": [f"t{number}"], "results": [f"t{number + 1}"], "same": ["A", "B"]}
        for number in range(count)
    ]
    problem = {"format": "npu-opt assign 1", "conversion": 3, "tensors": tensors, "ops": ops}
    answer = assign(problem, time_limit=PATIENCE)
    assert (answer.cost, answer.proved, len(answer.conversions)) == (3, True, 1)
    # All of them are needed, which takes a proof for each.
    monkeypatch.setattr(contradiction, "MOST_SECONDS", 0.0)
    impossible = assign({**problem, "conversion": None}, time_limit=PATIENCE)
    assert impossible.status is Status.INFEASIBLE
    assert impossible.contradiction[-1] == "19961 more of this kind"


def test_no_time_leaves_a_choice_and_a_bound():
    answer = assign(network(300, 8), time_limit=0)
    assert answer.status is Status.NOT_PROVED
    assert answer.bound is not None
    assert answer.bound < (answer.cost or 0)
    assert str(answer).endswith(f"not proved: no choice costs less than {answer.bound}")


def colouring(vertices: int) -> Data:
    """Tensors of which each pair is read by an op in two different layouts of three, without conversions."""
    names = [f"v{number}" for number in range(vertices)]
    ops = [{"name": name, "operands": [], "results": [name], "same": LAYOUTS} for name in names]
    different = [{"operands": [one, other], "results": []} for one in LAYOUTS for other in LAYOUTS if one != other]
    ops += [
        {"name": f"{one} {other}", "operands": [one, other], "results": [], "tuples": different}
        for number, one in enumerate(names)
        for other in names[:number]
    ]
    tensors = [{"name": name} for name in names]
    return {"format": "npu-opt assign 1", "conversion": None, "tensors": tensors, "ops": ops}


def test_four_tensors_that_differ_in_pairs_need_four_layouts():
    """No pair of ops contradicts another one, nor does the linear program; all of them do."""
    assert assign(colouring(3), time_limit=PATIENCE).cost == 0
    answer = assign(colouring(4), time_limit=PATIENCE)
    assert answer.status is Status.INFEASIBLE
    assert sum(each.startswith("tensor") for each in answer.contradiction) == 4
    assert sum(each.startswith("op") for each in answer.contradiction) == 6
    late = assign(colouring(4), time_limit=0)
    assert (late.status, late.cost, late.bound) == (Status.NOT_PROVED, None, 0)
    assert str(late) == "no choice of layouts was found in time, and none was proved to be impossible"


@pytest.mark.parametrize(
    "problem",
    [
        {"tensors": [], "ops": []},
        {"tensors": [{"name": "x", "given": "A", "conversion": 2}], "ops": []},
        {"tensors": [{"name": "x", "layouts": ["A"], "conversion": 2}], "ops": []},
        {"tensors": [], "ops": [{"name": "nothing", "operands": [], "results": [], "same": ["A"]}]},
        {"tensors": [{"name": "x", "given": "A", "required": "A", "conversion": None}], "ops": []},
        # What nobody reads costs nothing.
        {
            "tensors": [{"name": "x", "conversion": None}],
            "ops": [{"name": "o", "operands": [], "results": ["x"], "same": ["A"]}],
        },
    ],
)
def test_problems_with_nothing_to_choose(problem: Mapping[str, Any]):
    answer = assign({"format": "npu-opt assign 1", **problem})
    assert (answer.cost, answer.bound, answer.status) == (0, 0, Status.PROVED)
    assert [*answer.layouts.values()] == ["A"] * len(problem["tensors"])


def test_a_value_that_is_required_as_it_is_given_twice():
    """An input that is an output in another layout, and an operand that is read twice."""
    tensors = [{"name": "x", "given": "A", "required": "B", "conversion": 5}, {"name": "y", "conversion": 1}]
    ops = [
        {
            "name": "add",
            "operands": ["x", "x"],
            "results": ["y"],
            "tuples": [{"operands": ["B", "A"], "results": ["A"]}],
        }
    ]
    answer = assign({"format": "npu-opt assign 1", "tensors": tensors, "ops": ops})
    (conversion,) = answer.conversions
    assert answer.cost == 5
    assert conversion.readers == ["add", "output"]


# --- examples


EXPECTED = {
    "contradiction": (None, 0),
    "heir_rotations": (27, 2),
    "spyre_sticks": (2048, 3),
    "triton_encodings": (3_950_592, 4),
    "tt_shards": (1344, 2),
}


def test_every_example_has_an_expectation():
    assert sorted(file.stem for file in EXAMPLES.glob("*.json")) == sorted(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_examples_have_the_cost_of_their_best_choice(name: str, monkeypatch: pytest.MonkeyPatch):
    answer = npu_opt.assign(EXAMPLES / f"{name}.json")
    assert (answer.cost, len(answer.conversions)) == EXPECTED[name]
    problem = json.loads((EXAMPLES / f"{name}.json").read_text())
    tables = problem.get("tables", {})
    monkeypatch.setattr(
        sys.modules[__name__], "LAYOUTS", [each for table in tables.values() for each in table["layouts"]]
    )
    assert best_cost(problem) == answer.cost


@pytest.mark.parametrize("name", EXPECTED)
def test_the_answer_in_json_is_that_in_python(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    file, answer = EXAMPLES / f"{name}.json", npu_opt.assign(EXAMPLES / f"{name}.json")
    code = run(["--assign", str(file), "-o", str(tmp_path / "plan.json")])
    assert code == (3 if answer.cost is None else 0)
    data = json.loads((tmp_path / "plan.json").read_text())
    assert data == json.loads(answer.as_json())
    assert data["status"] == answer.status.value
    assert (data["cost"], data["bound"]) == (answer.cost, answer.bound)
    assert data["tensors"] == answer.layouts
    assert data["contradiction"] == [*answer.contradiction]
    assert [each["cost"] for each in data["conversions"]] == [each.cost for each in answer.conversions]
    assert {key: each["tuple"] for key, each in data["ops"].items()} == {k: v.number for k, v in answer.tuples.items()}
    capfd.readouterr()


# --- errors


X: Data = {"name": "x", "given": "A"}
Y: Data = {"name": "y"}
OP: Data = {"name": "op", "operands": ["x"], "results": ["y"], "same": ["A", "B"]}
VALID: Data = {"format": "npu-opt assign 1", "conversion": 1, "tensors": [X, Y], "ops": [OP]}
TABLE: Data = {"layouts": ["A", "B"], "prices": [[0, 1], [1, 0]]}


def op(**changes: Any) -> Data:
    return {**VALID, "ops": [{key: value for key, value in {**OP, **changes}.items() if value is not None}]}


def tensor(**changes: Any) -> Data:
    return {**VALID, "tensors": [{**X, **changes}, Y]}


def tuples(**changes: Any) -> Data:
    return op(same=None, tuples=[{"operands": ["A"], "results": ["A"], **changes}])


def test_the_problem_that_the_errors_change_is_none():
    assert assign(VALID).cost == 0
    assert assign(tuples()).cost == 0


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        ([], "expected an object, found []"),
        ({}, "expected a key 'format'"),
        ({**VALID, "format": "2"}, "format: expected 'npu-opt assign 1', found '2'"),
        ({**VALID, "op": []}, "op: unknown key 'op' (did you mean 'ops'?)"),
        (
            {**VALID, "zzz": 1},
            "zzz: unknown key 'zzz' (known are format, tensors, ops, tables, conversion, ties, calls)",
        ),
        ({**VALID, "tensors": {}}, "tensors: expected a list of tensors, found {}"),
        ({**VALID, "tensors": [X, X]}, "tensors[1]: tensor 'x' is defined twice"),
        ({**VALID, "tensors": [X, {"name": ""}]}, 'tensors[1].name: expected a text that is not empty, found ""'),
        ({**VALID, "ops": [OP, OP]}, "ops[1].name: op 'op' is defined twice"),
        (
            {key: value for key, value in VALID.items() if key != "conversion"},
            "tensors[0]: expected a key 'conversion', here or for all tensors: a number, a table, or null for none",
        ),
        (
            tensor(weight=0.5),
            "tensors[0].weight: expected a whole number of at least 0 (multiply all costs by a number that makes them"
            " whole), found 0.5",
        ),
        (tensor(weight=-1), "tensors[0].weight: expected a whole number of at least 0, found -1"),
        (tensor(weight=True), "tensors[0].weight: expected a whole number of at least 0, found true"),
        (
            tensor(conversion=float("inf")),
            "tensors[0].conversion: expected a whole number of at least 0, the name of a table, a table, or null"
            " (multiply all costs by a number that makes them whole), found Infinity",
        ),
        (tensor(conversion="t"), "tensors[0].conversion: no table 't'"),
        (
            {**VALID, "tables": {"bytes": TABLE}, "tensors": [{**X, "conversion": "byte"}, Y]},
            "tensors[0].conversion: no table 'byte' (did you mean 'bytes'?)",
        ),
        (tensor(layouts=["B"]), "tensors[0].given: 'A' is not among the layouts of the tensor"),
        (tensor(layouts=[]), "tensors[0].layouts: expected a list of one or more layouts, found []"),
        (tensor(layouts=["A", "A"]), "tensors[0].layouts[1]: 'A' is in the list already"),
        (tensor(function="f"), "tensors[0].function: 'calls' has no number for the function 'f'"),
        (tensor(conversion=TABLE, given="C"), "tensors[0].given: the table of conversions has no layout 'C'"),
        (
            tensor(conversion={"layouts": ["A"], "prices": [[0], [0]]}),
            "tensors[0].conversion.prices: expected 1 rows, one for each layout, found 2",
        ),
        (
            tensor(conversion={"layouts": ["A", "B"], "prices": [[0, 1], [1]]}),
            "tensors[0].conversion.prices[1]: expected 2 prices, one for each layout, found 1",
        ),
        (
            tensor(conversion={"layouts": ["A", "B"], "prices": [[1, 1], [1, 0]]}),
            "tensors[0].conversion.prices[0][0]: expected 0: a tensor that has the layout is not converted",
        ),
        (
            {**VALID, "tensors": [{"name": "x"}, Y]},
            "tensors[0]: no op writes tensor 'x': expected 'given', the layout in which it is passed, or 'layouts', of"
            " which one is chosen",
        ),
        (op(operands=["z"]), "ops[0].operands[0]: no tensor 'z'"),
        (op(results=["x"]), "ops[0].results[0]: tensor 'x' is given by the caller: no op may write it"),
        (
            op(operands=["y"]),
            "ops[0].results[0]: op 'op' reads 'y', which it writes: give what it writes another name",
        ),
        (
            {**VALID, "ops": [OP, {**OP, "name": "other"}]},
            "ops[1].results[0]: tensor 'y' is written by op 'op' already",
        ),
        (op(same=None), "ops[0]: expected either 'tuples' or 'same'"),
        (op(same=[]), "ops[0].same: expected a list of one or more layouts, found []"),
        (op(same={}), "ops[0].same: expected one or more layouts"),
        (
            op(same={"A": 1.5}),
            "ops[0].same.A: expected a whole number of at least 0 (multiply all costs by a number that"
            " makes them whole), found 1.5",
        ),
        (op(same=None, tuples=[]), "ops[0].tuples: expected a list of one or more tuples, found []"),
        (
            tuples(operands=["A", "A"]),
            "ops[0].tuples[0].operands: expected 1 layouts, one for each of the op's operands, found 2",
        ),
        (
            tuples(cost=2.0),
            "ops[0].tuples[0].cost: expected a whole number of at least 0 (multiply all costs by a number"
            " that makes them whole), found 2.0",
        ),
        (
            {**tuples(results=["B"]), "tensors": [X, {**Y, "layouts": ["A"]}]},
            "ops[0].tuples[0].results[0]: 'B' is not among the layouts of 'y'",
        ),
        (
            {**tuples(operands=["C"]), "tensors": [{**X, "conversion": TABLE}, Y]},
            "ops[0].tuples[0].operands[0]: the table of conversions of 'x' has no layout 'C'",
        ),
        ({**VALID, "ties": [["x"]]}, 'ties[0]: expected a list of two or more tensors, found ["x"]'),
        ({**VALID, "ties": [["x", "z"]]}, "ties[0][1]: no tensor 'z'"),
        (
            {**VALID, "ties": [["x", "y"], ["y", "x"]]},
            "ties[1][0]: tensor 'y' is tied already: put all tensors that have one layout into one tie",
        ),
        (
            {**VALID, "tensors": [X, {**Y, "required": "B"}], "ties": [["x", "y"]]},
            "ties[0]: no layout is one that all tensors of the tie may have",
        ),
        ({1: 2}, 'expected keys that are texts, found {"1": 2}'),
    ],
)
def test_errors_name_what_was_expected_and_found(problem: Any, message: str):
    with pytest.raises(npu_opt.NpuOptError) as error:
        assign(problem)
    assert str(error.value) == "argument problem: " + message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"format":\n "x",\n "tensors": [], "ops": []}',
            ":2:2: error: expected 'npu-opt assign 1', found 'x'\nnote: in format",
        ),
        ('{\n  "a": }', ":2:8: error: not JSON: expecting value"),
        ('{"a": 1, "a": 2}', ": error: not JSON: an object has the key 'a' twice"),
        ('{"a": NaN}', ": error: not JSON: NaN is no number of JSON"),
        ("[" * 100_000, ": error: not JSON: the text is nested too deeply"),
        ("", ":1:1: error: not JSON: expecting value"),
    ],
)
def test_errors_in_files_have_places(text: str, message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    file = tmp_path / "problem.json"
    file.write_text(text)
    assert run(["--assign", str(file)]) == 1
    assert capfd.readouterr().err == f"{file}{message}\n"
    with pytest.raises(npu_opt.NpuOptError, match="error:"):
        assign(file)


def test_a_place_is_that_of_the_value(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    file = tmp_path / "problem.json"
    text = json.dumps(tuples(operands=["B"], cost=[1, {"a": "]}"}]), indent=1)
    file.write_text(text)
    assert run(["--assign", str(file)]) == 1
    line = next(number for number, each in enumerate(text.splitlines(), 1) if '"cost"' in each)
    place = f"{file}:{line}:{text.splitlines()[line - 1].index('[') + 1}"
    assert capfd.readouterr().err.startswith(f"{place}: error: expected a whole number of at least 0, found")


def test_a_time_limit_is_a_number():
    for limit in (-1.0, float("nan")):
        with pytest.raises(npu_opt.NpuOptError, match="argument time_limit: expected a number of at least 0"):
            assign(VALID, time_limit=limit)
