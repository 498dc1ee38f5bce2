import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { limits } from "../../../kernel/limits.ts";
import { envelopeOf } from "../../envelope.ts";
import { expiryField, flagField, textField, userField, uuidField } from "../../fields.ts";

const seconds = (description: string) => Type.Integer({ description: `${description}: Unix seconds` });
const end = t.Optional(seconds("When they may wear it no longer; absent without an end"));

export const uuidParams = t.Object({
  uuid: t.String({ description: "A UUID, dashed or not", rule: "must be a UUID" }),
});

const look = {
  slim: t.Boolean(),
  hd: t.Boolean(),
  cloak_id: t.String({ description: 'UUID of the linked cape, else ""' }),
};
const skin = t.Object({
  id: Type.Integer(),
  uuid: t.String(),
  name: t.String(),
  ...look,
  selected: t.Boolean({ description: "Whether its owner shows it" }),
  sha256: t.String({ description: "Of the stored file" }),
  created: seconds("When it was uploaded"),
});

/** `PATCH /api/admin/skin/:uuid`. */
export const skinEnvelope = envelopeOf(skin);
/** `GET /api/admin/users/skin/{uuid}` (decisions, Admin). */
export const wardrobeEnvelope = envelopeOf(t.Array(skin));

const file = {
  sha256: t.String({ description: "Of the stored file" }),
  width: Type.Integer({ description: "Pixels" }),
  height: Type.Integer({ description: "Pixels" }),
};

/** `GET /api/admin/skins` (decisions, Admin). */
export const skinsEnvelope = envelopeOf(
  t.Array(
    t.Object({
      id: Type.Integer(),
      iss: t.String({ description: "The owner's username" }),
      action: t.Literal("skin"),
      for: Type.Integer({ description: "The owner's id" }),
      time: seconds("When it was uploaded"),
      uuid: t.String(),
      name: t.String(),
      ...file,
      ...look,
    }),
  ),
);

/** `GET /api/admin/allcapes` (decisions, Admin). */
export const capesEnvelope = envelopeOf(
  t.Array(
    t.Object({
      id: Type.Integer(),
      iss: t.String({ description: 'The username of who uploaded it; "cli" from the command line' }),
      action: t.Literal("cape"),
      for: t.Literal(0),
      time: seconds("When it was uploaded"),
      uuid: t.String(),
      name: t.String(),
      ...file,
      owners: t.Array(Type.Integer(), {
        description: `Ids of those who may wear it, the first ${limits.ownersShownMax} of them`,
      }),
      owners_count: Type.Integer({ description: "How many may wear it" }),
    }),
  ),
);

/** Of these fields at least one must be there. */
export const skinChangeBody = t.Object({
  name: t.Optional(textField("What the wardrobe calls it")),
  slim: t.Optional(flagField("Whether the arms are three pixels wide")),
  hd: t.Optional(flagField("Must agree with the file: whether it is more than 64 pixels wide")),
  cloakid: t.Optional(
    t.Union([t.String(), t.Null()], {
      description: 'UUID of a cape that the owner may wear; null or "" takes the cape off',
      rule: "must be a UUID, null or empty",
    }),
  ),
});

export const capeUploadBody = t.Object({
  cape: t.File({ description: "A PNG file", rule: "must be one file part with a PNG in it" }),
  name: textField("What its owners see"),
  owners: t.Optional(
    t.Union([t.String(), t.Array(t.String())], {
      description: `Ids of those who may wear it, ${limits.idsMax} at most: a JSON array, or separated by commas; none when empty`,
      rule: "must be a list of users' ids",
    }),
  ),
  expired_at: t.Optional(
    t.String({
      description:
        "When they may wear it no longer: ISO 8601 with a zone, or Unix seconds (over 10^11: milliseconds); never when empty",
      rule: "must be ISO 8601 text with a zone, or a whole number of Unix seconds",
    }),
  ),
});

/** `POST /api/admin/user/cape/upload` (decisions, Admin). */
export const capeEnvelope = envelopeOf(
  t.Object({
    capeid: t.String({ description: "The cape's UUID" }),
    id: Type.Integer(),
    name: t.String(),
    owners: t.Array(Type.Integer()),
    expired_at: end,
  }),
);

export const capeDeletionBody = t.Object({ capeid: uuidField("The cape's UUID") });

export const grantBody = t.Object({
  user: userField("The id of the same user as in the path"),
  cape: t.Array(t.Union([t.String(), Type.Integer()], { rule: "must be a cape's UUID or id" }), {
    description: "UUIDs or ids of all capes that the user may wear from now on; empty for none",
    maxItems: limits.idsMax,
    rule: `must be a list of ${limits.idsMax} UUIDs or ids of capes at most`,
  }),
  expired_at: expiryField("When the user may wear them no longer"),
});

/** `POST /api/admin/user/cape/{identifier}` (decisions, Admin). */
export const grantEnvelope = envelopeOf(
  t.Object({
    id: Type.Integer(),
    new_role_level: Type.Integer({ description: "The level in force" }),
    capes: t.Array(
      t.Object({
        Id: Type.Integer(),
        Name: t.String(),
        Uuid: t.String(),
        Expires_at: t.Union([Type.Integer(), t.Null()], {
          description: "When the user may wear it no longer: Unix seconds; null: never",
        }),
      }),
    ),
    expired_at: end,
  }),
);
