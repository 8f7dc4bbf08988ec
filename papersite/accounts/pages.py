"""The pages of accounts: sign in, sign out, choose or change a password, and the owner's link."""

from pathlib import Path

from django.conf import settings
from django.contrib.auth import views
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse, reverse_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from papersite.accounts import owner


class SignIn(views.LoginView):
    template_name = "accounts/sign_in.html"
    next_page = "home"

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        return {**super().get_context_data(**kwargs), "has_owner": settings.LIBRARY_CHANGES == "local"}


class SignOut(views.LogoutView):
    next_page = "home"

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = super().post(request, *args, **kwargs)
        response.delete_cookie(owner.cookie_name())
        return response


class ChangePassword(views.PasswordChangeView):
    template_name = "accounts/password.html"
    success_url = reverse_lazy("home")
    extra_context = {"heading": "Change your password"}  # noqa: RUF012 (Django's)


class Invitation(views.PasswordResetConfirmView):
    """Whoever was invited chooses a password, and is signed in."""

    template_name = "accounts/password.html"
    success_url = reverse_lazy("home")
    post_reset_login = True
    extra_context = {"heading": "Choose a password"}  # noqa: RUF012 (Django's)


@require_GET
@never_cache
def enter(request: HttpRequest) -> HttpResponse:
    """The owner's link, which works once."""
    if settings.LIBRARY_CHANGES != "local" or not owner.use_key(Path(settings.DATA), request.GET.get("key", "")):
        return render(request, "accounts/used_link.html", status=403)
    response = HttpResponseRedirect(reverse("home"))
    owner.set_cookie(response)
    return response
