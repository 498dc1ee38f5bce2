import { Type, type Static } from "@sinclair/typebox";
import { t } from "elysia";
import type { RecordedEntry } from "../../domain/ports/audit-store.ts";
import { envelopeOf } from "../envelope.ts";
import { givenNumber, givenText } from "../fields.ts";
import { examples } from "../openapi/examples.ts";

const example = {
  old: { perms: 1, perms_permanent: 1, perms_expires_at: null },
  new: { perms: 2, perms_permanent: 1, perms_expires_at: examples.endSeconds },
};

const entry = t.Object(
  {
    id: givenNumber("The value for `after`", 2031),
    iss: givenText("Who made the change: a username, service:<name>, cli, or system", examples.admin),
    actor_id: t.Union([Type.Integer(), t.Null()], {
      description: "Id of the user who made the change, whatever their name is now; null where no user did",
      examples: [examples.userId],
    }),
    actor_via: t.Union([t.String(), t.Null()], {
      description: "Through what: session:<id> or token:<id>; null for cli and system",
      examples: [`session:${examples.session}`],
    }),
    action: givenText("What was done, dotted: user.update", "role.set"),
    for: givenNumber("Id of the user that it concerns, else 0", examples.userId),
    time: givenNumber("Unix seconds", examples.time),
    detail: t.Object(
      {},
      {
        additionalProperties: true,
        documented: {
          type: "object",
          description: "Old and new values; secrets are left out",
          examples: [example],
        },
      },
    ),
  },
  { component: "AuditEntry" },
);

/** `GET /api/admin/audit` (docs/contract/admin.md#audit). */
export const auditEnvelope = envelopeOf(t.Array(entry));

export function presentEntry(recorded: RecordedEntry): Static<typeof entry> {
  const { id, actor, action, forAccountId, at, detail } = recorded;
  const { name: iss, accountId: actor_id, via: actor_via } = actor;
  return { id, iss, actor_id, actor_via, action, for: forAccountId ?? 0, time: at, detail };
}
