import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { envelopeOf } from "../../envelope.ts";
import { flagField, textField, uuidField } from "../../fields.ts";
import { examples } from "../../openapi/examples.ts";

function uuid(description: string, example: string) {
  return t.String({ description, examples: [example] });
}

/**
 * `GET /api/home` (contract, Home profile; decisions, Home). Integers of answers are TypeBox's own: those of Elysia also
 * read text, which has every answer walked by an interpreter (6 µs of this one).
 */
export const profileEnvelope = envelopeOf(
  t.Object({
    Username: t.String({
      description: 'Empty before registration is finished: ""',
      examples: [examples.name],
    }),
    Uuid: uuid("The player's UUID, of which its pictures are asked", examples.user),
    Mail: t.String({ description: 'Empty for an account without one: ""', examples: [examples.mail] }),
    Selected_Cape: Type.Integer({
      description: "Number of the cape linked to the selected skin, else 0",
      examples: [3],
    }),
    Selected_Skin: uuid('UUID of the selected skin, else ""', examples.skin),
    PermLvl: Type.Integer({ description: "1 player, 2 moderator, 3 administrator", examples: [1] }),
    Capes: t.Array(
      t.Object({
        Id: Type.Integer({ examples: [3] }),
        Name: t.String({ examples: ["Founders"] }),
        Uuid: uuid("What `cloakid` takes", examples.cape),
      }),
      { description: "Capes that you may wear" },
    ),
    Skin: t.Array(
      t.Object({
        Id: Type.Integer({ examples: [12] }),
        Name: t.String({ examples: ["Diver"] }),
        Uuid: uuid("What `skinid` takes", examples.skin),
        Slim: t.Boolean({ description: "Whether the arms are three pixels wide", examples: [true] }),
        Hd: t.Boolean({ description: "Whether it is wider than 64 pixels", examples: [false] }),
        Cloak_id: uuid('UUID of the linked cape, else ""', examples.cape),
      }),
      { description: "Your wardrobe" },
    ),
    Social_integration: t.Boolean({ description: "Whether a social account is linked", examples: [false] }),
    Social: t.Object(
      {
        userid: t.String({ examples: [""] }),
        username: t.String({ examples: [""] }),
        avatar: t.String({ examples: [""] }),
      },
      { description: "Who you are at the social provider; empty texts without a link" },
    ),
    Mail_verification: t.Union([t.Literal(0), t.Literal(1)], {
      description: "1 when your mail address is confirmed",
      examples: [1],
    }),
  }),
);

export const uploadBody = t.Object({
  skin: t.File({
    rule: "must be one file part with a PNG in it",
    documented: {
      type: "string",
      format: "binary",
      contentMediaType: "image/png",
      description: "A PNG file",
    },
  }),
  slim: t.Optional(
    t.Union([t.Literal("true"), t.Literal("false")], {
      description: "Whether the arms are three pixels wide; found from the pixels when absent",
      rule: "must be true or false",
    }),
  ),
  name: t.Optional(textField("What the wardrobe calls it, 1 to 64 characters", "Diver")),
});

export const editSkinBody = t.Object({
  skinid: uuidField("The skin's UUID", examples.skin),
  name: t.Optional(textField("What the wardrobe calls it, 1 to 64 characters", "Diver")),
  slim: t.Optional(flagField("Whether the arms are three pixels wide")),
  cloakid: t.Optional(
    t.Union([t.String(), t.Null()], {
      description: 'UUID of a cape that you own; null or "" takes the cape off',
      rule: "must be a UUID, null or empty",
      examples: [examples.cape],
    }),
  ),
});

export const skinBody = t.Object({ skinid: uuidField("The skin's UUID", examples.skin) });

const currentPassword = textField("Your current password", examples.password);

export const finishBody = t.Object({
  username: textField("The player's name: 3 to 16 letters, digits and underscores by default", examples.name),
  password: textField("The account's password from now on, 8 to 128 characters", examples.password),
});
export const usernameBody = t.Object({
  username: textField("The player's new name", "Anna_2"),
  password: currentPassword,
});
export const passwordBody = t.Object({
  password: currentPassword,
  newpassword: textField("The new one, 8 to 128 characters", examples.newPassword),
});
export const removeSocialBody = t.Object({ password: textField("Your current password", examples.password) });
export const mailBody = t.Object({
  mail: textField("The new mail address", "anna@example.net"),
  password: currentPassword,
});
export const mailCodeBody = t.Object({
  code: textField("The code that was mailed to the new address", examples.code),
  password: currentPassword,
});

export const sessionParams = t.Object({
  id: uuidField("A session's id, from the list of them", examples.session),
});
export const sessionsEnvelope = envelopeOf(
  t.Array(
    t.Object({
      id: uuid("What ends it", examples.session),
      created: Type.Integer({ description: "Unix seconds", examples: [examples.time] }),
      last_used: Type.Integer({
        description: "Unix seconds, to the minute",
        examples: [examples.time + 3600],
      }),
      expires: Type.Integer({ description: "Unix seconds", examples: [examples.time + 86_400] }),
      address: t.String({ description: "Where it was opened from", examples: ["192.0.2.17"] }),
      user_agent: t.String({
        description: "What the program that opened it calls itself",
        examples: ["Launcher/2.4"],
      }),
      current: t.Boolean({ description: "Whether this request was made through it", examples: [true] }),
    }),
  ),
);
