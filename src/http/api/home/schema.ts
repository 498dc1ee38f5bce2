import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { envelopeOf } from "../../envelope.ts";
import { flagField, textField, uuidField } from "../../fields.ts";

const bit = t.Union([t.Literal(0), t.Literal(1)]);

/**
 * `GET /api/home` (contract, Home profile; decisions, Home). Integers of answers are TypeBox's own: those of Elysia also
 * read text, which has every answer walked by an interpreter (6 µs of this one).
 */
export const profileEnvelope = envelopeOf(
  t.Object({
    Username: t.String({ description: 'Empty before registration is finished: ""' }),
    Uuid: t.String(),
    Mail: t.String(),
    Selected_Cape: Type.Integer({ description: "Number of the cape linked to the selected skin, else 0" }),
    Selected_Skin: t.String({ description: 'UUID of the selected skin, else ""' }),
    PermLvl: Type.Integer(),
    Capes: t.Array(t.Object({ Id: Type.Integer(), Name: t.String(), Uuid: t.String() })),
    Skin: t.Array(
      t.Object({
        Id: Type.Integer(),
        Name: t.String(),
        Uuid: t.String(),
        Slim: t.Boolean(),
        Hd: t.Boolean(),
        Cloak_id: t.String({ description: 'UUID of the linked cape, else ""' }),
      }),
    ),
    Social_integration: t.Boolean(),
    Social: t.Object({ userid: t.String(), username: t.String(), avatar: t.String() }),
    Mail_verification: bit,
  }),
);

export const uploadBody = t.Object({
  skin: t.File({ description: "A PNG file", rule: "must be one file part with a PNG in it" }),
  slim: t.Optional(
    t.Union([t.Literal("true"), t.Literal("false")], {
      description: "Whether the arms are three pixels wide; found from the pixels when absent",
      rule: "must be true or false",
    }),
  ),
  name: t.Optional(textField("What the wardrobe calls it")),
});

export const editSkinBody = t.Object({
  skinid: uuidField("The skin's UUID"),
  name: t.Optional(textField("What the wardrobe calls it")),
  slim: t.Optional(flagField("Whether the arms are three pixels wide")),
  cloakid: t.Optional(
    t.Union([t.String(), t.Null()], {
      description: 'UUID of a cape that you own; null or "" takes the cape off',
      rule: "must be a UUID, null or empty",
    }),
  ),
});

export const skinBody = t.Object({ skinid: uuidField("The skin's UUID") });

export const finishBody = t.Object({
  username: textField("The player's name"),
  password: textField("The account's password from now on, 8 to 128 characters"),
});
export const usernameBody = t.Object({
  username: textField("The player's new name"),
  password: textField("Your current password"),
});
export const passwordBody = t.Object({
  password: textField("Your current password"),
  newpassword: textField("The new one, 8 to 128 characters"),
});
export const removeSocialBody = t.Object({ password: textField("Your current password") });
export const mailBody = t.Object({
  mail: textField("The new mail address"),
  password: textField("Your current password"),
});
export const mailCodeBody = t.Object({
  code: textField("The code that was mailed to the new address"),
  password: textField("Your current password"),
});

export const sessionParams = t.Object({
  id: t.String({ description: "A session's id", rule: "must be a UUID" }),
});
export const sessionsEnvelope = envelopeOf(
  t.Array(
    t.Object({
      id: t.String(),
      created: Type.Integer({ description: "Unix seconds" }),
      last_used: Type.Integer({ description: "Unix seconds, to the minute" }),
      expires: Type.Integer({ description: "Unix seconds" }),
      address: t.String({ description: "Where it was opened from" }),
      user_agent: t.String(),
      current: t.Boolean({ description: "Whether this request was made through it" }),
    }),
  ),
);
