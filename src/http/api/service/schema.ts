import { t } from "elysia";
import { expiryField, givenText as text, socialIdField, userField } from "../../fields.ts";
import { examples } from "../../openapi/examples.ts";
import { levelField } from "../admin/schema-user.ts";

/** Typed clients send what they have no value for as well. */
const nothing = t.Union([t.Literal(""), t.Null()]);

/** `POST /api/service/user`: one of the two, or both. */
export const findBody = t.Object({
  Social_id: t.Optional(
    t.Union([socialIdField("Id at the social provider"), nothing], {
      rule: "must be a text of 1 to 255 characters or a whole number",
      documented: {
        anyOf: [
          { type: "string", maxLength: 255 },
          { type: "integer", format: "int64", minimum: 0 },
          { type: "null" },
        ],
        description:
          "Id at the social provider, as a whole number of any length or as text; 0, empty and null count as absent",
        examples: [examples.socialId],
      },
    }),
  ),
  Playername: t.Optional(
    t.Union([t.String({ shape: "playerOrEmpty" }), t.Null()], {
      description: "Username, in any case; empty and null count as absent",
      rule: "must be a text",
      examples: [examples.name],
    }),
  ),
});

/** Bare, without the envelope (contract, Service endpoints). */
export const foundUser = t.Object(
  {
    social: t.Object({
      username: text('Empty when not linked: ""', examples.socialName),
      id: text('Empty when not linked: ""', examples.socialId),
    }),
    account: t.Object({
      username: text('Empty before registration is finished: ""', examples.name),
      uuid: text("The player's UUID", examples.user, "uuid"),
    }),
  },
  { component: "FoundUser" },
);

export const permissionBody = t.Object({
  userid: userField("The user's id"),
  permission: levelField("1 player, 2 moderator, 3 administrator"),
  expired_at: expiryField("When the permission ends and the permanent level holds again"),
});
