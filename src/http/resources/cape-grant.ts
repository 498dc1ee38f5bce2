import { rules } from "../rules.ts";
import type { Static } from "@sinclair/typebox";
import { t } from "../routing/schema.ts";
import type { WantedGrant } from "../../domain/members/grants.ts";
import { levelInForce, type Member } from "../../domain/model/account.ts";
import type { GrantedCape } from "../../domain/model/texture.ts";
import type { CapeKey } from "../../domain/ports/texture-store.ts";
import { AppError } from "../../kernel/errors.ts";
import { rowNumberMax } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { envelopeOf } from "../envelope.ts";
import {
  documentedExpiry,
  expiryField,
  givenEnd,
  givenNumber,
  givenText,
  presentEnd,
  readExpiry,
  userField,
} from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import { parseCapeKey } from "../player-keys.ts";
import { homeCape, presentHomeCape } from "./cape.ts";

/** The capes that a user may wear: what staff and services ask for, and what they are answered. */

const holder = {
  id: givenNumber("The user's id", examples.userId),
  new_role_level: givenNumber("The level in force", 1),
  capes: t.Array(
    t.Object(
      {
        ...homeCape.properties,
        Uuid: givenText("The cape's UUID", examples.cape, "uuid"),
        Expires_at: { ...homeCape.properties.Expires_at, examples: [examples.endSeconds] },
      },
      { component: "GrantedCape" },
    ),
  ),
};
const heldCapes = t.Object(holder, { component: "HeldCapes" });
/** `POST` and `DELETE /api/service/cape` (docs/contract/service.md#grant-a-cape). */
export const heldCapesEnvelope = envelopeOf(heldCapes);

export function presentHeldCapes(
  { account }: Member,
  capes: readonly GrantedCape[],
  now: number,
): Static<typeof heldCapes> {
  return {
    id: account.id,
    new_role_level: levelInForce(account, now),
    capes: capes.map(presentHomeCape),
  };
}

const grants = t.Object(
  {
    ...holder,
    expired_at: givenEnd("When their right to wear it ends: Unix seconds; absent without an end"),
  },
  { component: "CapeGrants" },
);
/** `POST /api/admin/user/cape/{identifier}` (docs/contract/admin.md#capes). */
export const grantEnvelope = envelopeOf(grants);

/** `expiresAt` is the end that the request asked for. */
export function presentGrants(
  member: Member,
  capes: readonly GrantedCape[],
  { expiresAt, now }: { readonly expiresAt: number | null; readonly now: number },
): Static<typeof grants> {
  return { ...presentHeldCapes(member, capes, now), ...presentEnd(expiresAt) };
}

/** How a cape is named in a body. */
const capeKeyShapes = [
  { type: "string", shape: "uuidTextOrNumber" },
  { type: "integer", minimum: 1, maximum: rowNumberMax },
] as const;

/** One cape; see `readCapeField`. */
export const capeKeyField = t.Union([t.String(), t.Number()], {
  rule: rules.capeKey.of(),
  documented: { anyOf: capeKeyShapes, description: "The cape's UUID or id", examples: [examples.cape] },
});

/** The cape that the field `cape` names. Fails with invalid. */
export function readCapeField(value: string | number): CapeKey {
  const key = parseCapeKey(String(value));
  if (key === null) throw rules.capeKey({ field: "cape" });
  return key;
}

const capeListRule = rules.capeList.of("{id, expired_at}", limits.idsMax);

export const grantBody = t.Object({
  user: userField("The id of the same user as in the path"),
  // `readGrants` checks it: the framework takes a text, and any object with a length, for a list.
  cape: t.Unknown({
    rule: capeListRule,
    documented: {
      type: "array",
      description:
        "UUIDs or ids of all capes that the user may wear from now on, each maybe with an end of its own; empty for no cape",
      items: {
        anyOf: [
          ...capeKeyShapes,
          {
            type: "object",
            properties: {
              id: { anyOf: capeKeyShapes },
              expired_at: documentedExpiry("Without it: as in the body"),
            },
            required: ["id"],
          },
        ],
      },
      maxItems: limits.idsMax,
      examples: [[examples.cape]],
    },
  }),
  expired_at: expiryField("When the user's right to wear them ends"),
});

/**
 * The capes that a body grants at this time (Unix seconds), each until its own end, or until the body's where
 * it gives none. Fails with invalid.
 */
export function readGrants(
  { cape: list, expired_at }: Static<typeof grantBody>,
  now: number,
): readonly WantedGrant[] {
  const end = readExpiry(expired_at, now);
  const grants =
    Array.isArray(list) && list.length <= limits.idsMax
      ? list.map((one) => readGrant(one, end, now))
      : [null];
  if (grants.every((grant) => grant !== null)) return grants;
  throw new AppError(capeListRule, { field: "cape" });
}

function readGrant(value: unknown, end: number | null, now: number): WantedGrant | null {
  const isPair = typeof value === "object" && value !== null && "id" in value;
  const key = isPair ? value.id : value;
  const cape = typeof key === "string" || typeof key === "number" ? parseCapeKey(String(key)) : null;
  if (cape === null) return null;
  const own = isPair && "expired_at" in value ? value.expired_at : undefined;
  if (own === undefined) return { cape, expiresAt: end };
  if (own !== null && typeof own !== "string" && typeof own !== "number") return null;
  return { cape, expiresAt: readExpiry(own, now) };
}
