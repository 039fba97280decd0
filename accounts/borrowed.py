"""Texts of Django and django-allauth that people meet here, so that our catalogues hold them in our own words.

What a catalogue of ours says wins over what a library brings: its Dutch says "u" to people whom every other page calls
"je", and a text that it changed lately is English in every language. Nothing reads these names.
"""

from django.utils.translation import gettext_noop, ngettext_lazy

FORMS = (
    gettext_noop("This field is required."),
    gettext_noop("Enter a valid value."),
    gettext_noop("Enter a valid email address."),
    gettext_noop("Enter a valid date."),
    gettext_noop("Enter a whole number."),
    gettext_noop("Select a valid choice. %(value)s is not one of the available choices."),
    gettext_noop("Ensure this value is less than or equal to %(limit_value)s."),
    gettext_noop("Ensure this value is greater than or equal to %(limit_value)s."),
    gettext_noop("Null characters are not allowed."),
    ngettext_lazy(
        "Ensure this value has at most %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at most %(limit_value)d characters (it has %(show_value)d).",
        "limit_value",
    ),
)
PASSWORDS = (
    gettext_noop("The password is too similar to the %(verbose_name)s."),
    gettext_noop("Your password can’t be too similar to your other personal information."),
    gettext_noop("This password is too common."),
    gettext_noop("Your password can’t be a commonly used password."),
    gettext_noop("This password is entirely numeric."),
    gettext_noop("Your password can’t be entirely numeric."),
    ngettext_lazy(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
    ),
    ngettext_lazy(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
        "min_length",
    ),
)
LABELS = (
    gettext_noop("Email"),
    gettext_noop("Email address"),
    gettext_noop("Password"),
    gettext_noop("Password (again)"),
    gettext_noop("Current Password"),
    gettext_noop("New Password"),
    gettext_noop("New Password (again)"),
    gettext_noop("Remember Me"),
    gettext_noop("Forgot your password?"),
)
REFUSALS = (
    gettext_noop("A user is already registered with this email address."),
    gettext_noop("Be patient, you are sending too many requests."),
    gettext_noop("Incorrect password."),
    gettext_noop("Invalid or expired key."),
    gettext_noop("Please type your current password."),
    gettext_noop("The email address and/or password you specified are not correct."),
    gettext_noop("The email address is not assigned to any user account."),
    gettext_noop("The new value must be different from the current one."),
    gettext_noop("The password reset token was invalid."),
    gettext_noop("This account is currently inactive."),
    gettext_noop("This email address is already associated with this account."),
    gettext_noop("Too many failed login attempts. Try again later."),
    gettext_noop("You cannot add more than %d email addresses."),
    gettext_noop("You cannot remove your primary email address."),
    gettext_noop("You must type the same password each time."),
    gettext_noop("Your primary email address must be verified."),
)
MESSAGES = (
    gettext_noop("Confirmation email sent to %(email)s."),
    gettext_noop("Password successfully changed."),
    gettext_noop("Password successfully set."),
    gettext_noop("Primary email address set."),
    gettext_noop("Removed email address %(email)s."),
    gettext_noop("Successfully signed in as %(name)s."),
    gettext_noop("Unable to confirm %(email)s because it is already confirmed by a different account."),
    gettext_noop("You cannot remove your primary email address (%(email)s)."),
    gettext_noop("You have confirmed %(email)s."),
    gettext_noop("You have signed out."),
)
