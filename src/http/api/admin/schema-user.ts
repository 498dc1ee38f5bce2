import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { envelopeOf } from "../../envelope.ts";
import { expiryField, flagField, textField, userField } from "../../fields.ts";

const bit = t.Union([t.Literal(0), t.Literal(1)]);
const seconds = (description: string) => Type.Integer({ description: `${description}: Unix seconds` });
const roleEnd = t.Union([Type.Integer(), t.Null()], {
  description: "When the level in force ends and the permanent one holds again: Unix seconds; null: never",
});

export const identifierParams = t.Object({
  identifier: t.String({
    description: "A user's id, UUID, username or mail address",
    rule: "must be an id, UUID, username or mail address",
  }),
});

/** `GET /api/admin/users` (contract, User record; decisions, Admin). */
export const usersEnvelope = envelopeOf(
  t.Array(
    t.Object({
      id: Type.Integer(),
      username: t.String({ description: 'Empty before registration is finished: ""' }),
      dsid: t.String({ description: 'Id at the social provider, "" when not linked' }),
      mail: t.String({ description: 'Empty for who has none: ""' }),
      mail_verify: bit,
      uuid: t.String(),
      password: t.Literal("[redacted]"),
      perms: Type.Integer({ description: "The level in force" }),
      accessToken: t.Null(),
      serverID: t.Null(),
      hwidId: t.Null(),
      perms_permanent: Type.Integer({ description: "The level for good" }),
      perms_expires_at: roleEnd,
      created: seconds("When it was made"),
    }),
  ),
);

/** `GET /api/admin/user/{identifier}` (contract, User detail; decisions, Admin). */
export const userEnvelope = envelopeOf(
  t.Object({
    Id: Type.Integer(),
    Username: t.String({ description: 'Empty before registration is finished: ""' }),
    Uuid: t.String(),
    Mail: t.String({ description: 'Empty for who has none: ""' }),
    Mail_verify: bit,
    Selected_Cape: Type.Integer({ description: "Number of the cape linked to the selected skin, else 0" }),
    Selected_Skin: t.String({ description: 'UUID of the selected skin, else ""' }),
    PermLvl: Type.Integer({ description: "The level in force" }),
    perms_permanent: Type.Integer({ description: "The level for good" }),
    perms_expires_at: roleEnd,
    Capes: t.Array(
      t.Object({
        Id: t.String({ description: "The cape's number, as a text" }),
        Name: t.String(),
        Uuid: t.String(),
        Expires_at: t.Union([Type.Integer(), t.Null()], {
          description: "When the user may wear it no longer: Unix seconds; null: never",
        }),
      }),
    ),
    Skins: t.Array(
      t.Object({
        uuid: t.String(),
        name: t.String(),
        cloak_id: t.String({ description: 'UUID of the linked cape, else ""' }),
        slim: t.Boolean(),
        hd: t.Boolean(),
        selected: t.Boolean(),
      }),
    ),
    Social_integration: t.Boolean(),
    Social: t.Object({ userid: t.String(), username: t.String(), avatar: t.String() }),
    Mail_verification: bit,
    Created: seconds("When it was made"),
  }),
);

export function levelField(description: string) {
  return t.Union([t.Literal(1), t.Literal(2), t.Literal(3)], { description, rule: "must be 1, 2 or 3" });
}

/** Of these fields at least one must be there. */
export const changeBody = t.Object({
  username: t.Optional(textField("Another name; the first one finishes an unfinished registration")),
  mail: t.Optional(
    textField("Another address, which counts as unverified unless mail_verify says otherwise"),
  ),
  mail_verify: t.Optional(flagField("Whether the address is verified")),
  selected_skin: t.Optional(
    t.String({
      description: 'UUID of one of the user\'s skins; "" selects none',
      rule: "must be a UUID or empty",
    }),
  ),
  password: t.Optional(textField("Another password, 8 to 128 characters")),
  perms: t.Optional(levelField("The level for good; a temporary role holds on until it ends")),
  dsid: t.Optional(flagField("False unlinks the social account, true changes nothing")),
  mail_verification: t.Optional(flagField("The same as mail_verify")),
});

export const roleBody = t.Object({
  user: userField("The id of the same user as in the path"),
  role_level: levelField("1 player, 2 moderator, 3 administrator"),
  expired_at: expiryField("When the role ends and the permanent level holds again"),
});

/** `POST /api/admin/user/role/{identifier}`. */
export const roleEnvelope = envelopeOf(
  t.Object({
    id: Type.Integer(),
    new_role_level: Type.Integer({ description: "The level in force" }),
    expired_at: t.Optional(seconds("When it ends; absent for a role without an end")),
  }),
);
