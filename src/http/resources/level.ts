import { Type, type Static } from "@sinclair/typebox";
import {
  levelInForce,
  temporaryLevelInForce,
  type ListedMember,
  type Member,
} from "../../domain/model/account.ts";
import { envelopeOf } from "../envelope.ts";
import { expiryField, givenEnd, givenNumber, presentEnd, userField } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import { t } from "../routing/schema.ts";
import { rules } from "../rules.ts";

/** The levels of an account: as its pages show them, and as staff and services give them. */

export const level = givenNumber("The level in force: 1 player, 2 moderator, 3 administrator", 1);
/** The other fields of an account's levels. */
export const levels = {
  perms_permanent: givenNumber("The permanent level", 1),
  perms_expires_at: t.Union([Type.Integer(), t.Null()], {
    description: "When the level in force ends and the permanent one holds again: Unix seconds; null: never",
    examples: [null],
  }),
};

export const presentLevels = (account: ListedMember["account"], now: number) => ({
  perms_permanent: account.permanentLevel,
  perms_expires_at: temporaryLevelInForce(account, now)?.expiresAt ?? null,
});

/** The description of routes that give a level. */
export const levelEffect =
  "With `expired_at` the level holds until then, and the permanent one afterwards; without it, it becomes the permanent one.";
export const levelSummary = "Give a user a level, permanently or for a time";

export function levelField(description: string) {
  return t.Union([t.Literal(1), t.Literal(2), t.Literal(3)], {
    description,
    rule: rules.oneOf.of("1, 2 or 3"),
    examples: [2],
  });
}

export const roleBody = t.Object({
  user: userField("The id of the same user as in the path"),
  role_level: levelField("1 player, 2 moderator, 3 administrator"),
  expired_at: expiryField("When the level ends and the permanent one holds again"),
});

const role = t.Object(
  {
    id: Type.Integer({ examples: [examples.userId] }),
    new_role_level: givenNumber("The level in force", 2),
    expired_at: givenEnd("When it ends: Unix seconds; absent for a level without an end"),
  },
  { component: "RoleAssignment" },
);
/** `POST /api/admin/user/role/{identifier}`, `POST /api/service/permission`. */
export const roleEnvelope = envelopeOf(role);

/** `expiresAt` is the end that the request asked for. */
export function presentRole({ account }: Member, expiresAt: number | null, now: number): Static<typeof role> {
  return { id: account.id, new_role_level: levelInForce(account, now), ...presentEnd(expiresAt) };
}
