import { t } from "elysia";
import { envelopeOf } from "../../envelope.ts";
import { givenText, textField } from "../../fields.ts";
import { examples } from "../../openapi/examples.ts";

const code = textField("The code from the mail, with or without the dash", examples.code, "code");

export const loginBody = t.Object({
  username: textField("A username or a mail address", examples.name),
  password: textField("The account's password", examples.password),
});

export const tokenEnvelope = envelopeOf(
  t.Object({ jwt: givenText("The token of this session", examples.jwt) }, { component: "Token" }),
);

export const registerBody = t.Object({
  mail: textField("A mail address that nobody here has", examples.mail, "mail"),
  password: textField("8 to 128 characters", examples.password, "newPassword"),
});
export const codeBody = t.Object({ code });
export const mailBody = t.Object({ mail: textField("The account's mail address", examples.mail, "mail") });
export const resetBody = t.Object({
  code,
  password: textField("The new password, 8 to 128 characters", examples.newPassword, "newPassword"),
});
