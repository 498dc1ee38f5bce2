import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { rowNumberMax } from "../../../kernel/ids.ts";
import { limits } from "../../../kernel/limits.ts";
import { envelopeOf } from "../../envelope.ts";
import {
  expiryField,
  flagField,
  givenNumber as number,
  givenText as text,
  textField,
  userField,
  uuidField,
} from "../../fields.ts";
import { examples } from "../../openapi/examples.ts";

const skinId = Type.Integer({ examples: [12] });
const skinUuid = text("Its UUID, by which pictures of it are asked", examples.skin, "uuid");
const skinName = text("What the wardrobe calls it", examples.skinName);
const capeId = Type.Integer({ examples: [examples.capeId] });
const capeUuid = text("The cape's UUID", examples.cape, "uuid");
const capeName = text("What its owners see", examples.capeName);
const uploaded = number("When it was uploaded: Unix seconds", examples.time);
const sha256 = text("SHA-256 of the stored file", examples.digest, "hash");
const end = t.Optional(
  number("When they may wear it no longer: Unix seconds; absent without an end", examples.endSeconds),
);

export const skinParams = t.Object({ uuid: uuidField("A skin's UUID", examples.skin) });
export const userParams = t.Object({ uuid: uuidField("A user's UUID", examples.user) });

const look = {
  slim: t.Boolean({ description: "Whether the arms are three pixels wide", examples: [true] }),
  hd: t.Boolean({ description: "Whether it is wider than 64 pixels", examples: [false] }),
  cloak_id: text('UUID of the linked cape, else ""', examples.cape, "uuidOrEmpty"),
};
const skin = t.Object(
  {
    id: skinId,
    uuid: skinUuid,
    name: skinName,
    ...look,
    selected: t.Boolean({ description: "Whether its owner shows it", examples: [true] }),
    sha256,
    created: uploaded,
  },
  { component: "Skin" },
);

/** `PATCH /api/admin/skin/:uuid`. */
export const skinEnvelope = envelopeOf(skin);
/** `GET /api/admin/users/skin/{uuid}` (decisions, Admin). */
export const wardrobeEnvelope = envelopeOf(t.Array(skin));

const file = { sha256, width: number("Pixels", 64), height: number("Pixels", 64) };

/** `GET /api/admin/skins` (decisions, Admin). */
export const skinsEnvelope = envelopeOf(
  t.Array(
    t.Object(
      {
        id: skinId,
        iss: text("The owner's username", examples.name),
        action: t.Literal("skin"),
        for: number("The owner's id", examples.userId),
        time: uploaded,
        uuid: skinUuid,
        name: skinName,
        ...file,
        ...look,
      },
      { component: "ListedSkin" },
    ),
  ),
);

/** `GET /api/admin/allcapes` (decisions, Admin). */
export const capesEnvelope = envelopeOf(
  t.Array(
    t.Object(
      {
        id: capeId,
        iss: text('The username of who uploaded it; "cli" from the command line', examples.admin),
        action: t.Literal("cape"),
        for: t.Literal(0),
        time: uploaded,
        uuid: capeUuid,
        name: capeName,
        ...file,
        height: number("Pixels", 32),
        owners: t.Array(Type.Integer(), {
          description: `Ids of those who may wear it, the first ${limits.ownersShownMax} of them`,
          examples: [examples.ownerIds],
        }),
        owners_count: number("How many may wear it", examples.ownerIds.length),
        grants: t.Array(
          t.Object(
            {
              user: number("The user's id", examples.userId),
              expires_at: t.Union([Type.Integer(), t.Null()], {
                description: "When the user may wear it no longer: Unix seconds; null: never",
                examples: [null],
              }),
            },
            { component: "CapeGrant" },
          ),
          { description: "The same users, and until when" },
        ),
      },
      { component: "ListedCape" },
    ),
  ),
);

/** Of these fields at least one must be there. */
export const skinChangeBody = t.Object(
  {
    name: t.Optional(textField("What the wardrobe calls it", examples.skinName, "textureName")),
    slim: t.Optional(flagField("Whether the arms are three pixels wide")),
    hd: t.Optional(flagField("Must agree with the file: whether it is more than 64 pixels wide", false)),
    cloakid: t.Optional(
      t.Union([t.String({ shape: "uuidTextOrEmpty" }), t.Null()], {
        description: 'UUID of a cape that the owner may wear; null or "" takes the cape off',
        rule: "must be a UUID, null or empty",
        examples: [examples.cape],
      }),
    ),
  },
  // Whoever sends this as it is changes one thing, not everything that there is.
  { examples: [{ name: examples.skinName }] },
);

