// ---- Times that another tool has measured, by op.

function showTimes() {
  const at = data.programs.length - 1;
  const { times, ops } = data.programs[at];
  if (!times) {
    byId("tab-times").remove();
    byId("times").remove();
    return;
  }
  const rows = ops.map((op, index) => ({ op, index })).filter(({ op }) => op.time).sort((a, b) => b.op.time - a.op.time);
  const all = rows.reduce((sum, { op }) => sum + op.time, 0) + times.unmatched.reduce((sum, [, time]) => sum + time, 0);
  const name = ({ op }) => op.model_name || op.name;
  const time = (value) => value.toLocaleString("en", { maximumFractionDigits: 1 });
  const share = (value) => bar(0, value / all, `${(100 * value / all).toFixed(1)} %`);
  byId("times").append(make("p", {}, `${times.text}.`), table([
    column(times.unit, ({ op }) => op.time, true, ({ op }) => time(op.time)),
    column("share", ({ op }) => op.time, true, ({ op }) => share(op.time)),
    column("op", ({ op }) => op.kind),
    column("name", name, false, (row) => opLink(at, row.index, name(row))),
    column("type", ({ op }) => op.type || ""),
  ], rows));
  if (times.unmatched.length) {
    byId("times").append(make("h3", {}, "names that no op has"), table([
      column(times.unit, (row) => row[1], true, (row) => time(row[1])),
      column("share", (row) => row[1], true, (row) => share(row[1])),
      column("name", (row) => row[0]),
    ], times.unmatched));
  }
}

// A bar from one share of the width to another, with a text.
function bar(from, to, text) {
  const place = `margin-left: ${(100 * from).toFixed(2)}%; width: ${Math.max(100 * (to - from), 0.5).toFixed(2)}%`;
  return make("span", { class: "bar" }, make("span", {}, text), make("i", { style: place }));
}
