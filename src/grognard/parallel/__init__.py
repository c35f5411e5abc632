"""Many tasks at once: processes on this machine, Ray on others."""
