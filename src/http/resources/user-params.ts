import { uuidField } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import { t } from "../routing/schema.ts";
import { rules } from "../rules.ts";

/** What addresses of routes for staff name a user by. */

export const identifierParams = t.Object({
  identifier: t.String({
    description: "A user's id, UUID, username or mail address",
    rule: rules.identifier.of(),
    shape: "identifier",
    examples: [examples.user],
  }),
});

/** `GET /api/admin/users/skin/{uuid}`. */
export const userParams = t.Object({ uuid: uuidField("A user's UUID", examples.user) });
