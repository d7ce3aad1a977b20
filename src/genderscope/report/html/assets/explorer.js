// The samples: unpacked once, filtered by index, and only one page of them is ever in the document.

const PAGE_ROWS = 25;

class Samples {
  constructor(place, filters) {
    this.place = place;
    this.filters = filters;
    this.columns = JSON.parse(place.querySelector("script").textContent).columns;
    this.size = (this.columns[0].rows ?? this.columns[0].numbers).length;
    this.own = new Map(); // filters of the samples alone
    this.words = "";
    this.order = null; // column and direction
    this.page = 0;
    this.build();
    filters.listeners.push(() => this.refresh());
    this.refresh();
  }

  build() {
    const bar = make("div", { className: "bar", role: "search", "aria-label": `Search ${this.place.dataset.name}` });
    this.search = make("input", { type: "search", placeholder: "words …" });
    let waiting;
    this.search.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => ((this.words = this.search.value), this.refresh()), 120);
    });
    bar.append(make("label", { className: "field" }, "search the texts", this.search));
    this.selects = new Map();
    for (const column of this.columns.filter((each) => each.kind === "choice")) {
      const values = column.values.filter((value) => value !== null).sort(byName);
      if (!values.length || column.values.length < 2) continue;
      const [label, select] = chooser(column.title, values, (value) => this.filters.set(column.name, value));
      if (column.values.includes(null)) select.append(make("option", { value: "\u0000none" }, "(nothing)"));
      this.selects.set(column.name, select);
      bar.append(label);
    }
    bar.append(...this.sorter());
    this.head = make("tr");
    this.columns.forEach((column) => {
      const head = make("th", { scope: "col", className: column.kind, "aria-sort": "none" });
      head.append(button(column.title, () => this.sort(column, head, head.getAttribute("aria-sort") === "ascending")));
      this.head.append(head);
    });
    this.body = make("tbody");
    const table = make("table", { "aria-label": this.place.dataset.name }, make("thead", {}, this.head), this.body);
    this.count = make("span", { className: "count" });
    this.back = button("Back", () => this.turn(-1));
    this.next = button("Next", () => this.turn(1));
    const csvButton = button("Download these rows (CSV)", () => this.download());
    const pages = make("div", { className: "pages" }, this.back, this.next, this.count, csvButton);
    this.place.append(bar, make("div", { className: "scroll", role: "region", tabIndex: 0, "aria-label": this.place.dataset.name }, table), pages);
  }

  text(column, row) {
    if (column.numbers) return column.numbers[row];
    return column.values[column.rows[row]];
  }

  refresh() {
    for (const [name, select] of this.selects) select.value = this.filters.chosen.get(name) ?? "";
    const tests = [];
    for (const [key, value] of this.filters.chosen) {
      const column = this.columns.find((each) => each.name === key && each.kind === "choice");
      if (!column) continue;
      const wanted = column.values.indexOf(value === "\u0000none" ? null : value);
      tests.push((row) => column.rows[row] === wanted);
    }
    for (const word of this.words.toLowerCase().split(/\s+/).filter(Boolean)) tests.push(this.holding(word));
    this.found = [];
    for (let row = 0; row < this.size; row++) if (tests.every((test) => test(row))) this.found.push(row);
    this.arrange();
    this.page = 0;
    this.draw();
    announce(`${this.found.length} samples`);
  }

  /** Tell which rows hold a word in any text; each different text is looked at once. */
  holding(word) {
    const searched = this.columns.filter((column) => column.kind !== "number");
    const hits = searched.map((column) => {
      column.lower ??= column.values.map((value) => plain(value).toLowerCase());
      return column.lower.map((text) => text.includes(word));
    });
    return (row) => searched.some((column, k) => hits[k][column.rows[row]]);
  }

  /** Where rows are cards there are no headings to click: the same in a list, which the style shows there. */
  sorter() {
    const titles = this.columns.map((column) => column.title);
    const select = make("select", { className: "sorter", "aria-label": "sort by" }, make("option", { value: "" }, "sort by: as in the data"));
    titles.forEach((title, index) => select.append(make("option", { value: String(index) }, `sort by: ${title}`)));
    const sorted = (down) => {
      if (select.value !== "") return this.sort(this.columns[select.value], this.head.children[select.value], down);
      this.order = null;
      for (const head of this.head.children) head.setAttribute("aria-sort", "none");
      return this.refresh();
    };
    select.addEventListener("change", () => sorted(false));
    return [select, button("Reverse", () => sorted(this.order?.direction === 1), { className: "sorter" })];
  }

  sort(column, head, down) {
    for (const other of this.head.children) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    this.order = { column, direction: down ? -1 : 1 };
    this.arrange();
    this.page = 0;
    this.draw();
  }

  arrange() {
    if (!this.order) return;
    const { column, direction } = this.order;
    column.keys ??= column.numbers ?? ranks(column.values.map(plain), column.values);
    const key = column.numbers ? (row) => column.keys[row] : (row) => column.keys[column.rows[row]];
    this.found.sort((a, b) => compare(key(a), key(b), direction) || a - b);
  }

  turn(pages) {
    this.page += pages;
    this.draw();
    this.body.firstChild?.scrollIntoView({ block: "nearest" });
  }

  draw() {
    const start = this.page * PAGE_ROWS;
    const shown = this.found.slice(start, start + PAGE_ROWS);
    this.body.replaceChildren(...shown.map((row) => this.line(row)));
    const total = this.found.length.toLocaleString("en");
    this.count.textContent = shown.length ? `${(start + 1).toLocaleString("en")} to ${(start + shown.length).toLocaleString("en")} of ${total} samples` : "No sample is left; choose less.";
    this.back.disabled = start === 0;
    this.next.disabled = start + PAGE_ROWS >= this.found.length;
  }

  line(row) {
    const line = make("tr");
    for (const column of this.columns) {
      const value = this.text(column, row);
      const cell = make("td", { className: column.kind, "data-title": column.title });
      if (column.kind === "text") cell.append(...parts(value));
      else if (value !== null) cell.textContent = column.numbers ? value.toPrecision(3) : value;
      line.append(cell);
    }
    return line;
  }

  download() {
    const rows = [this.columns.map((column) => column.name)];
    for (const row of this.found) {
      rows.push(this.columns.map((column) => (column.kind === "text" ? plain(this.text(column, row)) : this.text(column, row))));
    }
    save(`${this.place.dataset.name}.csv`, csv(rows), "text/csv");
  }
}

/** Parts of a text as nodes: words that were read are marked, and say so to those who cannot see colours. */
function parts(value) {
  if (value === null) return [];
  if (typeof value === "string") return [value];
  return value.map((part) => {
    if (typeof part === "string") return part;
    const [word, kind] = part;
    if (kind === "faded") return make("span", { className: "faded" }, word);
    return make("mark", { className: kind, title: kind === "other" ? "" : kind }, word);
  });
}

function plain(value) {
  if (value === null) return "";
  return typeof value === "string" ? value : value.map((part) => (typeof part === "string" ? part : part[0])).join("");
}

/** Each value's place among all of them in order; null stays null. */
function ranks(texts, values) {
  const sorted = [...new Set(texts)].sort(byName);
  const place = new Map(sorted.map((text, index) => [text, index]));
  return texts.map((text, index) => (values[index] === null ? null : place.get(text)));
}
