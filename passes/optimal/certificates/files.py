"""The formats of certificates, by the ending of a file."""

from .core import Certificate

ENDINGS = (".json", ".json.gz")


def check_ending(file: str) -> str | None:
    """The words for a file that no format is for."""
    if file.lower().endswith(ENDINGS):
        return None
    return f"expected a name that ends in {' or '.join(ENDINGS)}, found '{file}'"


def data_for(certificate: Certificate, file: str) -> bytes:
    """The content of a file."""
    return certificate.data(is_compressed=file.lower().endswith(".gz"))
