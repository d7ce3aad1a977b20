"""`genderscope serve`: a folder of runs in the browser."""

from pathlib import Path
from threading import Thread
from typing import Annotated

import typer

from genderscope.cli.output import messages


def serve_command(
    folder: Annotated[Path, typer.Argument(help="Folder with runs, searched recursively.", metavar="DIR")],
    port: Annotated[int, typer.Option(help="Listen on this port; 0 chooses a free one.", min=0, max=65535)] = 8717,
) -> None:
    """Browse the runs in a folder with a web browser on this machine."""
    from genderscope.runs import require_folders

    require_folders(folder)
    from genderscope.serving import open_viewer

    with open_viewer(folder, port) as viewer:
        print(viewer.url, flush=True)
        # The list is read before the browser asks for it; a folder may contain hundreds of runs.
        Thread(target=viewer.index.runs, daemon=True).start()
        messages.print("Press Ctrl+C to stop.")
        try:
            viewer.serve_forever()
        except KeyboardInterrupt:
            messages.print("Stopped.")
