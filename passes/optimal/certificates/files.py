"""The formats of certificates, by the ending of a file."""

from .core import Certificate

ENDINGS = (".json", ".json.gz", ".vipr")


def check_ending(file: str) -> str | None:
    """The words for a file that no format is for."""
    if file.lower().endswith(ENDINGS):
        return None
    return f"expected a name that ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}, found '{file}'"


def data_for(certificate: Certificate, file: str) -> bytes:
    """The content of a file; raises ValueError if its format cannot state the proof."""
    if file.lower().endswith(".vipr"):
        if certificate.vipr is None:
            raise ValueError("VIPR has no groups of ops, which are part of this proof: use .json")
        return certificate.vipr().encode()
    return certificate.data(is_compressed=file.lower().endswith(".gz"))
