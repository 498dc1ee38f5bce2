import { rules } from "../rules.ts";
import { Type, type Static } from "@sinclair/typebox";
import { t } from "../routing/schema.ts";
import type { Identity } from "../../domain/model/identity.ts";
import { usernameOf, uuidOf } from "../../domain/model/account.ts";
import type { FoundAccount } from "../../domain/services/find-account.ts";
import type { SocialNotConnected, SocialSignedIn } from "../../domain/social/connect.ts";
import type { ConnectionClaim } from "../../domain/social/pending.ts";
import { envelopeOf } from "../envelope.ts";
import { givenText, socialIdField } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import { jwt } from "./session.ts";

/** A person at a social provider, linked to an account here or not yet. */

const id = givenText("The person's id at the provider", examples.socialId);
const person = {
  username: givenText("The person's name at the provider", examples.socialName),
  avatar: givenText("Address of a picture, or empty", examples.avatar),
};

/**
 * In the own profile and in the user's detail (docs/contract/home.md#profile, docs/contract/admin.md#users).
 */
export const socialAccount = t.Object(
  { userid: id, ...person },
  { component: "SocialAccount", description: "Empty texts without a link" },
);

export function presentSocialAccount(identity: Identity | null): Static<typeof socialAccount> {
  if (identity === null) return { userid: "", username: "", avatar: "" };
  const { subject, username, avatar } = identity;
  return { userid: subject, username, avatar };
}

const signedIn = t.Object({ jwt, ...socialAccount.properties }, { component: "SocialSession" });
export const signedInEnvelope = envelopeOf(signedIn);

export function presentSignedIn(of: SocialSignedIn, token: string): Static<typeof signedIn> {
  const { subject, username, avatar } = of.person;
  return { jwt: token, userid: subject, username, avatar };
}

const notConnected = t.Object({
  user: t.Object(
    {
      id,
      ...person,
      conn_id: Type.Integer({
        description: "Allows to link or to create an account for this person, once, within ten minutes",
        examples: [examples.connection],
      }),
    },
    { component: "UnlinkedPerson" },
  ),
});
/** The callback's answer with 404 (docs/contract/social.md). */
export const notConnectedEnvelope = t.Object(
  {
    error: t.Literal(true),
    msg: t.String({ examples: ["No account is linked to this social account"] }),
    url: t.Null(),
    data: notConnected,
  },
  { component: "NotConnected", description: "The envelope of a sign-in by a person without an account here" },
);

export function presentNotConnected({ challenge }: SocialNotConnected): Static<typeof notConnected> {
  const { subject, username, avatar } = challenge.person;
  return { user: { id: subject, username, avatar, conn_id: challenge.connectionId } };
}

/** How a request names the connection that it continues. */
export const meta = t.Object(
  {
    id: socialIdField("The person's id at the provider, as it was answered", "personId"),
    conn_id: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "The number that was answered with it",
      examples: [examples.connection],
      rule: rules.connection.of(),
      field: "connectionId",
    }),
  },
  { component: "SocialMeta", field: "connection" },
);

export function readClaim({ id: subject, conn_id }: Static<typeof meta>): ConnectionClaim {
  return { subject: String(subject), connectionId: conn_id };
}

/** The same as the text of a cookie. */
export function writeClaim({ subject, connectionId }: ConnectionClaim): string {
  return `${connectionId}.${Buffer.from(subject).toString("base64url")}`;
}

/** The claim in a cookie; null for another text. */
export function parseClaim(text: string): ConnectionClaim | null {
  const [, number = "", encoded = ""] = /^(\d{1,16})\.([\w-]{1,2048})$/.exec(text) ?? [];
  if (number === "") return null;
  return { subject: Buffer.from(encoded, "base64url").toString(), connectionId: Number(number) };
}

/** An account for other services: bare, without the envelope (docs/contract/service.md). */
export const foundUser = t.Object(
  {
    social: t.Object({
      username: givenText('Empty when not linked: ""', examples.socialName),
      id: givenText('Empty when not linked: ""', examples.socialId),
    }),
    account: t.Object({
      username: givenText('Empty before registration is finished: ""', examples.name),
      uuid: givenText("The player's UUID", examples.user, "uuid"),
    }),
  },
  { component: "FoundUser" },
);

export function presentFound({ member, identity }: FoundAccount): Static<typeof foundUser> {
  return {
    social: { username: identity?.username ?? "", id: identity?.subject ?? "" },
    account: { username: usernameOf(member), uuid: uuidOf(member) },
  };
}
