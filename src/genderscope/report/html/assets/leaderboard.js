document.querySelectorAll("th button").forEach(function (button) {
  button.addEventListener("click", function () {
    var heading = button.parentNode, row = heading.parentNode, body = row.parentNode.parentNode.tBodies[0];
    var index = Array.prototype.indexOf.call(row.children, heading);
    var up = heading.getAttribute("aria-sort") !== "ascending";
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
    Array.prototype.forEach.call(row.children, function (each) { each.removeAttribute("aria-sort"); });
    heading.setAttribute("aria-sort", up ? "ascending" : "descending");
  });
});
