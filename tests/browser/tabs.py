"""Tabs that are kept from test to test: a new one costs more than loading a page in one that is open."""

WINDOW = {"width": 1280, "height": 720}


class Tabs:
    """The tabs of a browser, one for each kind of visitor, and what all pages asked of the network or said."""

    def __init__(self, browser):
        self._browser = browser
        self._tabs = {}
        self._looked_at = {}  # tab -> what it shows as it was loaded
        self.asked, self.said = [], []

    def load(self, url, viewport=None, color_scheme="light", **visitor):
        """Load a page anew, whatever was done to it before."""
        tab = self._tab(viewport or WINDOW, color_scheme, visitor)
        self._looked_at.pop(tab, None)
        tab.mouse.move(0, 0)  # where it points at nothing
        tab.goto(url)
        return tab

    def look(self, url, prepare, viewport=None, color_scheme="light", **visitor):
        """Show a page that nobody changes: what was looked at last is shown at another width or in other colours."""
        tab = self._tab(viewport or WINDOW, color_scheme, visitor)
        if self._looked_at.get(tab) != (url, prepare):
            prepare(self.load(url, viewport, color_scheme, **visitor))
            self._looked_at[tab] = (url, prepare)
        return tab

    def settle(self):
        """Wait until what the pages have said and asked for so far has arrived here."""
        for tab in self._tabs.values():
            tab.title()

    def _tab(self, viewport, color_scheme, visitor):
        kind = tuple(sorted(visitor.items()))
        if kind not in self._tabs:
            self._tabs[kind] = tab = self._browser.new_context(accept_downloads=True, **visitor).new_page()
            tab.on("request", lambda request: self.asked.append(request.url))
            tab.on("console", lambda message: self.said.append(message.text))
            tab.on("pageerror", lambda error: self.said.append(str(error)))
        tab = self._tabs[kind]
        if tab.viewport_size != viewport:
            tab.set_viewport_size(viewport)
        tab.emulate_media(media="null", color_scheme=color_scheme)
        return tab
