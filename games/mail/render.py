"""Writing a letter as a mail: text and HTML, with the headers that mail programs act on."""

from functools import cache

from css_inline import CSSInliner
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts.zones import zone
from games.mail.content import Letter


def make_mail(letter: Letter) -> EmailMultiAlternatives:
    """Return the mail, in its reader's language and time zone."""
    headers = {"Message-ID": letter.message_id, "Auto-Submitted": "auto-generated"}
    if letter.thread:
        headers |= {"References": letter.thread, "In-Reply-To": letter.thread}
    if letter.unsubscribe:
        headers |= {
            "List-Unsubscribe": f"<{letter.unsubscribe}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
    subject = " ".join(letter.subject.split())
    mail = EmailMultiAlternatives(subject, text_of(letter), settings.DEFAULT_FROM_EMAIL, [letter.to], headers=headers)
    mail.attach_alternative(html_of(letter), "text/html")
    return mail


def text_of(letter: Letter) -> str:
    """Return the mail as plain text."""
    return _render("mail/letter.txt", letter)


def html_of(letter: Letter) -> str:
    """Return the mail as a document whose styles stand in its elements, for programs that know no sheets."""
    return _inliner().inline(_render("mail/letter.html", letter))


def _render(template: str, letter: Letter) -> str:
    with translation.override(letter.language), timezone.override(zone(letter.time_zone)):
        return render_to_string(template, {"letter": letter, "site": settings.SITE_URL.split("://")[-1]})


@cache
def _inliner() -> CSSInliner:
    return CSSInliner(keep_style_tags=True, load_remote_stylesheets=False)
