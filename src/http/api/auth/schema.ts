import { t } from "elysia";
import { envelopeOf } from "../../envelope.ts";
import { textField } from "../../fields.ts";
import { examples } from "../../openapi/examples.ts";

const code = textField("The code from the mail, with or without the dash", examples.code);

export const loginBody = t.Object({
  username: textField("A username or a mail address", examples.name),
  password: textField("The account's password", examples.password),
});

export const tokenEnvelope = envelopeOf(
  t.Object({ jwt: t.String({ description: "The token of this session", examples: [examples.jwt] }) }),
);

export const registerBody = t.Object({
  mail: textField("A mail address that nobody here has", examples.mail),
  password: textField("8 to 128 characters", examples.password),
});
export const codeBody = t.Object({ code });
export const mailBody = t.Object({ mail: textField("The account's mail address", examples.mail) });
export const resetBody = t.Object({
  code,
  password: textField("The new password, 8 to 128 characters", examples.newPassword),
});
