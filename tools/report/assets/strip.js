// ---- The strip: the network from left to right in program order, with its transposes as marks in place.

const SLOTS = 400;
const MOST_PARTS = 14;
const MOST_BANDS = 4;
const isMove = (op) => Boolean(op.move);
const nameOf = (op) => op.model_name || op.name || op.kind;
const keyOf = (op) => `${op.kind} ${nameOf(op)}`;

// The ops of each program by key, in program order.
function queues(ops) {
  const found = new Map();
  ops.forEach((op, index) => {
    const key = keyOf(op);
    if (found.has(key)) found.get(key).push(index);
    else found.set(key, [index]);
  });
  return found;
}

// The place of each op from 0 to 1: an op of the first program, also where later programs have it. Others follow the op before them.
function placesOf(program) {
  const { ops } = data.programs[program];
  if (program === 0) return ops.map((_, index) => index / ops.length);
  const first = data.programs[0].ops;
  const waiting = queues(first);
  const found = ops.map((op) => waiting.get(keyOf(op))?.shift());
  // Programs with few names in common have scales of their own.
  if (found.filter((place) => place !== undefined).length < ops.length / 3) return ops.map((_, index) => index / ops.length);
  let last = 0;
  return found.map((place) => { last = place === undefined ? Math.min(last + 0.5, first.length - 1) : place; return last / first.length; });
}

// The scopes around an op, outer ones first, without that of the function and the parts of a long one.
function scopesAround(program, op) {
  const { drawings } = data.programs[program];
  const found = [];
  for (let at = op.drawing; drawings[at].parent !== null; at = drawings[at].parent) {
    if (!/^part \d+ of \d+$/.test(drawings[at].title)) found.unshift(drawings[at].title);
  }
  return found;
}

// The network in parts: the scopes of the depth that cuts it into the most parts that can be read.
function partsOf(program) {
  const { ops } = data.programs[program];
  const paths = ops.map((op) => scopesAround(program, op));
  const deepest = paths.reduce((most, path) => Math.max(most, path.length), 0);
  const runs = [...Array(deepest).keys()].map((depth) => {
    const found = [];
    paths.forEach((path, index) => {
      const name = path.slice(0, depth + 1).join("/");
      const last = found[found.length - 1];
      if (last && last.name === name) last.end = index + 1;
      else found.push({ name, title: path[Math.min(depth, path.length - 1)] || "", start: index, end: index + 1 });
    });
    return found;
  });
  return runs.filter((parts) => parts.filter(({ title }) => title).length <= MOST_PARTS).pop() || [];
}

const layoutOf = (op) => op.style === "cnn" ? op.type.slice(op.type.indexOf(" ") + 1) : "";

