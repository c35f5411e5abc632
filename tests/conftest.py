"""Settings for all tests."""

from hypothesis import HealthCheck, settings

# No test is timed: a busy machine must not make one fail. The examples are the same in every run.
settings.register_profile(
    "grognard",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("grognard")
