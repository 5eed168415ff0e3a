"""`python -m pythia_epidoc` is the `pythia-epidoc` command."""

from pythia_epidoc.cli import main

if __name__ == "__main__":
    main()
