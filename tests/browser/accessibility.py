"""What axe finds on a page, and what is cut; contrast once for every look, since a table of a thousand rows has few."""

from importlib.resources import files

#: Whether a text can be read against its background depends on its style and on those around it, which is its look.
#: What is folded away has no colours, and most rules leave it out, but only after a long look at every element: those
#: that do not are asked about the whole page, all are asked about what is to be seen.
FOUND = """async () => {
  const COLOURS = ['color-contrast', 'link-in-text-block'];
  const told = new Map([[null, '']]);
  const look = (each) => {
    if (!told.has(each)) {
      const s = getComputedStyle(each);
      const own = [each.tagName, each.getAttribute('class'), s.color, s.fill, s.backgroundColor, s.backgroundImage,
        s.opacity, s.filter, s.mixBlendMode, s.textShadow, s.fontSize, s.fontWeight, s.position, s.zIndex];
      told.set(each, `${look(each.parentElement)}>${own.join('|')}`);
    }
    return told.get(each);
  };
  const written = (each) => each.matches('input, select, textarea, button')
    || [...each.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim());
  const looks = new Set();
  for (const each of document.querySelectorAll('body *')) {
    if (!written(each) || !each.checkVisibility() || looks.has(look(each))) continue;
    looks.add(look(each));
    each.setAttribute('data-look', '');
  }
  axe.configure({rules: [{id: 'color-contrast', selector: '[data-look]'}]});
  const violations = async (options) => (await axe.run(document, {resultTypes: ['violations'], ...options})).violations;
  const folds = [...document.querySelectorAll('details:not([open]) > :not(summary)')];
  let found = [];
  if (folds.length) {
    const values = axe._audit.rules.filter((rule) => !rule.excludeHidden && rule.enabled
      && !rule.tags.includes('experimental') && !COLOURS.includes(rule.id)).map((rule) => rule.id);
    found = await violations({runOnly: {type: 'rule', values}});
  }
  const places = folds.map((each) => {
    const place = document.createComment('');
    each.replaceWith(place);
    return place;
  });
  found = [...found, ...await violations({})];
  folds.forEach((each, k) => places[k].replaceWith(each));
  document.querySelectorAll('[data-look]').forEach((each) => each.removeAttribute('data-look'));
  return found.map((each) => [each.id, each.nodes.slice(0, 3).map((node) => node.html.slice(0, 120))]);
}"""

#: What is wider than its box, or lies outside the window: text that nobody can read without a word about it.
CUT = """() => [...document.querySelectorAll('body *')].filter((e) => {
  if (!e.getClientRects().length || e.closest('.hidden, .skip, svg')) return false;
  const box = e.getBoundingClientRect();
  const wide = getComputedStyle(e).display !== 'inline' && e.scrollWidth > e.clientWidth + 1;
  return wide || box.right > innerWidth + 1 || box.left < -1;
}).map((e) => e.tagName + ' ' + e.textContent.trim().slice(0, 40))"""


def violations(page):
    """Return what axe objects to: the rule, and the first elements that break it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    return page.evaluate(FOUND)
