import type { Static } from "@sinclair/typebox";
import { t } from "../routing/schema.ts";
import type { Session } from "../../domain/ports/session-store.ts";
import type { SessionId } from "../../kernel/ids.ts";
import { envelopeOf } from "../envelope.ts";
import { givenFlag, givenNumber, givenText, uuidField } from "../fields.ts";
import { examples } from "../openapi/examples.ts";

/** A sign-in: its message, its token, and the member's list of them. */

export const loggedIn = "Login successful";

export const jwt = givenText("The token of this session", examples.jwt);
/** `POST /api/auth/login`. */
export const tokenEnvelope = envelopeOf(t.Object({ jwt }, { component: "Token" }));

const session = t.Object(
  {
    id: givenText("Its id, to end it by", examples.session, "uuid"),
    created: givenNumber("Unix seconds", examples.time),
    last_used: givenNumber("Unix seconds, to the minute", examples.time + 3600),
    expires: givenNumber("Unix seconds", examples.time + 86_400),
    address: givenText("The address it was opened from", "192.0.2.17"),
    user_agent: givenText("The name that the program gave which opened it", "Launcher/2.4"),
    kind: t.Union([t.Literal("web"), t.Literal("game")], {
      description: "Whether it was opened here, or by a launcher for the game",
      examples: ["web"],
    }),
    current: givenFlag("Whether this request was made through it", true),
  },
  { component: "Session" },
);
/** `GET /api/home/sessions`. */
export const sessionsEnvelope = envelopeOf(t.Array(session));

export function presentSession(of: Session, current: SessionId): Static<typeof session> {
  return {
    id: of.id,
    created: of.createdAt,
    last_used: of.lastUsedAt,
    expires: of.expiresAt,
    address: of.address,
    user_agent: of.userAgent,
    kind: of.kind,
    current: of.id === current,
  };
}

const sessionId = uuidField("A session's id, from the list of them", examples.session);

export const sessionParams = t.Object({ id: sessionId });
/** Of a user whom the path names. */
export const sidParams = t.Object({ sid: sessionId });
