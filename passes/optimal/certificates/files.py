"""The formats of certificates, by the ending of a file."""

from .core import Certificate

ENDINGS = (".json", ".json.gz", ".vipr")


def check_ending(file: str) -> str | None:
    """The words for a file that no format is for."""
    if file.lower().endswith(ENDINGS):
        return None
    return f"expected a name that ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}, found '{file}'"


def data_for(certificate: Certificate, file: str) -> bytes:
    """The content of a file."""
    if file.lower().endswith(".vipr"):
        return certificate.vipr().encode()
    return certificate.data(is_compressed=file.lower().endswith(".gz"))
