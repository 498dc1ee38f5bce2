import { rules } from "../rules.ts";
import { Type, type Static } from "@sinclair/typebox";
import { t } from "../routing/schema.ts";
import type { GrantedCape } from "../../domain/model/texture.ts";
import { type OwnedCape, type ListedCape } from "../../domain/textures/capes.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { envelopeOf } from "../envelope.ts";
import {
  givenEnd,
  givenNumber,
  givenText,
  pngField,
  presentEnd,
  readUserId,
  textField,
  uuidField,
} from "../fields.ts";
import { examples } from "../openapi/examples.ts";

/** A cape, in the shapes that the contract has for it. */

const id = Type.Integer({ examples: [examples.capeId] });
const name = givenText("Its name, for its owners", examples.capeName);
const uuid = givenText("The cape's UUID", examples.cape, "uuid");
const expires = t.Union([Type.Integer(), t.Null()], {
  description: "When the user's right to wear it ends: Unix seconds; null: never",
  examples: [null],
});
const end = givenEnd("When their right to wear it ends: Unix seconds; absent without an end");

/** In `GET /api/home` (docs/contract/home.md#profile). */
export const homeCape = t.Object(
  {
    Id: id,
    Name: name,
    Uuid: givenText("The value for `cloakid`", examples.cape, "uuid"),
    Expires_at: expires,
  },
  { component: "HomeCape" },
);

export function presentHomeCape(cape: GrantedCape): Static<typeof homeCape> {
  return { Id: cape.id, Name: cape.name, Uuid: cape.uuid, Expires_at: cape.grantExpiresAt };
}

/**
 * In `GET /api/admin/user/{identifier}`, where the contract has the number as a text
 * (docs/contract/admin.md#users).
 */
export const userCape = t.Object(
  {
    Id: givenText("The cape's number, as a text", String(examples.capeId), "rowNumber"),
    Name: name,
    Uuid: uuid,
    Expires_at: expires,
  },
  { component: "UserCape" },
);

export function presentUserCape(cape: GrantedCape): Static<typeof userCape> {
  return { ...presentHomeCape(cape), Id: String(cape.id) };
}

const listedCape = t.Object(
  {
    id,
    iss: givenText('The username of its uploader; "cli" from the command line', examples.admin),
    action: t.Literal("cape"),
    for: t.Literal(0),
    time: givenNumber("Upload time: Unix seconds", examples.time),
    uuid,
    name,
    sha256: givenText("SHA-256 of the stored file", examples.digest, "hash"),
    width: givenNumber("Pixels", 64),
    height: givenNumber("Pixels", 32),
    owners: t.Array(Type.Integer(), {
      description: `Ids of the users that may wear it, the first ${limits.ownersShownMax} of them`,
      examples: [examples.ownerIds],
    }),
    owners_count: givenNumber("How many may wear it", examples.ownerIds.length),
    grants: t.Array(
      t.Object(
        {
          user: givenNumber("The user's id", examples.userId),
          name: givenText('The user\'s username; empty before registration is finished: ""', examples.name),
          expires_at: expires,
        },
        { component: "CapeGrant" },
      ),
      { description: "The same users, each with name and the end of the grant" },
    ),
  },
  { component: "ListedCape" },
);
/** `GET /api/admin/allcapes`: each row is shaped as an audit entry (docs/contract/admin.md#capes). */
export const capesEnvelope = envelopeOf(t.Array(listedCape));

export function presentListedCape({ cape, grants, count }: ListedCape): Static<typeof listedCape> {
  const { digest, width, height } = cape.texture;
  return {
    id: cape.id,
    iss: cape.uploadedBy,
    action: "cape",
    for: 0,
    time: cape.createdAt,
    uuid: cape.uuid,
    name: cape.name,
    sha256: digest,
    width,
    height,
    owners: grants.map(({ accountId }) => accountId),
    owners_count: count,
    grants: grants.map(({ accountId, name, expiresAt }) => ({
      user: accountId,
      name,
      expires_at: expiresAt,
    })),
  };
}

const ownedCape = t.Object(
  {
    capeid: uuid,
    id,
    name,
    owners: t.Array(Type.Integer(), {
      description: "Ids of the users that may wear it",
      examples: [examples.ownerIds],
    }),
    expired_at: end,
  },
  { component: "Cape" },
);
/** `POST /api/admin/user/cape/upload` (docs/contract/admin.md#capes). */
export const capeEnvelope = envelopeOf(ownedCape);

export function presentOwnedCape({ cape, owners, expiresAt }: OwnedCape): Static<typeof ownedCape> {
  return { capeid: cape.uuid, id: cape.id, name: cape.name, owners: [...owners], ...presentEnd(expiresAt) };
}

export const capeUploadBody = t.Object({
  cape: pngField(),
  name: textField("Its name, for its owners, 1 to 64 characters", examples.capeName, "textureName"),
  owners: t.Optional(
    t.Union([t.String(), t.Array(t.String())], {
      rule: rules.userIds.of(),
      documented: {
        type: "string",
        description: `Ids of the users that may wear it, ${limits.idsMax} at most: separated by commas (\`17, 18\`), or a JSON array (\`[17, 18]\`). No user when empty`,
      },
    }),
  ),
  expired_at: t.Optional(
    t.String({
      description:
        "When their right to wear it ends: ISO 8601 with a zone, or Unix seconds (over 10^11: milliseconds). Never when empty",
      rule: rules.time.of(),
      shape: "formInstant",
    }),
  ),
});

/** The ids of the part `owners`, which may also come several times. Fails with invalid. */
export function readOwners(parts: string | readonly string[] = ""): readonly AccountId[] {
  const texts = [parts].flat();
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const owners = length > limits.idsTextBytesMax ? [] : texts.flatMap(listOf);
  if (length > limits.idsTextBytesMax || owners.length > limits.idsMax) {
    throw rules.userIdsMax(limits.idsMax, { field: "owners" });
  }
  return owners.map((one) => readUserId(one, () => rules.userIdsText({ field: "owners" })));
}

function listOf(text: string): readonly unknown[] {
  if (text.trim() === "") return [];
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch {
    // Not JSON: ids separated by commas, or a text that is refused as an id.
  }
  return text.split(",");
}

export const capeDeletionBody = t.Object({ capeid: uuidField("The cape's UUID", examples.cape, "cape") });
