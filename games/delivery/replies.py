"""What a mail server's refusal says: that there is no such mailbox, or something else."""

import re
from dataclasses import dataclass
from smtplib import SMTPDataError, SMTPRecipientsRefused, SMTPResponseException
from typing import Final

PERMANENT: Final = 500
"""From this answer on, a mail server says no for good."""
GONE: Final = frozenset({"5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10"})
"""The enhanced codes (RFC 3463) of an address that is nobody's. Others of 5.1 are about the sender, or say nothing."""
UNKNOWN: Final = re.compile(
    r"\b(user|recipient|mailbox|account|address)\b.{0,20}\b(unknown|not found|(does not|doesn't) exist)"
    r"|\bunknown (user|recipient|mailbox|account|address)"
    r"|\bno such (user|recipient|mailbox|account|address|person)",
    re.IGNORECASE,
)
"""How servers without such codes put it."""
ABOUT_US: Final = re.compile(
    r"\b(sender|relay|relaying|blocked|block ?list|black ?list|listed|spam|policy|reputation|denied|authenticat\w+)\b",
    re.IGNORECASE,
)
"""Words of answers that are about whoever sends, whatever their code."""
ADDRESS: Final = re.compile(r"\S+@\S+")
LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer of a mail server that took a mail not."""

    code: int
    text: str
    about_receiver: bool
    """Whether it came where servers judge a receiver, not in answer to who sends."""

    @property
    def for_good(self) -> bool:
        """Whether the server need not be asked again."""
        return self.code >= PERMANENT

    @property
    def mailbox_is_gone(self) -> bool:
        """Whether it says that nobody has that address. What is unclear says nothing of it."""
        if not (self.about_receiver and self.for_good) or ABOUT_US.search(self.text):
            return False
        status = re.match(r"\s*(\d\.\d{1,3}\.\d{1,3})\b", self.text)
        return status[1] in GONE if status else UNKNOWN.search(self.text) is not None

    @property
    def words(self) -> str:
        """Code and text without addresses, shortened."""
        text = ADDRESS.sub("…", " ".join(self.text.split()))
        return f"{self.code} {text}"[:LONGEST]


def reply_of(error: SMTPRecipientsRefused | SMTPResponseException) -> Reply:
    """Return what a server answered to a mail with one receiver."""
    if isinstance(error, SMTPRecipientsRefused):
        code, said = next(iter(error.recipients.values()), (0, b""))
        return Reply(code, _text(said), about_receiver=True)
    return Reply(error.smtp_code, _text(error.smtp_error), about_receiver=isinstance(error, SMTPDataError))


def _text(said: bytes | str) -> str:
    return said.decode(errors="replace") if isinstance(said, bytes) else str(said)