export const skinRemovalBody = t.Object({
  reason: t.Optional(
    textField(
      `Why, for the owner: one line of ${limits.reasonLengthMax} characters at most, mailed if the address is verified; empty for none`,
      examples.reason,
      "reason",
    ),
  ),
  ban: t.Optional(
    flagField("Whether the bitmap goes from every wardrobe and may not be uploaded again", false),
  ),
});

export const banParams = t.Object({ hash: text("64 lower-case hex digits", examples.texture, "hash") });

/** `GET /api/admin/bans` (decisions, Added since: removing a skin). */
export const bansEnvelope = envelopeOf(
  t.Array(
    t.Object(
      {
        id: number("What `after` takes", 4),
        hash: text("The bitmap's hash, which names its address under /textures/", examples.texture, "hash"),
        iss: text(
          'The username of the moderator who banned it; "cli" from the command line',
          examples.moderator,
        ),
        time: number("When: Unix seconds", examples.time),
        reason: text("Empty without one", examples.reason),
      },
      { component: "Ban" },
    ),
  ),
);

export const capeUploadBody = t.Object({
  cape: t.File({
    rule: "must be one file part with a PNG in it",
    documented: {
      type: "string",
      format: "binary",
      contentMediaType: "image/png",
      description: "A PNG file",
    },
  }),
  name: textField("What its owners see, 1 to 64 characters", examples.capeName, "textureName"),
  owners: t.Optional(
    t.Union([t.String(), t.Array(t.String())], {
      rule: "must be a list of users' ids",
      documented: {
        type: "string",
        description: `Ids of those who may wear it, ${limits.idsMax} at most: separated by commas (\`17, 18\`), or a JSON array (\`[17, 18]\`). None when empty`,
      },
    }),
  ),
  expired_at: t.Optional(
    t.String({
      description:
        "When they may wear it no longer: ISO 8601 with a zone, or Unix seconds (over 10^11: milliseconds). Never when empty",
      rule: "must be ISO 8601 text with a zone, or a whole number of Unix seconds",
      shape: "formInstant",
    }),
  ),
});

/** `POST /api/admin/user/cape/upload` (decisions, Admin). */
export const capeEnvelope = envelopeOf(
  t.Object(
    {
      capeid: capeUuid,
      id: capeId,
      name: capeName,
      owners: t.Array(Type.Integer(), {
        description: "Ids of those who may wear it",
        examples: [examples.ownerIds],
      }),
      expired_at: end,
    },
    { component: "Cape" },
  ),
);

export const capeDeletionBody = t.Object({ capeid: uuidField("The cape's UUID", examples.cape) });

export const capeListRule = `must be a list of UUIDs or ids of capes, ${limits.idsMax} at most`;

export const grantBody = t.Object({
  user: userField("The id of the same user as in the path"),
  // The route reads it, for the framework takes a text, and any object with a length, for a list.
  cape: t.Unknown({
    rule: capeListRule,
    documented: {
      type: "array",
      description: "UUIDs or ids of all capes that the user may wear from now on; empty for none",
      items: {
        anyOf: [
          { type: "string", shape: "uuidTextOrNumber" },
          { type: "integer", minimum: 1, maximum: rowNumberMax },
        ],
      },
      maxItems: limits.idsMax,
      examples: [[examples.cape]],
    },
  }),
  expired_at: expiryField("When the user may wear them no longer"),
});

/** `POST /api/admin/user/cape/{identifier}` (decisions, Admin). */
export const grantEnvelope = envelopeOf(
  t.Object(
    {
      id: number("The user's id", examples.userId),
      new_role_level: number("The level in force", 1),
      capes: t.Array(
        t.Object(
          {
            Id: capeId,
            Name: capeName,
            Uuid: capeUuid,
            Expires_at: t.Union([Type.Integer(), t.Null()], {
              description: "When the user may wear it no longer: Unix seconds; null: never",
              examples: [examples.endSeconds],
            }),
          },
          { component: "GrantedCape" },
        ),
      ),
      expired_at: end,
    },
    { component: "CapeGrants" },
  ),
);
