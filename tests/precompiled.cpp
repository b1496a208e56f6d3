// Nothing: its target compiles the headers for all tests.
