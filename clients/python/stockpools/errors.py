"""What a request can fail with."""

from __future__ import annotations

from typing import Optional


class StockpoolsError(Exception):
    """Base of all errors of this package."""


class TransportError(StockpoolsError):
    """The service could not be reached, or its answer could not be read."""


class ApiError(StockpoolsError):
    """The service refused the request (RFC 9457).

    code: for programs, such as ``invalid_parameter`` or ``pool_not_found``.
    param: the parameter at fault, where there is one.
    request_id: finds the request in the log of the service.
    retry_after: seconds to wait, where the service says so.
    """

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        param: Optional[str] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.param = param
        self.request_id = request_id
        self.retry_after = retry_after
