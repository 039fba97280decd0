"""The address of a person that refuses mail."""

from accounts.models import User


def refuse_address(*, user: User, address: str) -> None:
    """Note that an address refuses mail for good, until its owner says that it works, or has another one."""
    User.objects.filter(pk=user.pk).update(refused_address=address)


def trust_address(*, user: User) -> None:
    """Send to a person's address again."""
    User.objects.filter(pk=user.pk).update(refused_address="")
