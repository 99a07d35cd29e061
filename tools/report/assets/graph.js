// ---- The graph: panes of a program each, which show one drawing at a time.

// Lets a click, Enter or the space bar do something.
function onAct(element, act) {
  element.addEventListener("click", act);
  element.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); act(); } });
}

// The point of a path of cubic curves at a part of it.
function pointOn(path, part) {
  const points = path.slice(1).split(/[C ]/).map((pair) => pair.split(",").map(Number));
  const curves = (points.length - 1) / 3;
  const curve = Math.min(Math.floor(part * curves), curves - 1);
  const t = part * curves - curve;
  const weights = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t ** 2 * (1 - t), t ** 3];
  return [0, 1].map((axis) => weights.reduce((sum, weight, index) => sum + weight * points[3 * curve + index][axis], 0));
}

// The least space between marks on an edge.
const VIEW_ROOM = 14;

class Pane {
  constructor(program) {
    this.program = program;
    this.nav = make("nav", { "aria-label": `position in program ${this.data.name}` });
    this.svg = make("svg", { role: "group", tabindex: 0, "aria-label": `graph of program ${this.data.name}` });
    this.element = make("div", { class: "pane" }, this.nav, this.svg);
    this.box = [0, 0, 100, 100];
    this.setUpMoving();
    this.open(this.data.near.length ? this.data.near[0] : 0);
  }

  get data() { return data.programs[this.program]; }

  open(drawing, op = null) {
    this.drawing = drawing;
    this.showNav();
    this.draw();
    this.fit(op);
  }

  showNav() {
    const path = [];
    for (let drawing = this.drawing; drawing !== null; drawing = this.data.drawings[drawing].parent) path.unshift(drawing);
    const parts = path.map((drawing, index) => index === path.length - 1
      ? make("span", { class: "title", "aria-current": "location" }, this.data.drawings[drawing].title)
      : make("button", { type: "button", class: "link", onclick: () => this.open(drawing) }, `${this.data.drawings[drawing].title} \u203a`));
    const zoom = make("span", { class: "zoom" },
      make("button", { type: "button", "aria-label": "larger", onclick: () => this.zoom(0.8) }, "+"),
      make("button", { type: "button", "aria-label": "smaller", onclick: () => this.zoom(1.25) }, "\u2212"),
      make("button", { type: "button", "aria-label": "show all", onclick: () => this.fit() }, "all"));
    const functions = Object.entries(this.data.roots);
    const select = make("select", { "aria-label": "function", onchange: (event) => this.open(Number(event.target.value)) },
      ...functions.map(([name, drawing]) => make("option", { value: drawing }, `@${name}`)));
    select.value = path[0];
    this.nav.replaceChildren(make("span", {}, `${this.data.name}:`), ...(functions.length > 1 ? [select] : []), ...parts, zoom);
  }

  draw() {
    const { nodes, edges } = this.data.drawings[this.drawing];
    const arrow = make("defs", {}, make("marker", {
      id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto",
    }, make("path", { d: "M0,0L8,4L0,8z" })));
    this.curves = edges.map(([, , path]) => make("path", path ? { class: "edge", d: path } : {}));
    const labels = edges.flatMap(([, , path, label, x, y]) => label && path ? [make("text", { class: "edge-label", x: x + 3, y: y + 3 }, label)] : []);
    this.views = edges.flatMap(([, , path, , , , views]) => path ? this.viewsOn(path, views) : []);
    const most = Math.max(...nodes.map((node) => node[NODE.time] || 0));
    this.nodes = nodes.map((node) => this.node(node, most));
    this.svg.replaceChildren(arrow, ...boxes({ nodes, edges }, this.data.ops), ...this.curves, ...labels, ...this.nodes, ...this.views);
    this.mark();
  }

