import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { envelopeOf } from "../../envelope.ts";

/** `GET /api/admin/audit` (contract, Audit entry; decisions, Admin). */
export const auditEnvelope = envelopeOf(
  t.Array(
    t.Object({
      id: Type.Integer(),
      iss: t.String({
        description: "Who made the change: a username, service:<name>, cli, or system for time",
      }),
      action: t.String({ description: "What was done, dotted: user.update" }),
      for: Type.Integer({ description: "Id of the user that it concerns, else 0" }),
      time: Type.Integer({ description: "Unix seconds" }),
      detail: t.Object(
        {},
        { additionalProperties: true, description: "Old and new values; secrets are left out" },
      ),
    }),
  ),
);
