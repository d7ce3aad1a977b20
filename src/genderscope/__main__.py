"""Entry point of `python -m genderscope`."""

import os
import sys


def main() -> None:
    """Run the command line; Ctrl-C prints no traceback, even while modules are still being imported."""
    # Searching for pydantic plugins would parse the metadata of every installed package.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        from genderscope.cli import main as command

        command()
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
