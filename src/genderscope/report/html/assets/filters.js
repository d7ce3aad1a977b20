// One set of filters for all figures, tables and samples of a measure.

/** What the reader has chosen: key -> value. Whatever has that key with another value is put aside. */
class Filters {
  chosen = new Map();
  listeners = [];

  set(key, value) {
    if (value) this.chosen.set(key, value);
    else this.chosen.delete(key);
    this.listeners.forEach((listener) => listener());
  }

  clear() {
    this.chosen.clear();
    this.listeners.forEach((listener) => listener());
  }

  matches(keys) {
    for (const [key, value] of this.chosen) if (key in keys && keys[key] !== value) return false;
    return true;
  }
}

/** Build the bar above the figures: a list for each key that figures have with more than one value. */
function buildFilters(section, filters) {
  const known = new Map();
  for (const marked of section.querySelectorAll(".drawing.wide [data-keys], tr[data-keys]")) {
    const inFigure = marked.tagName !== "TR";
    for (const [key, value] of Object.entries(JSON.parse(marked.dataset.keys))) {
      if (!known.has(key)) known.set(key, { values: new Set(), inFigure: false });
      known.get(key).values.add(value);
      known.get(key).inFigure ||= inFigure;
    }
  }
  const bar = section.querySelector(".filters");
  const selects = new Map();
  for (const [key, { values, inFigure }] of known) {
    if (values.size < 2 || !inFigure) continue;
    const [label, select] = chooser(key, [...values].sort(byName), (value) => filters.set(key, value));
    selects.set(key, select);
    bar.append(label);
  }
  if (!selects.size) return;
  const reset = button("Show all", () => filters.clear());
  bar.prepend(make("span", { className: "title" }, "Filter"));
  bar.append(reset);
  bar.hidden = false;
  filters.listeners.push(() => {
    for (const [key, select] of selects) select.value = filters.chosen.get(key) ?? "";
    reset.disabled = !filters.chosen.size;
  });
}
