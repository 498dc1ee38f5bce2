import { t } from "elysia";
import { limits } from "../../../kernel/limits.ts";

const { pictureSizeMin, pictureSizeMax } = limits;

const size = t.Optional(
  // A text here, because the framework's own coercion takes "1e2", "0x64" and " 100" for integers.
  t.String({
    pattern: "^[0-9]{1,4}$",
    description: `Pixels, ${pictureSizeMin} to ${pictureSizeMax}`,
    rule: `must be a whole number from ${pictureSizeMin} to ${pictureSizeMax}`,
  }),
);
const type = t.Optional(
  t.Union([t.Literal("skin"), t.Literal("player")], {
    default: "skin",
    description: "The texture, or the player's model that wears it",
    rule: "must be skin or player",
  }),
);
const fallback = t.Optional(
  t.Literal("none", { description: "404 instead of a default skin", rule: "must be none, or be left out" }),
);

const idRule = "must be a UUID, a username or a number, and valid in an address";

// Without these the framework would hand on null for a path that is no valid percent-encoding.
export const uuidParams = t.Object({
  uuid: t.String({ description: "A UUID, dashed or not", rule: idRule }),
});
export const capeParams = t.Object({
  id: t.String({ description: "A cape's UUID or number, or a skin's UUID", rule: idRule }),
});
export const hashParams = t.Object({ hash: t.String({ description: "64 hex digits", rule: idRule }) });

export const pictureQuery = t.Object({ size, type });
export const playerPictureQuery = t.Object({ size, type, default: fallback });
export const fileQuery = t.Object({ default: fallback });
