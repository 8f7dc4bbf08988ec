"""What an account may do: readers read a private site, editors change the library, staff enter the admin."""

from typing import Literal, get_args

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, Group, User
from django.contrib.auth.tokens import default_token_generator
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

Role = Literal["reader", "editor", "staff"]
ROLES: tuple[Role, ...] = get_args(Role)
EDITORS = "editors"


def is_editor(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Whether the account may change the library. DatabaseError if that cannot be found out."""
    if not isinstance(user, User) or not user.is_active:
        return False
    return user.is_staff or user.groups.filter(name=EDITORS).exists()


def invite(name: str, role: Role) -> str:
    """Make an account that has no password yet; the path of the page at which its owner chooses one.

    The path works until a password is chosen, and for as long as PASSWORD_RESET_TIMEOUT says.
    """
    user, is_new = User.objects.get_or_create(username=name, defaults={"is_staff": role == "staff"})
    if not is_new and user.has_usable_password():
        raise ValueError(f"There is an account named {name!r} already.")
    user.set_unusable_password()
    user.is_staff = user.is_superuser = role == "staff"
    user.save()
    user.groups.remove(*Group.objects.filter(name=EDITORS))
    if role == "editor":
        user.groups.add(Group.objects.get_or_create(name=EDITORS)[0])
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("invitation", args=[uid, default_token_generator.make_token(user)])
