import type { Static } from "@sinclair/typebox";
import { t } from "../routing/schema.ts";
import type { TextureBan } from "../../domain/ports/ban-store.ts";
import { envelopeOf } from "../envelope.ts";
import { givenNumber, givenText } from "../fields.ts";
import { examples } from "../openapi/examples.ts";

/** A banned bitmap (docs/contract/admin.md#bans). */
const ban = t.Object(
  {
    id: givenNumber("The value for `after`", 4),
    hash: givenText("The bitmap's hash, which names its address under /textures/", examples.texture, "hash"),
    iss: givenText(
      'The username of the moderator who banned it; "cli" from the command line',
      examples.moderator,
    ),
    time: givenNumber("When: Unix seconds", examples.time),
    reason: givenText("Empty without one", examples.reason),
  },
  { component: "Ban" },
);
/** `GET /api/admin/bans`. */
export const bansEnvelope = envelopeOf(t.Array(ban));

export function presentBan({ id, hash, issuer, createdAt, reason }: TextureBan): Static<typeof ban> {
  return { id, hash, iss: issuer, time: createdAt, reason };
}

export const banParams = t.Object({ hash: givenText("64 lower-case hex digits", examples.texture, "hash") });
