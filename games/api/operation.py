"""What the description says of each operation beside what drf-spectacular finds out: what it takes, how often."""

from typing import Any

from drf_spectacular.openapi import AutoSchema

SCOPE = "x-scope"
LIMIT = "x-limit"


class OperationSchema(AutoSchema):
    """Describes an operation with the scope that a program must have, and its limit a minute."""

    def get_operation(self, path: str, path_regex: str, path_prefix: str, method: str, registry: Any) -> Any:
        """Return the operation, None for one that is not described."""
        operation = super().get_operation(path, path_regex, path_prefix, method, registry)
        view: Any = self.view
        if operation is not None:
            view.request.method = method
            (throttle,) = view.get_throttles()
            operation[SCOPE], operation[LIMIT] = view.scopes[method], throttle.rate
        return operation