  node(node, most) {
    const [x, y, width, height] = [node[NODE.x], node[NODE.y], node[NODE.width], node[NODE.height]];
    const top = y - height / 2 + LINE_HEIGHT / 2 + 8;
    const lines = node[NODE.lines].map((line, index) => make("text", { x, y: top + index * LINE_HEIGHT + 1 }, line));
    const words = { op: "op", scope: "open scope", outside: "go to" }[node[NODE.kind]];
    const group = make("g", {
      class: `node ${node[NODE.kind]} ${node[NODE.style]}`, tabindex: 0, role: "button",
      "aria-label": `${words} ${node[NODE.lines].join(", ")}${this.styleWords(node)}`,
    }, make("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 4 }), ...lines,
      ...(node[NODE.time] ? [make("rect", { class: "time", x: x - width / 2, y: y + height / 2 - 4, width: width * node[NODE.time] / most, height: 4 })] : []));
    onAct(group, () => this.act(node));
    return group;
  }

  // A mark on an edge for an op that moves nothing: a diamond for a new shape, a circle for another name of the same one.
  view(op, [x, y]) {
    const { kind, type, style } = this.data.ops[op];
    const words = `${kind} ${nameOf(this.data.ops[op])}${type ? ` to ${type}` : ""}`;
    const shape = kind === "reshape" ? make("path", { d: `M${x},${y - 6}L${x + 6},${y}L${x},${y + 6}L${x - 6},${y}z` }) : make("circle", { cx: x, cy: y, r: 5 });
    const mark = make("g", { class: `view ${style}`, tabindex: 0, role: "button", "aria-label": `view ${words}` }, shape, make("title", {}, words));
    onAct(mark, () => { if (!this.hasMoved) select(this.program, op); });
    mark.ops = [op];
    return mark;
  }

  // The marks on an edge; one that is too short for them has a single mark with their number, which lists them.
  viewsOn(path, views) {
    const [start, end] = [pointOn(path, 0), pointOn(path, 1)];
    const room = Math.hypot(end[0] - start[0], end[1] - start[1]) / (views.length + 1);
    if (views.length < 2 || room >= VIEW_ROOM) return views.map((op, index) => this.view(op, pointOn(path, (index + 1) / (views.length + 1))));
    const [x, y] = pointOn(path, 0.5);
    const words = `${views.length} views`;
    const mark = make("g", { class: "view several", tabindex: 0, role: "button", "aria-label": `list ${words}` },
      make("circle", { cx: x, cy: y, r: 8 }), make("text", { x, y: y + 3.5 }, String(views.length)), make("title", {}, words));
    const list = () => byId("detail").replaceChildren(make("h2", {}, `${words} on one edge: they move nothing`), opList(this.program, views));
    onAct(mark, () => { if (!this.hasMoved) list(); });
    mark.ops = views;
    return [mark];
  }

  styleWords(node) {
    return node[NODE.kind] === "op" ? { placed: ", inserted transpose", moved: ", transpose of the program" }[node[NODE.style]] || "" : "";
  }

  act(node) {
    if (this.hasMoved) return;
    if (node[NODE.kind] === "op") select(this.program, node[NODE.ref]);
    else if (node[NODE.kind] === "scope") this.open(node[NODE.ref]);
    else { this.open(node[NODE.ref], node[NODE.op]); select(this.program, node[NODE.op]); }
  }

  // Marks the selected op, and the edges to what it reads and to its readers.
  mark() {
    const { nodes, edges } = this.data.drawings[this.drawing];
    const op = selected[this.program];
    const isIt = (node) => op !== null && node[NODE.kind] === "op" && node[NODE.ref] === op;
    edges.forEach(([source, target, , , , , views], index) => {
      this.curves[index].classList.toggle("near", isIt(nodes[source]) || isIt(nodes[target]) || views.includes(op));
    });
    nodes.forEach((node, index) => {
      this.nodes[index].classList.toggle("selected", isIt(node));
    });
    for (const view of this.views) view.classList.toggle("selected", view.ops.includes(op));
  }

  // Shows the whole drawing, or an op of it and what is around it.
  fit(op = null) {
    const { size, nodes } = this.data.drawings[this.drawing];
    const box = this.svg.getBoundingClientRect();
    const ratio = box.width && box.height ? box.height / box.width : 0.6;
    const found = op === null ? null : nodes.find((node) => node[NODE.kind] === "op" && node[NODE.ref] === op);
    // A drawing that could not be read as a whole is shown in part.
    const most = Math.max(box.width, 400) * 1.5;
    const least = Math.max(box.width, 400) / 1.5;
    const width = Math.min(Math.max(size[0] + 40, (size[1] + 40) / ratio, least), found ? most / 1.5 : most);
    const height = width * ratio;
    const middle = (whole, part) => whole > part ? part / 2 - 20 : whole / 2;
    const near = (at, whole, part) => whole > part ? Math.min(Math.max(at, part / 2 - 20), whole - part / 2 + 20) : whole / 2;
    const [x, y] = found ? [near(found[NODE.x], size[0], width), near(found[NODE.y], size[1], height)] : [middle(size[0], width), middle(size[1], height)];
    this.box = [x - width / 2, y - height / 2, width, height];
    this.place();
  }

  place() { this.svg.setAttribute("viewBox", this.box.join(" ")); }

  zoom(factor, x = 0.5, y = 0.5) {
    const [left, top, width, height] = this.box;
    this.box = [left + width * (1 - factor) * x, top + height * (1 - factor) * y, width * factor, height * factor];
    this.place();
  }

  move(right, down) {
    this.box[0] += right * this.box[2];
    this.box[1] += down * this.box[3];
    this.place();
  }

  setUpMoving() {
    this.svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = this.svg.getBoundingClientRect();
      this.zoom(event.deltaY > 0 ? 1.15 : 0.87, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    }, { passive: false });
    this.svg.addEventListener("pointerdown", (event) => {
      this.start = [event.clientX, event.clientY];
      this.hasMoved = false;
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!this.start || !event.buttons) return;
      const [right, down] = [this.start[0] - event.clientX, this.start[1] - event.clientY];
      if (!this.hasMoved && Math.abs(right) + Math.abs(down) < 4) return;
      this.hasMoved = true;
      const box = this.svg.getBoundingClientRect();
      this.move(right / box.width, down / box.height);
      this.start = [event.clientX, event.clientY];
    });
    this.svg.addEventListener("pointerup", () => { this.start = null; });
    this.svg.addEventListener("keydown", (event) => {
      const moves = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
      if (moves[event.key]) this.move(...moves[event.key]);
      else if (event.key === "+") this.zoom(0.8);
      else if (event.key === "-") this.zoom(1.25);
      else if (event.key === "0") this.fit();
      else if (event.key === "Backspace" && this.data.drawings[this.drawing].parent !== null) this.open(this.data.drawings[this.drawing].parent);
      else return;
      event.preventDefault();
    });
  }
}

