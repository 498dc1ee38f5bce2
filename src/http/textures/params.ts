import { rules } from "../rules.ts";
import { fileWidths, type FileForm, type FileWidth } from "../../domain/textures/forms.ts";
import { AppError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import { examples } from "../openapi/examples.ts";
import type { ShapeName } from "../openapi/shapes.ts";
import { t } from "../routing/schema.ts";

/**
 * The parts of delivery's paths and queries. The readers fail with invalid, naming the parameter and the
 * rule.
 */

const { pictureSizeMin, pictureSizeMax } = limits;

const sizeRule = rules.wholeFrom.of(pictureSizeMin, pictureSizeMax);

const size = t.Optional(
  // A text here, because the framework's own coercion takes "1e2", "0x64" and " 100" for integers.
  t.String({
    pattern: "^[0-9]{1,4}$",
    description: "Pixels of the picture's width",
    rule: sizeRule,
    documented: { type: "integer", minimum: pictureSizeMin, maximum: pictureSizeMax, default: 100 },
  }),
);
const type = t.Optional(
  t.Union([t.Literal("skin"), t.Literal("player")], {
    default: "skin",
    description: "The texture, or the player's model that wears it",
    rule: rules.oneOf.of("skin or player"),
  }),
);
const fallback = t.Optional(
  t.Literal("none", {
    description: "404 for a player without a skin, who is shown with a default one otherwise",
    rule: rules.oneOfOrAbsent.of("none"),
  }),
);

const capeFallback = t.Optional(
  t.Union([t.Literal("none"), t.Literal("transparent")], {
    description:
      "`transparent`: a transparent picture for a player without a cape. `none`, as without it: 404",
    rule: rules.oneOfOrAbsent.of("none or transparent"),
    examples: ["transparent"],
  }),
);

const layout = t.Optional(
  t.Literal("legacy", {
    description: "`legacy`: 64x32 for clients before 1.8. Second layers are drawn over the first",
    rule: rules.oneOfOrAbsent.of("legacy"),
  }),
);

const width = t.Optional(
  t.Union(
    fileWidths.map((pixels) => t.Literal(String(pixels))),
    {
      description:
        "The most pixels that the file may be wide. A finer texture is reduced; nothing is enlarged",
      rule: rules.oneOfOrAbsent.of(fileWidths.join(", ")),
      documented: { type: "integer", enum: fileWidths },
    },
  ),
);

function idField(description: string, example: string, shape: ShapeName) {
  return t.String({ description, rule: rules.segment.of(), shape, examples: [example] });
}

// Without these the framework would hand on null for a path that is no valid percent-encoding.
export const uuidParams = t.Object({
  uuid: idField("A player's UUID; the name of one is taken, too", examples.user, "uuidText"),
});
export const playerParams = t.Object({
  uuid: idField("A player's UUID or name", examples.user, "player"),
});
export const playerOrSkinParams = t.Object({
  uuid: idField("A player's UUID or name, or a skin's UUID", examples.user, "player"),
});
export const savedSkinParams = t.Object({ uuid: idField("A skin's UUID", examples.skin, "uuidText") });
export const savedCapeParams = t.Object({ uuid: idField("A cape's UUID", examples.cape, "uuidText") });
export const capeParams = t.Object({
  id: idField("A cape's UUID or number, or a skin's UUID", examples.cape, "uuidTextOrNumber"),
});
export const wingsParams = t.Object({
  id: idField("A cape's UUID or number, or a player's UUID or name", examples.cape, "player"),
});
export const hashParams = t.Object({
  hash: idField("64 lower-case hex digits", examples.texture, "hash"),
});

export const sizeQuery = { size } as const;
export const pictureQuery = t.Object({ size, type, width });
export const wingsQuery = t.Object({ size, type });
export const playerCapeQuery = t.Object({ size, type, width, default: capeFallback });
export const playerPictureQuery = t.Object({ size, type, default: fallback });
export const playerFileQuery = t.Object({ layout, width, default: fallback });
export const skinFileQuery = t.Object({ layout, width });
export const capeFileQuery = t.Object({ width });

/** Pixels of the picture's edge; 100 when the query names none. */
export function readSize(value: string | undefined): number {
  const pixels = value === undefined ? 100 : Number(value);
  if (pixels < pictureSizeMin || pixels > pictureSizeMax) {
    throw new AppError(sizeRule, { field: "size" });
  }
  return pixels;
}

/** How a query wants a skin's file. */
export function readForm({ layout, width }: typeof skinFileQuery.static): FileForm {
  return { layout: layout ?? null, width: readWidth(width) };
}

/** The most pixels that a query wants a file to be wide; null when it does not say. */
export function readWidth(width: string | undefined): FileWidth | null {
  return fileWidths.find((pixels) => String(pixels) === width) ?? null;
}
