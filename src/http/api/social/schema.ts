import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { envelopeOf } from "../../envelope.ts";
import { readSocialId, socialIdField, textField } from "../../fields.ts";
import type { ConnectionClaim } from "../../../domain/social/pending.ts";

/** Longer than every code and state that providers send, and short enough to send on. */
const parameterLengthMax = 4096;

function parameter(description: string) {
  const rule = `must have ${parameterLengthMax} characters at most`;
  return t.Optional(t.String({ maxLength: parameterLengthMax, description, rule }));
}

export const loginQuery = t.Object({
  provider: parameter("Where to sign in; the default provider when absent"),
});

export const callbackQuery = t.Object({
  code: parameter("What the provider gave for this sign-in"),
  state: parameter("What the sign-in was begun with"),
  error: parameter("Why the provider gave no code"),
  iss: parameter("Which provider answers (RFC 9207)"),
});

const meta = t.Object({
  id: socialIdField("The person's id at the provider, as it was answered"),
  conn_id: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "The number that was answered with it",
    rule: "must be the whole number that came with the id",
  }),
});

export const linkBody = t.Object({
  username: textField("A username or a mail address"),
  password: textField("The account's password"),
  meta,
});
export const createBody = t.Object({ meta });

/** What a request says of the connection that it continues. */
export function readClaim({ id, conn_id }: typeof meta.static): ConnectionClaim {
  return { subject: readSocialId(id), connectionId: conn_id };
}

export const signedInEnvelope = envelopeOf(
  t.Object({
    jwt: t.String(),
    userid: t.String({ description: "The person's id at the provider" }),
    username: t.String({ description: "What the provider calls the person" }),
    avatar: t.String({ description: "Address of a picture, or empty" }),
  }),
);
export const createdEnvelope = envelopeOf(t.Object({ jwt: t.String() }));
