import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { envelopeOf } from "../../envelope.ts";
import { expiryField, flagField, givenText as text, textField, userField } from "../../fields.ts";
import { examples } from "../../openapi/examples.ts";
import { socialAccount } from "../social/schema.ts";

const bit = t.Union([t.Literal(0), t.Literal(1)], {
  description: "1 when the mail address is verified",
  examples: [1],
});
const level = (description: string) => Type.Integer({ description, examples: [1] });

const id = Type.Integer({ examples: [examples.userId] });
const username = text('Empty before registration is finished: ""', examples.name);
const mail = text('Empty for who has none: ""', examples.mail);
const uuid = text("The player's UUID, of which its pictures are asked", examples.user, "uuid");
const created = Type.Integer({ description: "When it was made: Unix seconds", examples: [examples.time] });
const levels = {
  perms_permanent: level("The level for good"),
  perms_expires_at: t.Union([Type.Integer(), t.Null()], {
    description: "When the level in force ends and the permanent one holds again: Unix seconds; null: never",
    examples: [null],
  }),
};

export const identifierParams = t.Object({
  identifier: t.String({
    description: "A user's id, UUID, username or mail address",
    rule: "must be an id, UUID, username or mail address",
    shape: "identifier",
    examples: [examples.user],
  }),
});

/** `GET /api/admin/users` (contract, User record; decisions, Admin). */
export const usersEnvelope = envelopeOf(
  t.Array(
    t.Object(
      {
        id,
        username,
        dsid: text('Id at the social provider, "" when not linked', examples.socialId),
        mail,
        mail_verify: bit,
        uuid,
        password: t.Literal("[redacted]"),
        perms: level("The level in force: 1 player, 2 moderator, 3 administrator"),
        accessToken: t.Null(),
        serverID: t.Null(),
        hwidId: t.Null(),
        ...levels,
        created,
      },
      { component: "User" },
    ),
  ),
);

const userCape = t.Object(
  {
    Id: text("The cape's number, as a text", String(examples.capeId)),
    Name: t.String({ examples: [examples.capeName] }),
    Uuid: text("The cape's UUID", examples.cape, "uuid"),
    Expires_at: t.Union([Type.Integer(), t.Null()], {
      description: "When the user may wear it no longer: Unix seconds; null: never",
      examples: [null],
    }),
  },
  { component: "UserCape" },
);
const userSkin = t.Object(
  {
    uuid: text("The skin's UUID", examples.skin, "uuid"),
    name: t.String({ examples: [examples.skinName] }),
    cloak_id: text('UUID of the linked cape, else ""', examples.cape, "uuidOrEmpty"),
    slim: t.Boolean({ description: "Whether the arms are three pixels wide", examples: [true] }),
    hd: t.Boolean({ description: "Whether it is wider than 64 pixels", examples: [false] }),
    selected: t.Boolean({ description: "Whether the player shows it", examples: [true] }),
  },
  { component: "UserSkin" },
);

/** `GET /api/admin/user/{identifier}` (contract, User detail; decisions, Admin). */
export const userEnvelope = envelopeOf(
  t.Object(
    {
      Id: id,
      Username: username,
      Uuid: uuid,
      Mail: mail,
      Mail_verify: bit,
      Selected_Cape: Type.Integer({
        description: "Number of the cape linked to the selected skin, else 0",
        examples: [examples.capeId],
      }),
      Selected_Skin: text('UUID of the selected skin, else ""', examples.skin, "uuidOrEmpty"),
      PermLvl: level("The level in force: 1 player, 2 moderator, 3 administrator"),
      ...levels,
      Capes: t.Array(userCape, { description: "Capes that the user may wear" }),
      Skins: t.Array(userSkin, { description: "The user's wardrobe" }),
      Social_integration: t.Boolean({ description: "Whether a social account is linked", examples: [true] }),
      Social: socialAccount,
      Mail_verification: bit,
      Created: created,
    },
    { component: "UserDetail" },
  ),
);

export function levelField(description: string) {
  return t.Union([t.Literal(1), t.Literal(2), t.Literal(3)], {
    description,
    rule: "must be 1, 2 or 3",
    examples: [2],
  });
}

/** Of these fields at least one must be there. */
export const changeBody = t.Object(
  {
    username: t.Optional(
      textField("Another name; the first one finishes an unfinished registration", "Anna_2", "newUsername"),
    ),
    mail: t.Optional(
      textField(
        "Another address, which counts as unverified unless mail_verify says otherwise",
        "anna@example.net",
        "mail",
      ),
    ),
    mail_verify: t.Optional(flagField("Whether the address is verified")),
    selected_skin: t.Optional(
      t.String({
        description: 'UUID of one of the user\'s skins; "" selects none',
        rule: "must be a UUID or empty",
        shape: "uuidTextOrEmpty",
        examples: [examples.skin],
      }),
    ),
    password: t.Optional(
      textField("Another password, 8 to 128 characters", examples.newPassword, "newPassword"),
    ),
    perms: t.Optional(levelField("The level for good; a temporary role holds on until it ends")),
    dsid: t.Optional(flagField("False unlinks the social account, true changes nothing", false)),
    mail_verification: t.Optional(flagField("The same as mail_verify")),
  },
  // Whoever sends this as it is changes one thing, not everything that there is.
  { examples: [{ username: "Anna_2" }] },
);

export const roleBody = t.Object({
  user: userField("The id of the same user as in the path"),
  role_level: levelField("1 player, 2 moderator, 3 administrator"),
  expired_at: expiryField("When the role ends and the permanent level holds again"),
});

/** `POST /api/admin/user/role/{identifier}`. */
export const roleEnvelope = envelopeOf(
  t.Object(
    {
      id,
      new_role_level: Type.Integer({ description: "The level in force", examples: [2] }),
      expired_at: t.Optional(
        Type.Integer({
          description: "When it ends: Unix seconds; absent for a role without an end",
          examples: [examples.endSeconds],
        }),
      ),
    },
    { component: "RoleAssignment" },
  ),
);
