"""The application, for the test that reads its pages."""

from tests.web.conftest import site

__all__ = ["site"]
