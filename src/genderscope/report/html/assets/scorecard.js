(function () {
  var table = document.querySelector("#card table"), body = table.tBodies[0], status = document.getElementById("status");
  var heads = Array.prototype.slice.call(table.tHead.rows[0].cells);

  function keys(row, index) {
    var cell = row.cells[index];
    if (index === 0) { return [row.dataset.label.toLowerCase()]; }
    return ["rank", "far"].map(function (name) { return cell.dataset[name] === "" ? null : Number(cell.dataset[name]); });
  }

  // Ranks first: runs that share one are ties, whatever their distance. What has none comes last, up or down.
  function compare(one, other, up) {
    for (var k = 0; k < one.length; k++) {
      if (one[k] === other[k]) { continue; }
      if (one[k] === null) { return 1; }
      if (other[k] === null) { return -1; }
      return (one[k] < other[k] ? -1 : 1) * (up ? 1 : -1);
    }
    return 0;
  }

  function sort(index, up) {
    var head = heads[index];
    var rows = Array.prototype.slice.call(body.rows).map(function (row) { return [keys(row, index), row]; });
    rows.sort(function (a, b) { return compare(a[0], b[0], up); });
    rows.forEach(function (each) { body.appendChild(each[1]); });
    heads.forEach(function (each) { each.setAttribute("aria-sort", "none"); });
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    sorter.selectedIndex = index;
    status.textContent = "Sorted by " + head.dataset.label + (index ? "; equal ranks (=) are ties." : ".");
  }

  function isUp(head) { return head.getAttribute("aria-sort") === "ascending"; }

  // Where rows are cards there are no headings to click: the same in a list.
  var sorter = document.getElementById("sorter");
  heads.forEach(function (head, index) {
    var button = document.createElement("button"), option = document.createElement("option");
    button.type = "button";
    button.textContent = option.textContent = head.dataset.label;
    sorter.appendChild(option);
    head.replaceChild(button, head.firstChild);
    head.setAttribute("aria-sort", index === 0 ? "ascending" : "none");
    button.addEventListener("click", function () { sort(index, !isUp(head)); });
  });
  sorter.addEventListener("change", function () { sort(sorter.selectedIndex, true); });
  document.getElementById("reverse").addEventListener("click", function () {
    sort(sorter.selectedIndex, !isUp(heads[sorter.selectedIndex]));
  });

  var models = document.getElementById("models"), measures = document.getElementById("measures");
  function filter() {
    var text = models.value.toLowerCase(), wanted = measures.value, shown = 0;
    Array.prototype.forEach.call(body.rows, function (row) {
      row.hidden = row.dataset.label.toLowerCase().indexOf(text) < 0;
      shown += row.hidden ? 0 : 1;
    });
    Array.prototype.forEach.call(table.querySelectorAll("[data-measure]"), function (cell) {
      cell.hidden = wanted !== "" && cell.dataset.measure !== wanted;
    });
    status.textContent = shown + " of " + body.rows.length + " models shown.";
  }
  models.addEventListener("input", filter);
  measures.addEventListener("change", filter);
  document.querySelector(".filters").hidden = false;
})();
