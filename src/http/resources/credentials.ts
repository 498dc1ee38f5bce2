import { t } from "../routing/schema.ts";
import { envelopeOf } from "../envelope.ts";
import { givenText, textField } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import { meta } from "./social-account.ts";

/** What requests prove and choose: names, passwords, mail addresses and mailed codes. */

const login = textField("A username or a mail address", examples.name);
const password = textField("The account's password", examples.password);
const currentPassword = textField("Your current password", examples.password);
const code = textField("The code from the mail, with or without the dash", examples.code, "code");

/** `POST /api/auth/login`. */
export const loginBody = t.Object({ username: login, password });
/** `POST /api/auth/login/social`. */
export const linkBody = t.Object({ username: login, password, meta });
/** `POST /api/auth/register/social`. */
export const createBody = t.Object({ meta });

/** `POST /api/auth/register`. */
export const registerBody = t.Object({
  mail: textField("A mail address without an account here", examples.mail, "mail"),
  password: textField("8 to 128 characters", examples.password, "newPassword"),
});
/** `POST /api/auth/confirm`. */
export const confirmBody = t.Object({
  code,
  password: t.Optional(textField("The password of the registration", examples.password)),
});
/** `POST /api/auth/forgetpass/validate`. */
export const codeBody = t.Object({ code });
/** `POST /api/auth/forgetpass`. */
export const mailBody = t.Object({ mail: textField("The account's mail address", examples.mail, "mail") });
/** `POST /api/auth/forgetpass/update`. */
export const resetBody = t.Object({
  code,
  password: textField("The new password, 8 to 128 characters", examples.newPassword, "newPassword"),
});

/** `POST /api/auth/claim`. */
export const claimBody = t.Object({
  code: textField("The code that the operator gave you, with or without the dash", examples.code, "code"),
  mail: textField("Your mail address", examples.mail, "mail"),
  password: textField("The password from now on, 8 to 128 characters", examples.newPassword, "newPassword"),
});
/** What it answers. */
export const claimedEnvelope = envelopeOf(
  t.Object(
    {
      username: givenText('The name to sign in with; empty where only the address is one: ""', examples.name),
    },
    { component: "Claimed" },
  ),
);

/** `POST /api/home/registerfinish`. */
export const finishBody = t.Object({
  username: textField(
    "The player's name: 3 to 16 letters, digits and underscores by default",
    examples.name,
    "newUsername",
  ),
  password: textField(
    "The account's password from now on, 8 to 128 characters",
    examples.password,
    "newPassword",
  ),
});
/** `PATCH /api/home/edit/username`. */
export const usernameBody = t.Object({
  username: textField("The player's new name", "Anna_2", "newUsername"),
  password: currentPassword,
});
/** `PATCH /api/home/edit/password`. */
export const passwordBody = t.Object({
  password: currentPassword,
  newpassword: textField(
    "The new password, 8 to 128 characters",
    examples.newPassword,
    "newPassword",
    "newPassword",
  ),
});
/** For what takes the current password alone, as `POST /api/home/edit/removesocial`. */
export const currentPasswordBody = t.Object({ password: currentPassword });
/** `POST /api/home/mail/request`. */
export const newMailBody = t.Object({
  mail: textField("The new mail address", "anna@example.net", "mail"),
  password: currentPassword,
});
/** `POST /api/home/mail/validate`. */
export const newMailCodeBody = t.Object({
  code: textField("The code that was mailed to the new address", examples.code, "code"),
  password: currentPassword,
});