const MOST_LISTED = 12;
let panes = [];
const selected = data.programs.map(() => null);

function setUpGraph() {
  const names = data.programs.map(({ name }) => name);
  const choices = [...names.keys()].map((index) => [String(index), names[index]]).reverse();
  if (names.length > 1) choices.push(["all", names.join(" and ")]);
  byId("shown").append(...choices.map(([value, text]) => make("option", { value }, text)));
  byId("shown").addEventListener("change", () => {
    const value = byId("shown").value;
    showPanes(value === "all" ? [...names.keys()] : [Number(value)]);
  });
  byId("near").addEventListener("click", () => panes.forEach((pane) => pane.open(pane.data.near[0] ?? 0)));
  byId("near").disabled = !data.programs.some(({ near }) => near.length);
  const styles = [["cnn", "features, weights"], ["tensor", "tensors"], ["placed", "inserted transpose"], ["moved", "transpose of the program"]];
  byId("legend").append(...styles.map(([style, text]) => {
    const mark = ["placed", "moved"].includes(style) ? `border-color: var(--${style})` : `background: var(--${style})`;
    return make("span", {}, make("i", { style: mark }), text);
  }), ...[["M7,1L13,7L7,13L1,7z", "reshape"], ["M2,7A5,5 0 1 1 12,7A5,5 0 1 1 2,7z", "other view: nothing moves"]].map(([d, text]) =>
    make("span", {}, make("svg", { class: "view", viewBox: "0 0 14 14" }, make("path", { d })), text)));
  setUpSearch();
  setUpBoxes();
  showPanes([data.programs.length - 1]);
}

function showPanes(programs) {
  panes = programs.map((program) => new Pane(program));
  byId("panes").replaceChildren(...panes.map((pane) => pane.element));
  panes.forEach((pane) => {
    const op = selected[pane.program];
    if (op === null) pane.fit();
    else pane.open(pane.data.ops[op].drawing, op);
  });
}

