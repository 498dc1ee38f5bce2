import { t } from "elysia";
import { envelopeOf } from "../../envelope.ts";
import { textField } from "../../fields.ts";

export const loginBody = t.Object({
  username: textField("A username or a mail address"),
  password: textField("The account's password"),
});

export const tokenEnvelope = envelopeOf(t.Object({ jwt: t.String() }));
