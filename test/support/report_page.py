"""The data of a page that `--report` has written."""

import json
import re
from typing import Any


def data_of(page: str) -> Any:
    """The data that the script of a page reads."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])
