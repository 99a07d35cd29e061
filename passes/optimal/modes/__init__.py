"""The modes of ops: the storages of a module, and the forms of each op in other byte orders of them."""
