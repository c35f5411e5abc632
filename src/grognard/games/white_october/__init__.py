"""White October: Yudenich's march on Petrograd, 1919."""
