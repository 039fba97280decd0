"""The address of a person that nobody has."""

from accounts.models import User


def refuse_address(*, user: User, address: str) -> None:
    """Note that nobody has an address, until its owner says that it works, has another one, or the staff clears it."""
    User.objects.filter(pk=user.pk).update(refused_address=address)
