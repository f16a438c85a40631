"""Checks SARIF documents with the models of sarif-pydantic (PyPI): sarif.py FILE...

A document must be valid, and have no property that the models do not know.
"""
import json
import sys

from pydantic import BaseModel
from sarif_pydantic import Sarif

# Properties of SARIF 2.1.0 that the models lack.
LACKING = {
    "columnKind",  # of a run, section 3.14.17
    "toolExecutionNotifications",  # of an invocation, section 3.20.21
    "suppressions",  # of a result
    "taxonomies",  # of a run
    "supportedTaxonomies",  # of a tool component
}


def unknown(model, path=""):
    if isinstance(model, BaseModel):
        for name in set(model.model_extra or {}) - LACKING:
            yield f"{path}/{name}"
        for name in model.model_fields_set:
            yield from unknown(getattr(model, name), f"{path}/{name}")
    elif isinstance(model, list):
        for index, element in enumerate(model):
            yield from unknown(element, f"{path}/{index}")


for file in sys.argv[1:]:
    with open(file, encoding="utf-8") as text:
        found = sorted(unknown(Sarif.model_validate(json.load(text))))
    if found:
        sys.exit(f"{file}: unknown {', '.join(found)}")
