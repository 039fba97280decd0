"""Writing the content of a mail: text and HTML, with the headers that mail programs act on."""

from functools import cache

from css_inline import CSSInliner
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts.zones import zone
from games.mail.content import MailContent


def make_mail(content: MailContent) -> EmailMultiAlternatives:
    """Return the mail, in its reader's language and time zone."""
    headers = {"Message-ID": content.message_id, "Auto-Submitted": "auto-generated"}
    if content.thread:
        headers |= {"References": content.thread, "In-Reply-To": content.thread}
    if content.unsubscribe:
        headers |= {
            "List-Unsubscribe": f"<{content.unsubscribe}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
    subject = " ".join(content.subject.split())
    mail = EmailMultiAlternatives(subject, text_of(content), settings.DEFAULT_FROM_EMAIL, [content.to], headers=headers)
    mail.attach_alternative(html_of(content), "text/html")
    return mail


def text_of(content: MailContent) -> str:
    """Return the mail as plain text."""
    return _render("mail/mail.txt", content)


def html_of(content: MailContent) -> str:
    """Return the mail as a document whose styles stand in its elements, for programs that know no sheets."""
    return _inliner().inline(_render("mail/mail.html", content))


def _render(template: str, content: MailContent) -> str:
    with translation.override(content.language), timezone.override(zone(content.time_zone)):
        return render_to_string(template, {"mail": content, "site": settings.SITE_URL.split("://")[-1]})


@cache
def _inliner() -> CSSInliner:
    return CSSInliner(keep_style_tags=True, load_remote_stylesheets=False)