function setUpSearch() {
  byId("search").addEventListener("input", () => {
    const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const { program } = panes[panes.length - 1];
    const { ops } = data.programs[program];
    const textOf = (op) => [op.kind, op.name, op.scope, op.model_name].join(" ").toLowerCase();
    const found = words.length === 0 ? [] : [...ops.keys()].filter((index) => words.every((word) => textOf(ops[index]).includes(word)));
    const items = found.slice(0, 30).map((index) => make("li", {}, opLink(program, index, opText(ops[index]))));
    if (words.length && !items.length) items.push(make("li", {}, "nothing found"));
    else if (found.length > items.length) items.push(make("li", {}, `and ${found.length - items.length} more`));
    byId("found").replaceChildren(...items);
  });
  byId("search").addEventListener("keydown", (event) => {
    if (event.key === "Escape") { byId("search").value = ""; byId("found").replaceChildren(); }
    if (event.key === "Enter") byId("found").querySelector("button")?.click();
  });
}

const opText = (op) => `${op.kind} ${op.scope ? `${op.scope}/` : ""}${nameOf(op)}`;

// Links to ops, one a line, with the last parts of their names.
const opList = (program, ops) => make("ul", { class: "ops" }, ...ops.slice(0, MOST_LISTED).map((index) =>
  make("li", {}, opLink(program, index, brief(opText(data.programs[program].ops[index]))),
    make("small", {}, ` ${data.programs[program].ops[index].type || ""}`))),
  ...(ops.length > MOST_LISTED ? [make("li", {}, `and ${ops.length - MOST_LISTED} more`)] : []));

// Opens the graph at an op.
function showOp(program, index) {
  byId("found").replaceChildren();
  if (!panes.some((pane) => pane.program === program)) {
    byId("shown").value = String(program);
    showPanes([program]);
  }
  openTab("graph");
  panes.filter((pane) => pane.program === program).forEach((pane) => pane.open(data.programs[program].ops[index].drawing, index));
  select(program, index);
}

// The op of another program with the same name, and of the same kind if there is one.
function counterpart(program, index, other) {
  const op = data.programs[program].ops[index];
  const name = (each) => each.model_name || each.name;
  const alike = [...data.programs[other].ops.keys()].filter((each) => name(data.programs[other].ops[each]) === name(op));
  return alike.find((each) => data.programs[other].ops[each].kind === op.kind) ?? alike[0] ?? null;
}

function select(program, index) {
  data.programs.forEach((_, other) => {
    selected[other] = other === program ? index : counterpart(program, index, other);
  });
  for (const pane of panes) {
    const op = selected[pane.program];
    const { nodes, edges } = pane.data.drawings[pane.drawing];
    const isDrawn = op === null || nodes.some((node) => node[NODE.kind] === "op" && node[NODE.ref] === op)
      || edges.some(([, , , , , , views]) => views.includes(op));
    if (isDrawn) pane.mark();
    else pane.open(pane.data.ops[op].drawing, op);
  }
  showDetail(program, index);
}

function showDetail(program, index) {
  const op = data.programs[program].ops[index];
  const rows = [
    ["name", op.model_name || op.name], ["scope", op.scope], ["value", op.model_name && op.name], ["place", op.place], ["type", op.type], ["class", op.cls],
    ["time", op.time && `${op.time.toLocaleString("en")} ${data.programs[program].times.unit}`], ["demand", op.demand], ["region", op.region], ["group", op.group && (op.stage ? `${op.group}, on stage ${op.stage}` : op.group)],
    ["moves", op.move && `${op.move} of ${op.shape}, ${bytesText(op)} bytes`],
  ].filter(([, text]) => text);
  const parts = rows.flatMap(([label, text]) => [make("h3", {}, label), make("div", {}, text)]);
  for (const [label, lines] of [["why", op.notes], ["changes that would help", op.removal], ["why not fused", op.apart]]) {
    if (lines) parts.push(make("h3", {}, label), ...lines.map((line) => make("p", {}, line)));
  }
  const readers = [...data.programs[program].ops.keys()].filter((each) => (data.programs[program].ops[each].reads || []).includes(index));
  for (const [label, ops] of [["reads", op.reads || []], ["read by", readers]]) {
    if (ops.length) parts.push(make("h3", {}, label), opList(program, ops));
  }
  if (op.text) parts.push(make("h3", {}, "op"), make("pre", {}, op.text));
  if (op.opens !== undefined) {
    const open = () => panes.filter((pane) => pane.program === program).forEach((pane) => pane.open(op.opens));
    parts.push(make("button", { type: "button", onclick: open }, `open @${op.callee}`));
  }
  byId("detail").replaceChildren(make("h2", {}, op.kind), ...parts);
}
