// Figures are drawn already. This makes them answer: text on hover or by arrow keys, filters, download.

const REACH = 26; // pixels around a mark that count as pointing at it

class Chart {
  constructor(figure, filters) {
    this.figure = figure;
    this.filters = filters;
    for (const drawing of figure.querySelectorAll(".drawing")) this.enliven(drawing);
    const tools = make("div", { className: "tools" });
    tools.append(button("Download SVG", () => this.download()));
    figure.append(tools);
    filters.listeners.push(() => this.filter());
  }

  enliven(drawing) {
    const marks = [...drawing.querySelectorAll("[data-keys]")];
    if (!marks.length) return;
    drawing.tabIndex = 0;
    drawing.classList.add("clickable");
    let at = -1;
    let boxes = [];
    const measure = () => (boxes = marks.map((mark) => mark.getBoundingClientRect()));
    drawing.addEventListener("pointerenter", measure);
    drawing.addEventListener("pointermove", (event) => {
      if (!boxes.length || boxes[0].top !== marks[0].getBoundingClientRect().top) measure();
      const near = nearest(boxes, marks, event.clientX, event.clientY);
      if (near < 0) hideTip();
      else showTip(marks[near], event.clientX, event.clientY);
    });
    drawing.addEventListener("pointerleave", hideTip);
    drawing.addEventListener("blur", hideTip);
    drawing.addEventListener("click", (event) => {
      measure();
      const near = nearest(boxes, marks, event.clientX, event.clientY);
      if (near >= 0) this.choose(JSON.parse(marks[near].dataset.keys));
    });
    drawing.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      if (event.key === "Escape") hideTip();
      if (event.key === "Enter" && at >= 0) this.choose(JSON.parse(marks[at].dataset.keys));
      if (!step) return;
      event.preventDefault();
      const shown = marks.map((mark, index) => [mark, index]).filter(([mark], index) => different(marks, index) && !mark.classList.contains("off"));
      if (!shown.length) return;
      const now = shown.findIndex(([, index]) => index === at);
      const next = now < 0 ? (step > 0 ? 0 : shown.length - 1) : (now + step + shown.length) % shown.length;
      at = shown[next][1];
      const box = marks[at].getBoundingClientRect();
      showTip(marks[at], box.right, box.top);
      announce(marks[at].dataset.label);
    });
  }

  /** Filter by what a mark stands for; a second time shows all again. The model alone is no choice among one. */
  choose(keys) {
    const wanted = Object.entries(keys).filter(([key]) => key !== "model" || Object.keys(keys).length === 1);
    const same = wanted.every(([key, value]) => this.filters.chosen.get(key) === value);
    for (const [key, value] of wanted) this.filters.set(key, same ? "" : value);
  }

  filter() {
    for (const mark of this.figure.querySelectorAll("[data-keys]")) {
      mark.classList.toggle("off", !this.filters.matches(JSON.parse(mark.dataset.keys)));
    }
  }

  /** The figure as a file: dark ink, without what is filtered out. */
  download() {
    const copy = this.figure.querySelector(".drawing.wide svg").cloneNode(true);
    copy.querySelectorAll(".off").forEach((mark) => mark.remove());
    for (const mark of copy.querySelectorAll("[data-keys]")) {
      mark.setAttribute("aria-label", mark.dataset.label);
      ["data-keys", "data-label", "class"].forEach((name) => mark.removeAttribute(name));
    }
    const text = new XMLSerializer().serializeToString(copy).replaceAll("currentColor", "#1c1c22");
    save(`${this.figure.dataset.name}.svg`, `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`, "image/svg+xml");
  }
}

/** A dot and its line have the same text: one of them is enough for the arrow keys. */
function different(marks, index) {
  return marks.findIndex((mark) => mark.dataset.label === marks[index].dataset.label) === index;
}

function nearest(boxes, marks, x, y) {
  let best = -1;
  let least = REACH;
  boxes.forEach((box, index) => {
    if (marks[index].classList.contains("off")) return;
    const away = Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
    if (away < least) [best, least] = [index, away];
  });
  return best;
}

function showTip(mark, x, y) {
  const tip = document.getElementById("tip");
  tip.textContent = mark.dataset.label;
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(8, Math.min(x + 14, innerWidth - width - 8))}px`;
  tip.style.top = `${y + height + 24 > innerHeight ? Math.max(8, y - height - 14) : y + 14}px`;
}

function hideTip() {
  document.getElementById("tip").hidden = true;
}
