"""Renders templates of Airbyte's manifests with Jinja and the functions and filters of Airbyte's CDK.

    expressions.py               reads lines of JSON {template, context, now} and writes a line {text} or {error} for each
    expressions.py --write FILE  writes the texts of a table {now, contexts, cases: [{template, texts}]}: one text for each context,
                                 null where Jinja fails

Debian: python3-jinja2, python3-dateutil, python3-isodate.
"""

import base64
import datetime
import hashlib
import json
import re
import sys
from urllib.parse import quote_plus

from dateutil import parser
from isodate import parse_duration
from jinja2.sandbox import SandboxedEnvironment

UTC = datetime.timezone.utc


def str_to_datetime(text):
    read = parser.isoparse(text)
    return (read if read.tzinfo else read.replace(tzinfo=UTC)).astimezone(UTC)


def formatted(instant, format):
    """Formats an instant; the CDK has formats of its own for numbers."""
    if format == "%s":
        return str(int(instant.timestamp()))
    if format == "%s_as_float":
        return str(float(instant.timestamp()))
    if format == "%epoch_microseconds":
        return str(int(instant.timestamp() * 1_000_000))
    if format in ("%ms", "%_ms"):
        return str(int(instant.timestamp() * 1000))
    return instant.strftime(format)


def format_datetime(dt, format, input_format=None):
    if isinstance(dt, datetime.datetime):
        return dt.strftime(format)
    if isinstance(dt, int) and input_format in (None, "%s"):
        instant = datetime.datetime.fromtimestamp(dt, UTC)
    elif input_format:
        instant = datetime.datetime.strptime(str(dt), input_format)
    else:
        instant = str_to_datetime(dt)
    return formatted(instant if instant.tzinfo else instant.replace(tzinfo=UTC), format)


def timestamp(dt):
    return int(dt) if isinstance(dt, (int, float)) else str_to_datetime(dt).timestamp()


def regex_search(value, regex):
    found = re.search(regex, value)
    return found.group(1) if found and found.groups() else ""


def hash_of(value, hash_type="md5", salt=None):
    hashed = hashlib.new(hash_type)
    hashed.update(str(value).encode())
    if salt:
        hashed.update(str(salt).encode())
    return hashed.hexdigest()


class Renderer:
    """Renders templates at a time that each rendering sets."""

    def __init__(self):
        self.now = None
        self.templates = {}
        self.environment = SandboxedEnvironment()
        self.environment.filters.update(
            string=lambda value: value if isinstance(value, str) else json.dumps(value),
            regex_search=regex_search,
            regex_replace=lambda value, regex, replacement: re.sub(regex, replacement, value),
            base64encode=lambda value: base64.b64encode(value.encode()).decode(),
            base64decode=lambda value: base64.b64decode(value.encode()).decode(),
            hash=hash_of,
        )
        self.environment.globals.update(
            now_utc=lambda: self.now,
            today_utc=lambda: self.now.date(),
            timestamp=timestamp,
            str_to_datetime=str_to_datetime,
            max=lambda *given: max(*given),
            min=lambda *given: min(*given),
            duration=parse_duration,
            format_datetime=format_datetime,
            day_delta=lambda days, format="%Y-%m-%dT%H:%M:%S.%f%z": (
                self.now + datetime.timedelta(days=days)
            ).strftime(format),
            sanitize_url=quote_plus,
            camel_case_to_snake_case=lambda value: re.sub(r"(?<!^)(?=[A-Z])", "_", value).lower(),
        )

    def render(self, template, context, now):
        self.now = datetime.datetime.fromisoformat(now.replace("Z", "+00:00"))
        if template not in self.templates:
            self.templates[template] = self.environment.from_string(template)
        return self.templates[template].render(context)


def render_lines(renderer):
    for line in sys.stdin:
        try:
            answer = {"text": renderer.render(**json.loads(line))}
        except Exception as error:  # Any error of a template is an answer.
            answer = {"error": f"{type(error).__name__}: {str(error)[:60]}"}
        sys.stdout.write(json.dumps(answer) + "\n")


def write_expected(renderer, path):
    with open(path, encoding="utf-8") as file:
        table = json.load(file)
    for case in table["cases"]:
        case["texts"] = []
        for context in table["contexts"]:
            try:
                text = renderer.render(case["template"], context, table["now"])
            except Exception:  # Any error of a template has no text.
                text = None
            case["texts"].append(text)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(table, file, ensure_ascii=False, indent=2)
        file.write("\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        write_expected(Renderer(), sys.argv[2])
    else:
        render_lines(Renderer())
