import { type Bitmap, type Canvas, copyOf, createCanvas } from "./bitmap.ts";
import { layOver } from "./flat.ts";
import { faceRects, type Face, faces, type Layer, type Part, type PartName, playerParts } from "./parts.ts";
import { reduce } from "./reduce.ts";
import { isFlattened, type SkinTexture } from "./skin-sheet.ts";

/** What of a player a 64x32 sheet has in one layer alone. The left limbs are drawn from the right ones. */
const singleLayer: ReadonlySet<PartName> = new Set(["torso", "rightArm", "rightLeg"]);

/**
 * The skin as clients before 1.8 know it, 64x32: of body, right arm and right leg the second layer is drawn
 * over the first; the head keeps both. Slim arms become four texels wide by doubling the column next to the
 * body. A finer skin is reduced to 64 texels first. A 64x32 skin stays as it is, and so does all that no face
 * shows. A sheet that is opaque everywhere is a flattened export: its second layer is left out, as in every
 * picture.
 */
export function legacySheet({ bitmap, model }: SkinTexture): Bitmap {
  const sheet = bitmap.width > 64 ? reduce(bitmap, 64) : copyOf(bitmap);
  if (sheet.height !== sheet.width) return sheet;
  const isSingle = isFlattened(bitmap);
  if (model === "slim") widenArm(sheet);
  for (const part of playerParts("classic")) {
    if (!isSingle && singleLayer.has(part.name)) mergeLayers(sheet, part);
  }
  const upper = createCanvas(64, 32);
  upper.words.set(sheet.words.subarray(0, upper.words.length));
  return upper;
}

/** Lays the second layer over the first, which clients of that time draw opaque. */
function mergeLayers(sheet: Canvas, part: Part): void {
  const [first, second] = [faceRects(part, "first"), faceRects(part, "second")];
  for (const face of faces) layOver(sheet, first[face], sheet, second[face]);
}

/**
 * Faces of the right arm that are as wide as it is, with the column that touches the body: image-left or
 * image-right.
 */
const innerSide: Readonly<Partial<Record<Face, "left" | "right">>> = {
  top: "right",
  bottom: "right",
  front: "right",
  back: "left",
};

/** Unfolds the right arm, three texels wide, as one of four, in both layers. */
function widenArm(sheet: Canvas): void {
  const slim = rightArmOf("slim");
  const classic = rightArmOf("classic");
  const source = copyOf(sheet);
  for (const layer of ["first", "second"] satisfies Layer[]) {
    const [from, to] = [faceRects(slim, layer), faceRects(classic, layer)];
    for (const face of faces) {
      const { x, y, width, height } = from[face];
      const shift = innerSide[face] === "left" ? 1 : 0;
      for (let row = 0; row < height; row++) {
        for (let column = 0; column < to[face].width; column++) {
          const texel = Math.min(width - 1, Math.max(0, column - shift));
          sheet.words[(to[face].y + row) * 64 + to[face].x + column] =
            source.words[(y + row) * 64 + x + texel] ?? 0;
        }
      }
    }
  }
}

function rightArmOf(model: SkinTexture["model"]): Part {
  const arm = playerParts(model).find(({ name }) => name === "rightArm");
  if (arm === undefined) throw new Error("A player has a right arm");
  return arm;
}
