"""Checks catalogs against a JSON Schema: schema.py SCHEMA FILE...

Prints one line for each file: its path, and either "valid" or the place and the message of its first finding, which is
the one deepest in the file. The exit code is 1 if a file is not valid. The schema itself is checked against its
metaschema. The validator is jsonschema (PyPI).
"""
import json
import re
import sys

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match


class Loader(yaml.CSafeLoader):
    """Reads the core schema of YAML 1.2, as editors do. PyYAML's own is that of 1.1, in which `no` is false."""

    yaml_implicit_resolvers = {}


for tag, pattern, first in [
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", list("-+0123456789")),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
     list("-+0123456789.")),
]:
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), first)

# PyYAML reads octal numbers as 1.1 writes them.
Loader.add_constructor(
    "tag:yaml.org,2002:int", lambda loader, node: int(node.value, 0 if re.match("0[ox]", node.value) else 10))

with open(sys.argv[1], encoding="utf-8") as text:
    schema = json.load(text)
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
isValid = True
for path in sys.argv[2:]:
    with open(path, encoding="utf-8-sig") as text:
        found = best_match(validator.iter_errors(yaml.load(text, Loader)))
    isValid = isValid and found is None
    print(f"{path}: {found.json_path + ': ' + found.message.splitlines()[0] if found else 'valid'}")
sys.exit(0 if isValid else 1)
