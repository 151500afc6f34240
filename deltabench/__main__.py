"""`python -m deltabench` is the command `deltabench`."""

from deltabench.cli import main

if __name__ == "__main__":
    main()
