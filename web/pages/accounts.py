"""The forms of allauth, with words of our own: errors name the value, labels stand beside the fields and not in them."""

from typing import Any

from allauth.account.forms import ChangePasswordForm, LoginForm, SignupForm
from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MinLengthValidator


def _plain(form: forms.Form) -> None:
    """A label within the field is gone as soon as somebody types."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)
        field.widget.attrs.pop("required", None)


class LogInForm(LoginForm):
    use_required_attribute = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self)
        self.fields["login"].label = "User name"
        self.fields["login"].error_messages["required"] = "Give your user name."
        self.fields["password"].error_messages["required"] = "Give your password."


class SignUpForm(SignupForm):
    use_required_attribute = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self)
        name = self.fields["username"]
        name.label = "User name"
        name.help_text = "It stands beside your bots. Letters a to z, digits and @ . + - _"
        name.error_messages["required"] = "Choose a user name."
        for validator in name.validators:
            if isinstance(validator, MinLengthValidator):
                validator.message = "“%(value)s” is too short: at least %(limit_value)s characters."
        self.fields["password1"].error_messages["required"] = "Choose a password."
        self.fields["password2"].error_messages["required"] = "Type the password once more."

    def clean_username(self) -> str:
        given = self.cleaned_data["username"]
        try:
            name: str = super().clean_username()
        except ValidationError as error:
            raise ValidationError([f"“{given}”: {text}" for text in error.messages]) from error
        return name


class PasswordForm(ChangePasswordForm):
    use_required_attribute = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self)
        self.fields["oldpassword"].error_messages["required"] = "Type the password you have now."
        self.fields["password1"].error_messages["required"] = "Choose a new password."
        self.fields["password2"].error_messages["required"] = "Type the new password once more."
