import { expect, test } from "bun:test";
import { estimateMilliseconds } from "../../src/render/render.ts";

const bodyMilliseconds = (size: number) => estimateMilliseconds({ view: "body", type: "player", size });

test("the estimate grows with the picture, and with what its textures show", () => {
  expect(bodyMilliseconds(1024)).toBeGreaterThan(bodyMilliseconds(512));
  expect(bodyMilliseconds(512)).toBeGreaterThan(bodyMilliseconds(64));
  const cost = { view: "body", type: "player", size: 256, model: "classic" } as const;
  const ofWidth = (skinWidth: number) => estimateMilliseconds({ ...cost, skinWidth });
  expect(ofWidth(1024)).toBeGreaterThan(ofWidth(64));
  expect(estimateMilliseconds({ ...cost, type: "skin" })).toBeLessThan(1);
});
