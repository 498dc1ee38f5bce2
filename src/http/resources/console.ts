import { rules } from "../rules.ts";
import { Type, type Static } from "@sinclair/typebox";
import { t } from "../routing/schema.ts";
import { usernameOf, uuidOf, type Level, type Member } from "../../domain/model/account.ts";
import { envelopeOf } from "../envelope.ts";
import { flagField, givenFlag, givenNumber, givenText, textField } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import { deletesAt } from "./leaving.ts";

/** What the console's own pages ask for and send (docs/contract/console.md). */

const session = t.Object(
  {
    id: givenNumber("The account's id", examples.userId),
    username: givenText("Empty while the registration is unfinished", examples.name),
    uuid: givenText("The main player's UUID, or the account's own while it has none", examples.user, "uuid"),
    perms: Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3)], {
      description: "The level in force: 1 player, 2 moderator, 3 administrator",
      examples: [1],
    }),
    finished: givenFlag("Whether the registration is finished", true),
    mail: givenText("The mail address; empty without one", examples.mail),
    expires_at: givenNumber("When the session ends unless it is used before; Unix seconds", examples.time),
    deletes_at: t.Optional(deletesAt),
  },
  { component: "ConsoleSession" },
);
/** `GET /console/session`: null for a visitor. */
export const visitEnvelope = envelopeOf(t.Union([session, t.Null()]), "ConsoleVisitEnvelope");
/** What opens a session. */
export const consoleSessionEnvelope = envelopeOf(session);

/** A member and when their session ends unless it is used before (Unix seconds). */
type Signed = Member & { readonly level: Level; readonly endsAt: number };

export function presentConsoleSession(of: Signed): Static<typeof session> {
  const { account, level, endsAt } = of;
  return {
    id: account.id,
    username: usernameOf(of),
    uuid: uuidOf(of),
    perms: level,
    finished: account.registration === "complete",
    mail: account.mail ?? "",
    expires_at: endsAt,
    ...(account.deleteAt === null ? {} : { deletes_at: account.deleteAt }),
  };
}

const login = textField("A username or a mail address", examples.name);
const password = textField("The account's password", examples.password);
const stay = t.Optional(flagField("Whether the session lasts for a month; staff's never does", false));

/** `POST /console/session`. */
export const openBody = t.Object({ username: login, password, stay });

/** `POST /console/setup`. */
export const setupBody = t.Object({
  secret: textField("What follows # in the link on standard output", examples.secret),
  mail: textField("The administrator's mail address", examples.mail, "mail"),
  username: textField("The administrator's player name", examples.admin, "newUsername"),
  password: textField("8 to 128 characters", examples.password, "newPassword"),
});

const waiting = t.Object(
  {
    provider: givenText("Where the person signed in", "discord"),
    username: givenText("The person's name there", examples.socialName),
  },
  { component: "WaitingPerson" },
);
/** `GET /console/social`: null when no person waits. */
export const waitingEnvelope = envelopeOf(t.Union([waiting, t.Null()]), "WaitingPersonEnvelope");

const codeAddress = t.Object(
  { mail: givenText("Where the code was mailed to", examples.mail) },
  { component: "CodeAddress" },
);
/**
 * `POST /console/confirm/address`: null for a wrong code, because a browser writes a 400 on a visitor's page
 * as an error.
 */
export const codeAddressEnvelope = envelopeOf(t.Union([codeAddress, t.Null()]), "CodeAddressEnvelope");

/** `POST /console/social`. */
export const joinBody = t.Object({
  action: t.Union([t.Literal("link"), t.Literal("create")], {
    description: "Whether an account that is there is linked, or one is created",
    rule: rules.oneOf.of("link or create"),
    examples: ["link"],
  }),
  username: t.Optional(login),
  password: t.Optional(password),
  stay,
});
