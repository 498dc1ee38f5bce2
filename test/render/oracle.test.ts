import { describe, test } from "bun:test";
import { renderPicture } from "../../src/render/render.ts";
import { bodyView, capeView, headView, isometricView } from "../../src/render/views.ts";
import { expectAlike } from "./alike.ts";
import { paintSkin, variedSkin } from "./paint.ts";
import { drawOracle } from "./svg-oracle.ts";

const first = (...parts: string[]) => parts.map((part) => [part, "first", "outside"] as const);
/** Without second layer: the whole sheet is opaque. */
const flattened = (arms: "classic" | "slim") => {
  const sheet = variedSkin({ arms });
  sheet.words.forEach((word, i) => (sheet.words[i] = (word | 0xff000000) >>> 0));
  return sheet;
};

describe("resvg, drawing every texel as a polygon, shows the same", () => {
  test.each([1, 2])("head in both layers, with translucent texels, at scale %d", (scale) => {
    const bitmap = variedSkin({ scale });
    const skin = { bitmap, model: "classic" } as const;
    const order = [
      ["head", "second", "inside"],
      ["head", "first", "outside"],
      ["head", "second", "outside"],
    ] as const;
    const ours = renderPicture({ view: "head", type: "player", size: 400, skin });
    expectAlike(ours, drawOracle({ view: headView, width: 400, skin: bitmap, arms: "classic", order }));
  });

  test.each(["classic", "slim"] as const)("body of a %s skin", (arms) => {
    const skin = flattened(arms);
    const ours = renderPicture({
      view: "body",
      type: "player",
      size: 300,
      skin: { bitmap: skin, model: arms },
    });
    const order = first("rightArm", "rightLeg", "leftLeg", "torso", "leftArm", "head");
    expectAlike(ours, drawOracle({ view: bodyView, width: 300, skin, arms, order }));
  });

  test.each([
    ["right", "classic"],
    ["left", "classic"],
    ["right", "slim"],
    ["left", "slim"],
  ] as const)("isometric from the %s, a %s skin", (side, arms) => {
    const skin = flattened(arms);
    const ours = renderPicture({
      view: "body",
      type: "isometric",
      size: 300,
      layers: "first",
      ...(side === "left" && { side }),
      skin: { bitmap: skin, model: arms },
    });
    const far = side === "left" ? "right" : "left";
    const order = first(`${far}Leg`, `${side}Leg`, `${far}Arm`, "torso", `${side}Arm`, "head");
    const view = isometricView("body", "first", side);
    expectAlike(ours, drawOracle({ view, width: 300, skin, arms, order }));
  });

  test.each(["classic", "slim"] as const)("cape on a %s skin", (arms) => {
    const skin = flattened(arms);
    const cape = paintSkin(() => undefined, { height: 32 });
    cape.words.forEach((_, i) => (cape.words[i] = (0xff303030 + ((i * 2_654_435) & 0x7f7f7f)) >>> 0));
    const ours = renderPicture({
      view: "cape",
      type: "player",
      size: 300,
      skin: { bitmap: skin, model: arms },
      cape,
    });
    const order = first("leftArm", "leftLeg", "rightLeg", "torso", "rightArm", "cape", "head");
    expectAlike(ours, drawOracle({ view: capeView, width: 300, skin, arms, cape, order }));
  });
});
