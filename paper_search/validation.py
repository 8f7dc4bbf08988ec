"""What pydantic found wrong, in one line that names the fields and repeats none of the values."""

from pydantic import ValidationError

from papercore import limits


def problems(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_input=False)[: limits.PROBLEMS]
    return "; ".join(f"{'.'.join(map(str, problem['loc']))[: limits.ID_CHARS]}: {problem['msg']}" for problem in found)
