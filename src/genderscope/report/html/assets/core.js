"use strict";
// What the other scripts share. Text from models and data is only ever set as textContent or as an attribute's value.

/** Make an element with properties (data-* and aria-* as attributes) and children; strings become text. */
function make(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children);
  return made;
}

/** Tell those who listen rather than look what has changed. */
function announce(text) {
  document.getElementById("status").textContent = text;
}

/** Give the reader a file. */
function save(name, content, type) {
  const link = make("a", { href: URL.createObjectURL(new Blob([content], { type })), download: fileName(name) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function fileName(name) {
  const [, stem, ending] = /^(.*)(\.\w+)$/s.exec(name);
  return stem.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").toLowerCase().slice(0, 80) + ending;
}

const NUMBER = /^[-+]?(\d[\d,]*)?\.?\d+(e[-+]?\d+)?$/i;

/** Write rows as CSV. A text that a spreadsheet would take for a formula gets an apostrophe in front. */
function csv(rows) {
  const cell = (value) => {
    let text = value === null || value === undefined ? "" : String(value);
    if (typeof value !== "number" && /^[=+\-@\t\r]/.test(text) && !NUMBER.test(text)) text = "'" + text;
    return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  return rows.map((row) => row.map(cell).join(",") + "\r\n").join("");
}

/** Make a labelled list to choose from; the first choice is "all". */
function chooser(title, values, onChange) {
  const select = make("select", {}, make("option", { value: "" }, "all"));
  for (const value of values) select.append(make("option", { value }, value));
  select.addEventListener("change", () => onChange(select.value));
  return [make("label", { className: "field" }, title, select), select];
}

/** Sort names as people do: 2 before 10. */
const byName = new Intl.Collator("en", { numeric: true }).compare;

function button(text, onClick, properties = {}) {
  const made = make("button", { type: "button", ...properties }, text);
  made.addEventListener("click", onClick);
  return made;
}
