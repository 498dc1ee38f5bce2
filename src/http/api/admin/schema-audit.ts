import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { envelopeOf } from "../../envelope.ts";
import { givenNumber, givenText } from "../../fields.ts";
import { examples } from "../../openapi/examples.ts";

const detail = {
  old: { perms: 1, perms_permanent: 1, perms_expires_at: null },
  new: { perms: 2, perms_permanent: 1, perms_expires_at: examples.endSeconds },
};

const entry = t.Object(
  {
    id: givenNumber("What `after` takes", 2031),
    iss: givenText(
      "Who made the change: a username, service:<name>, cli, or system for time",
      examples.admin,
    ),
    actor_id: t.Union([Type.Integer(), t.Null()], {
      description: "Id of the user who made the change, whatever they are called now; null where no user did",
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
          examples: [detail],
        },
      },
    ),
  },
  { component: "AuditEntry" },
);

/** `GET /api/admin/audit` (contract, Audit entry; decisions, Admin). */
export const auditEnvelope = envelopeOf(t.Array(entry));
