import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { envelopeOf } from "../../envelope.ts";
import { givenText as text, readSocialId, socialIdField, textField } from "../../fields.ts";
import { examples } from "../../openapi/examples.ts";
import type { ConnectionClaim } from "../../../domain/social/pending.ts";

/** Longer than every code and state that providers send, and short enough to send on. */
const parameterLengthMax = 4096;

function parameter(description: string, example: string) {
  const rule = `must have ${parameterLengthMax} characters at most`;
  return t.Optional(t.String({ maxLength: parameterLengthMax, description, rule, examples: [example] }));
}

export const loginQuery = t.Object({
  provider: parameter("Where to sign in; the default provider when absent", "discord"),
});

export const callbackQuery = t.Object({
  code: parameter("What the provider gave for this sign-in", "NhhvTDYsFcdgNLnnLijcl7Ku7bEEeee"),
  state: parameter(
    "What the sign-in was begun with; without it the default provider is meant",
    "discord.1767226200.a.b",
  ),
  error: parameter("Why the provider gave no code", "access_denied"),
  iss: parameter("Which provider answers (RFC 9207)", "https://login.example.org"),
});

const meta = t.Object(
  {
    id: socialIdField("The person's id at the provider, as it was answered"),
    conn_id: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "The number that was answered with it",
      examples: [examples.connection],
      rule: "must be the whole number that came with the id",
    }),
  },
  { component: "SocialMeta" },
);

export const linkBody = t.Object({
  username: textField("A username or a mail address", examples.name),
  password: textField("The account's password", examples.password),
  meta,
});
export const createBody = t.Object({ meta });

/** What a request says of the connection that it continues. */
export function readClaim({ id, conn_id }: typeof meta.static): ConnectionClaim {
  return { subject: readSocialId(id), connectionId: conn_id };
}

const jwt = text("The token of this session", examples.jwt);
const person = {
  username: text("What the provider calls the person", examples.socialName),
  avatar: text("Address of a picture, or empty", examples.avatar),
};

/** Somebody at a social provider, as the own account and the user's detail show them. */
export const socialAccount = t.Object(
  {
    userid: text("The person's id at the provider", examples.socialId),
    ...person,
  },
  { component: "SocialAccount", description: "Empty texts without a link" },
);

export const signedInEnvelope = envelopeOf(
  t.Object({ jwt, ...socialAccount.properties }, { component: "SocialSession" }),
);

/** What the callback answers with 404. */
export const notConnectedEnvelope = t.Object(
  {
    error: t.Literal(true),
    msg: t.String({ examples: ["No account is linked to this social account"] }),
    url: t.Null(),
    data: t.Object({
      user: t.Object(
        {
          id: text("The person's id at the provider", examples.socialId),
          ...person,
          conn_id: Type.Integer({
            description: "Allows to link or to create an account for this person, once, within ten minutes",
            examples: [examples.connection],
          }),
        },
        { component: "UnlinkedPerson" },
      ),
    }),
  },
  { component: "NotConnected", description: "The envelope of a sign-in by somebody who has no account here" },
);
