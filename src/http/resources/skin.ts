import { rules } from "../rules.ts";
import { Type, type Static } from "@sinclair/typebox";
import { t } from "../routing/schema.ts";
import { isHd, type OwnedSkin, type Skin } from "../../domain/model/texture.ts";
import type { RecordedEntry } from "../../domain/ports/audit-store.ts";
import type { SkinLook } from "../../domain/textures/look-at-skin.ts";
import type { SkinEdit } from "../../domain/textures/wardrobe.ts";
import type { Uuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { envelopeOf } from "../envelope.ts";
import {
  flagField,
  givenFlag,
  givenNumber,
  givenText,
  pngField,
  readUuid,
  textField,
  uuidField,
} from "../fields.ts";
import { examples } from "../openapi/examples.ts";

/** A skin, in the shapes that the contract has for it: each is a choice of these fields. */

const fields = {
  id: Type.Integer({ examples: [12] }),
  uuid: givenText("Its UUID, by which its pictures are requested", examples.skin, "uuid"),
  name: givenText("Its name in the wardrobe", examples.skinName),
  slim: givenFlag("Whether the arms are three pixels wide", true),
  hd: givenFlag("Whether it is wider than 64 pixels", false),
  cloak_id: givenText('UUID of the linked cape, else ""', examples.cape, "uuidOrEmpty"),
  selected: givenFlag("Whether its owner shows it", true),
  sha256: givenText("SHA-256 of the stored file", examples.digest, "hash"),
  created: givenNumber("Upload time: Unix seconds", examples.time),
};
const { id, uuid, name, slim, hd, cloak_id, selected, sha256, created } = fields;

const look = (skin: Skin, capeUuid: Uuid | null) => ({
  slim: skin.model === "slim",
  hd: isHd(skin.texture),
  cloak_id: capeUuid ?? "",
});

/** In `GET /api/home` (docs/contract/home.md#profile). */
export const homeSkin = t.Object(
  {
    Id: id,
    Name: name,
    Uuid: givenText("The value for `skinid`", examples.skin, "uuid"),
    Slim: slim,
    Hd: hd,
    Cloak_id: cloak_id,
    Texture_hash: givenText("The hash of its pixels: equal for equal pictures", examples.texture, "hash"),
  },
  { component: "HomeSkin" },
);

export function presentHomeSkin(skin: Skin, capeUuid: Uuid | null): Static<typeof homeSkin> {
  return {
    Id: skin.id,
    Name: skin.name,
    Uuid: skin.uuid,
    Slim: skin.model === "slim",
    Hd: isHd(skin.texture),
    Cloak_id: capeUuid ?? "",
    Texture_hash: skin.texture.hash,
  };
}

/** In `GET /api/admin/user/{identifier}` (docs/contract/admin.md#users). */
export const userSkin = t.Object({ uuid, name, cloak_id, slim, hd, selected }, { component: "UserSkin" });

export function presentUserSkin(
  skin: Skin,
  capeUuid: Uuid | null,
  isSelected: boolean,
): Static<typeof userSkin> {
  return { uuid: skin.uuid, name: skin.name, ...look(skin, capeUuid), selected: isSelected };
}

const ownedSkin = t.Object(fields, { component: "Skin" });
/** `PATCH /api/admin/skin/{uuid}`. */
export const skinEnvelope = envelopeOf(ownedSkin);
/** `GET /api/admin/users/skin/{uuid}` (docs/contract/admin.md#skins). */
export const wardrobeEnvelope = envelopeOf(t.Array(ownedSkin));

export function presentSkin(skin: OwnedSkin): Static<typeof ownedSkin> {
  return {
    id: skin.id,
    uuid: skin.uuid,
    name: skin.name,
    ...look(skin, skin.capeUuid),
    selected: skin.isSelected,
    sha256: skin.texture.digest,
    created: skin.createdAt,
  };
}

const listedSkin = t.Object(
  {
    id,
    iss: givenText("The owner's username", examples.name),
    action: t.Literal("skin"),
    for: givenNumber("The owner's id", examples.userId),
    time: created,
    uuid,
    name,
    sha256,
    width: givenNumber("Pixels", 64),
    height: givenNumber("Pixels", 64),
    slim,
    hd,
    cloak_id,
  },
  { component: "ListedSkin" },
);
/** `GET /api/admin/skins`: each row is shaped as an audit entry (docs/contract/admin.md#skins). */
export const skinsEnvelope = envelopeOf(t.Array(listedSkin));

export function presentListedSkin(skin: OwnedSkin): Static<typeof listedSkin> {
  const { digest, width, height } = skin.texture;
  return {
    id: skin.id,
    iss: skin.ownerName,
    action: "skin",
    for: skin.accountId,
    time: skin.createdAt,
    uuid: skin.uuid,
    name: skin.name,
    sha256: digest,
    width,
    height,
    ...look(skin, skin.capeUuid),
  };
}

const other = t.Object(
  {
    user: givenNumber("Whose it is", examples.userId),
    username: givenText("Their username", examples.name),
    uuid,
    name,
    selected,
  },
  { component: "SameSkin" },
);
const removal = t.Object(
  {
    id: givenNumber("Id of the audit entry", 2031),
    time: givenNumber("Unix seconds", examples.time),
    iss: givenText("Who removed it", examples.admin),
    name: givenText("What the skin was called", examples.skinName),
    reason: givenText("Why; empty for no reason", examples.reason),
    ban: givenFlag("Whether its bitmap was banned", false),
  },
  { component: "SkinRemoval" },
);
const lookedAtSkin = t.Object(
  {
    ...listedSkin.properties,
    selected,
    others: t.Array(other, {
      description: "Skins of other users with the same bitmap, the newest first, 20 at most",
    }),
    others_total: givenNumber(`How many they are; counted up to ${limits.sameTextureMax}`, 1),
    removals: t.Array(removal, {
      description: "The last 5 removals of the owner's skins by staff, the newest first",
    }),
  },
  { component: "SkinLook" },
);
/** `GET /api/admin/skin/{uuid}`. */
export const skinLookEnvelope = envelopeOf(lookedAtSkin);

export function presentSkinLook({ skin, others, removals }: SkinLook): Static<typeof lookedAtSkin> {
  return {
    ...presentListedSkin(skin),
    selected: skin.isSelected,
    others: others.rows.map((one) => ({
      user: one.accountId,
      username: one.ownerName,
      uuid: one.uuid,
      name: one.name,
      selected: one.isSelected,
    })),
    others_total: others.total,
    removals: removals.map(presentRemoval),
  };
}

/** The audit's `detail` is what was written then, so each part may be missing. */
function presentRemoval({ id, at, actor, detail }: RecordedEntry): Static<typeof removal> {
  const { old, reason, ban } = detail;
  const before = typeof old === "object" && old !== null && "name" in old ? old.name : "";
  return {
    id,
    time: at,
    iss: actor.name,
    name: typeof before === "string" ? before : "",
    reason: typeof reason === "string" ? reason : "",
    ban: ban === true,
  };
}

const skinName = t.Optional(
  textField("Its name in the wardrobe, 1 to 64 characters", examples.skinName, "textureName"),
);

/** `POST /api/home/edit/upload`. */
export const uploadBody = t.Object({
  skin: pngField(),
  slim: t.Optional(
    t.Union([t.Literal("true"), t.Literal("false")], {
      description: "Whether the arms are three pixels wide; detected from the pixels when absent",
      rule: rules.flag.of(),
      field: "model",
    }),
  ),
  name: skinName,
});

/** The fields of a skin that a request may change, by its owner and by staff alike. */
const changes = {
  name: skinName,
  slim: t.Optional(flagField("Whether the arms are three pixels wide", true, "model")),
  cloakid: t.Optional(
    t.Union([t.String({ shape: "uuidTextOrEmpty" }), t.Null()], {
      description: 'UUID of a cape that the owner may wear; null or "" removes the cape',
      rule: rules.uuidNullOrEmpty.of(),
      field: "cape",
      examples: [examples.cape],
    }),
  ),
};
const skinid = uuidField("The skin's UUID", examples.skin, "skin");

/** `PUT /api/home/edit/skin`. */
export const editSkinBody = t.Object({ skinid, ...changes });
/** `POST /api/home/edit/skin/select`, `DELETE /api/home/edit/skin`. */
export const skinBody = t.Object({ skinid });

/** `POST /api/home/edit/skin/copy`. */
export const sharedSkinBody = t.Object({
  player: uuidField("UUID of the player whose skin it is", examples.user, "player"),
});

/** `PATCH /api/admin/skin/{uuid}`: at least one of the fields. */
export const skinChangeBody = t.Object(
  {
    name: changes.name,
    slim: changes.slim,
    hd: t.Optional(flagField("Must agree with the file: whether it is more than 64 pixels wide", false)),
    cloakid: changes.cloakid,
  },
  // Sent as it is, the example changes one field, not all.
  { examples: [{ name: examples.skinName }] },
);

/** The change that a body asks for, the owner's or staff's. */
export function readSkinEdit(body: Omit<Static<typeof editSkinBody>, "skinid">): SkinEdit {
  const { name, slim, cloakid } = body;
  return {
    ...(name === undefined ? {} : { name }),
    ...(slim === undefined ? {} : { model: slim ? "slim" : "classic" }),
    ...(cloakid === undefined ? {} : { cape: cloakid ? readUuid("cloakid", cloakid) : null }),
  };
}

export const skinParams = t.Object({ uuid: uuidField("A skin's UUID", examples.skin, "skin") });

/** `DELETE /api/admin/skin/{uuid}`. */
export const skinRemovalBody = t.Object({
  reason: t.Optional(
    textField(
      `The reason, for the owner: one line of ${limits.reasonLengthMax} characters at most, mailed if the address is verified; empty for none`,
      examples.reason,
      "reason",
    ),
  ),
  ban: t.Optional(
    flagField(
      "Whether the bitmap is removed from every wardrobe and may not be uploaded again",
      false,
      "hash",
    ),
  ),
});
