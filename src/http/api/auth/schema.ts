import { t } from "elysia";
import { envelopeOf } from "../../envelope.ts";
import { textField } from "../../fields.ts";

export const loginBody = t.Object({
  username: textField("A username or a mail address"),
  password: textField("The account's password"),
});

export const tokenEnvelope = envelopeOf(t.Object({ jwt: t.String() }));

export const registerBody = t.Object({
  mail: textField("A mail address that nobody here has"),
  password: textField("8 to 128 characters"),
});
export const codeBody = t.Object({ code: textField("The code from the mail, with or without the dash") });
export const mailBody = t.Object({ mail: textField("The account's mail address") });
export const resetBody = t.Object({
  code: textField("The code from the mail, with or without the dash"),
  password: textField("The new password, 8 to 128 characters"),
});