// The layouts of features and weights in both programs, the most frequent ones first: each has a colour.
function bandNames() {
  const counts = new Map();
  for (const op of data.programs.flatMap(({ ops }) => ops)) if (layoutOf(op)) counts.set(layoutOf(op), (counts.get(layoutOf(op)) || 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).slice(0, MOST_BANDS).map(([name]) => name);
}

const bandColour = (names, layout) => names.includes(layout) ? `var(--band-${names.indexOf(layout)})` : "var(--tensor)";

// The layouts along a program as one background.
function bands(ops, places, names) {
  const slots = Array(SLOTS).fill(null);
  ops.forEach((op, index) => { if (!isMove(op)) slots[Math.floor(places[index] * SLOTS)] = bandColour(names, layoutOf(op)); });
  let colour = slots.find(Boolean) || "var(--tensor)";
  const stops = [];
  slots.forEach((each, slot) => {
    if (slot && (!each || each === colour)) return;
    if (stops.length) stops[stops.length - 1] += ` ${(100 * slot / SLOTS).toFixed(2)}%`;
    colour = each || colour;
    stops.push(`${colour} ${(100 * slot / SLOTS).toFixed(2)}%`);
  });
  return `linear-gradient(90deg, ${stops.join(", ")} 100%)`;
}

const MARK_WORDS = { placed: "inserted", moved: "in the program", gone: "removed" };

// The transposes of a program by place and kind; those of the first one that the last one lacks are gone.
function marksOf(program, places) {
  const last = data.programs.length - 1;
  const { ops } = data.programs[program];
  const left = program < last ? queues(data.programs[last].ops.filter(isMove)) : null;
  const kindOf = (op) => !left ? op.style : left.get(keyOf(op))?.shift() === undefined ? "gone" : "moved";
  const found = new Map();
  ops.forEach((op, index) => {
    if (!isMove(op)) return;
    const [kind, slot] = [kindOf(op), Math.floor(places[index] * SLOTS)];
    const key = `${slot} ${kind}`;
    if (!found.has(key)) found.set(key, { slot, kind, index, count: 0, bytes: 0 });
    const mark = found.get(key);
    mark.count += 1;
    mark.bytes += op.bytes || 0;
  });
  return [...found.values()].sort((a, b) => a.slot - b.slot);
}

// A row of the strip. Its marks are one stop of the tab key; arrows move between them.
function stripRow(program, places, seen, names, most) {
  const { name, ops } = data.programs[program];
  const marks = seen.map(({ slot, kind, index, count, bytes }) => {
    const words = `${count > 1 ? `${count} transposes, first ` : ""}${nameOf(ops[index])}: ${ops[index].move}, ${MARK_WORDS[kind]}, ${sizeText(bytes)}`;
    const height = 6 + 18 * Math.sqrt(bytes / most);
    return make("button", {
      type: "button", class: `mark ${kind}`, tabindex: -1, title: words, "aria-label": words,
      style: `left: ${(100 * (slot + 0.5) / SLOTS).toFixed(2)}%; height: ${height.toFixed(0)}px`, onclick: () => showOp(program, index),
    });
  });
  if (marks.length) marks[0].tabIndex = 0;
  const track = make("div", { class: "track", role: "group", "aria-label": `transposes of ${name}`, onkeydown: (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step && marks[marks.indexOf(event.target) + step];
    if (!next) return;
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    event.preventDefault();
  } }, make("div", { class: "band", style: `background: ${bands(ops, places, names)}` }), ...marks);
  return make("div", { class: "strip-row" }, make("span", { class: "strip-name", title: name }, name.split("/").pop()), track);
}

function stripScale() {
  const { ops } = data.programs[0];
  const parts = partsOf(0).map(({ title, start, end }) => make("span", {
    class: title ? "part" : "part nameless", title, style: `width: ${(100 * (end - start) / ops.length).toFixed(3)}%`,
  }, title));
  return make("div", { class: "strip-row" }, make("span", { class: "strip-name" }), make("div", { class: "parts" }, ...parts));
}

function showStrip(panel) {
  const names = bandNames();
  const places = data.programs.map((_, program) => placesOf(program));
  const seen = places.map((each, program) => marksOf(program, each));
  const most = Math.max(1, ...seen.flat().map(({ bytes }) => bytes));
  const rows = seen.map((marks, program) => stripRow(program, places[program], marks, names, most));
  const marks = Object.entries(MARK_WORDS).filter(([kind]) => rows.some((row) => row.querySelector(`.${kind}`)));
  const key = (mark, text) => make("span", {}, mark, text);
  const legend = make("div", { class: "strip-legend" },
    ...marks.map(([kind, words]) => key(make("i", { class: `mark ${kind}` }), `transpose ${words}`)),
    ...names.map((name) => key(make("i", { style: `background: ${bandColour(names, name)}` }), name)),
    key(make("i", { style: "background: var(--tensor)" }), "other tensors"),
    make("span", { class: "quiet" }, "left to right: the ops in program order; a taller mark moves more bytes"));
  panel.append(make("div", { class: "strip" }, ...rows, stripScale(), legend));
}
