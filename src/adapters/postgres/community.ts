/** Whether a database holds a community that a command can work with. */
import { PlainError } from "../../kernel/errors.ts";
import { migrations } from "./migrations.ts";
import { refuseMoving } from "./move/moving.ts";
import { readPosition, refuseNewer } from "./schema-mark.ts";
import type { Sender } from "../sql/sender.ts";

/** Migrations that the database has not seen; negative when a newer program wrote it. */
export type SchemaAge = { readonly pending: number };

/**
 * How old the community's schema is. Fails with not_found for a database without a community, and with
 * conflict for one that is not cloakroom's, that is being filled, or that is too new for this program.
 */
export async function requireCommunity(sender: Sender, name: string): Promise<SchemaAge> {
  const position = await readPosition(sender);
  await refuseMoving(sender);
  if (position === null || position.complete === 0)
    throw new PlainError("not_found", `${name} holds no community yet: is that the right database?`);
  refuseNewer(position);
  return { pending: migrations.length - position.complete };
}

/** As `requireCommunity`; fails with conflict as well for a schema that lacks what this program knows. */
export async function requireWholeSchema(sender: Sender, name: string): Promise<SchemaAge> {
  const age = await requireCommunity(sender, name);
  if (age.pending <= 0) return age;
  throw new PlainError(
    "conflict",
    `${name} was written by an older version: bring it up to date first (cloakroom migrate)`,
  );
}
