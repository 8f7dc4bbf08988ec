"""What pydantic found wrong, in one line that names the fields and repeats none of the values."""

from pydantic import ValidationError


def problems(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_input=False)
    return "; ".join(f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in found)
