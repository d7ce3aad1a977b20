"""`python -m genderscope` is the command line."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C prints no traceback, even while modules are still being imported."""
    try:
        from genderscope.cli import main as command

        command()
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
