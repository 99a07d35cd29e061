"""The exit codes of all commands."""

from collections.abc import Mapping

ERROR, UNDECIDED, NO, INTERRUPTED, CLOSED_PIPE = 1, 2, 3, 130, 141

EXIT_CODES: Mapping[int, str] = {
    0: "the command did what it was asked for, and the answer to a question is yes",
    ERROR: "the input or the arguments are wrong, or something went wrong: one message on standard error",
    UNDECIDED: "neither yes nor no could be shown; for a gate: ops that are left unchanged may hold transposes",
    NO: "the answer is no: two programs differ, a result differs from `--compare`, a gate (`--expect-...`) failed,"
    " a file breaks the rules of a target",
    INTERRUPTED: "interrupted (128 + SIGINT); 129 and 143 for SIGHUP and SIGTERM, if there were files to delete",
    CLOSED_PIPE: "standard output was closed before all was written (128 + SIGPIPE)",
}
