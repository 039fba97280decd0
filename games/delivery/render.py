"""Writing the content of a mail: text and HTML, with the headers that mail programs act on."""

from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts import mail_format
from accounts.zones import zone
from games.delivery.content import MailContent


def make_mail(content: MailContent) -> mail_format.SiteMail:
    """Return the mail, in its reader's language and time zone."""
    headers: dict[str, str] = {}
    if content.thread:
        headers |= {"References": content.thread, "In-Reply-To": content.thread}
    if content.unsubscribe:
        headers |= mail_format.one_click(content.unsubscribe)
    return mail_format.make_mail(
        content.to,
        content.news.subject,
        text_of(content),
        html_of(content),
        message_id=content.message_id,
        headers=headers,
    )


def text_of(content: MailContent) -> str:
    """Return the mail as plain text."""
    with translation.override(content.language), timezone.override(zone(content.time_zone)):
        return render_to_string("mail/mail.txt", {"mail": content, "site": mail_format.site_name()})


def html_of(content: MailContent) -> str:
    """Return the mail as a document."""
    with translation.override(content.language), timezone.override(zone(content.time_zone)):
        return mail_format.render_html(
            "mail/mail.html", {"mail": content}, subject=content.news.subject, language=content.language
        )
