import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { envelopeOf } from "../../envelope.ts";
import { flagField, givenNumber, givenText as text, textField, uuidField } from "../../fields.ts";
import { examples } from "../../openapi/examples.ts";
import { socialAccount } from "../social/schema.ts";

const homeCape = t.Object(
  {
    Id: Type.Integer({ examples: [examples.capeId] }),
    Name: t.String({ examples: [examples.capeName] }),
    Uuid: text("What `cloakid` takes", examples.cape, "uuid"),
  },
  { component: "HomeCape" },
);
const homeSkin = t.Object(
  {
    Id: Type.Integer({ examples: [12] }),
    Name: t.String({ examples: [examples.skinName] }),
    Uuid: text("What `skinid` takes", examples.skin, "uuid"),
    Slim: t.Boolean({ description: "Whether the arms are three pixels wide", examples: [true] }),
    Hd: t.Boolean({ description: "Whether it is wider than 64 pixels", examples: [false] }),
    Cloak_id: text('UUID of the linked cape, else ""', examples.cape, "uuidOrEmpty"),
  },
  { component: "HomeSkin" },
);

/** `GET /api/home` (contract, Home profile; decisions, Home). */
export const profileEnvelope = envelopeOf(
  t.Object(
    {
      Username: text('Empty before registration is finished: ""', examples.name),
      Uuid: text("The player's UUID, of which its pictures are asked", examples.user, "uuid"),
      Mail: text('Empty for an account without one: ""', examples.mail),
      Selected_Cape: givenNumber("Number of the cape linked to the selected skin, else 0", examples.capeId),
      Selected_Skin: text('UUID of the selected skin, else ""', examples.skin, "uuidOrEmpty"),
      PermLvl: givenNumber("1 player, 2 moderator, 3 administrator", 1),
      Capes: t.Array(homeCape, { description: "Capes that you may wear" }),
      Skin: t.Array(homeSkin, { description: "Your wardrobe" }),
      Social_integration: t.Boolean({ description: "Whether a social account is linked", examples: [true] }),
      Social: socialAccount,
      Mail_verification: t.Union([t.Literal(0), t.Literal(1)], {
        description: "1 when your mail address is confirmed",
        examples: [1],
      }),
    },
    { component: "HomeProfile" },
  ),
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
  name: t.Optional(
    textField("What the wardrobe calls it, 1 to 64 characters", examples.skinName, "textureName"),
  ),
});

export const editSkinBody = t.Object({
  skinid: uuidField("The skin's UUID", examples.skin),
  name: t.Optional(
    textField("What the wardrobe calls it, 1 to 64 characters", examples.skinName, "textureName"),
  ),
  slim: t.Optional(flagField("Whether the arms are three pixels wide")),
  cloakid: t.Optional(
    t.Union([t.String({ shape: "uuidTextOrEmpty" }), t.Null()], {
      description: 'UUID of a cape that you own; null or "" takes the cape off',
      rule: "must be a UUID, null or empty",
      examples: [examples.cape],
    }),
  ),
});

export const skinBody = t.Object({ skinid: uuidField("The skin's UUID", examples.skin) });

const currentPassword = textField("Your current password", examples.password);

export const finishBody = t.Object({
  username: textField(
    "The player's name: 3 to 16 letters, digits and underscores by default",
    examples.name,
    "newUsername",
  ),
  password: textField(
    "The account's password from now on, 8 to 128 characters",
    examples.password,
    "newPassword",
  ),
});
export const usernameBody = t.Object({
  username: textField("The player's new name", "Anna_2", "newUsername"),
  password: currentPassword,
});
export const passwordBody = t.Object({
  password: currentPassword,
  newpassword: textField("The new one, 8 to 128 characters", examples.newPassword, "newPassword"),
});
export const removeSocialBody = t.Object({ password: textField("Your current password", examples.password) });
export const mailBody = t.Object({
  mail: textField("The new mail address", "anna@example.net", "mail"),
  password: currentPassword,
});
export const mailCodeBody = t.Object({
  code: textField("The code that was mailed to the new address", examples.code, "code"),
  password: currentPassword,
});

export const sessionParams = t.Object({
  id: uuidField("A session's id, from the list of them", examples.session),
});
export const sessionsEnvelope = envelopeOf(
  t.Array(
    t.Object(
      {
        id: text("What ends it", examples.session, "uuid"),
        created: givenNumber("Unix seconds", examples.time),
        last_used: givenNumber("Unix seconds, to the minute", examples.time + 3600),
        expires: givenNumber("Unix seconds", examples.time + 86_400),
        address: text("Where it was opened from", "192.0.2.17"),
        user_agent: text("What the program that opened it calls itself", "Launcher/2.4"),
        current: t.Boolean({ description: "Whether this request was made through it", examples: [true] }),
      },
      { component: "Session" },
    ),
  ),
);
