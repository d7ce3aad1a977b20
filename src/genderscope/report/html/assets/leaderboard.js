(function () {
  function each(list, what) { Array.prototype.forEach.call(list, what); }

  function sort(heading, up) {
    var row = heading.parentNode, body = row.parentNode.parentNode.tBodies[0];
    var index = Array.prototype.indexOf.call(row.children, heading);
    function key(line) {
      var cell = line.children[index];
      return cell.hasAttribute("data-key") ? (cell.dataset.key === "" ? null : Number(cell.dataset.key)) : cell.textContent;
    }
    Array.prototype.slice.call(body.rows).sort(function (a, b) {
      var x = key(a), y = key(b);
      if (x === null || y === null) { return (x === null) - (y === null); }
      var order = typeof x === "number" ? x - y : x.localeCompare(y);
      return up ? order : -order;
    }).forEach(function (line) { body.appendChild(line); });
    each(row.children, function (other) { other.removeAttribute("aria-sort"); });
    heading.setAttribute("aria-sort", up ? "ascending" : "descending");
  }

  function make(name, text) {
    var made = document.createElement(name);
    made.textContent = text;
    return made;
  }

  each(document.querySelectorAll("table"), function (table) {
    var headings = [], line = make("p", ""), label = make("label", "sort by "), select = make("select", "");
    var reverse = make("button", "reverse");
    function chosen() { return headings[select.selectedIndex]; }
    function isUp(heading) { return heading.getAttribute("aria-sort") === "ascending"; }
    each(table.querySelectorAll("th button"), function (button) {
      headings.push(button.parentNode);
      select.appendChild(make("option", button.textContent));
      button.addEventListener("click", function () {
        sort(button.parentNode, !isUp(button.parentNode));
        select.selectedIndex = headings.indexOf(button.parentNode);
      });
    });
    // Where rows are cards there are no headings to click.
    line.className = "sorter";
    reverse.type = "button";
    label.appendChild(select);
    line.appendChild(label);
    line.appendChild(reverse);
    select.addEventListener("change", function () { sort(chosen(), true); });
    reverse.addEventListener("click", function () { sort(chosen(), !isUp(chosen())); });
    table.parentNode.parentNode.insertBefore(line, table.parentNode);
  });
})();
