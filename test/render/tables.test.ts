/** When a table is recorded and kept. What it shows: `draw-scene.test.ts`. */
import { beforeEach, expect, test } from "bun:test";
import { drawScene } from "../../src/render/draw.ts";
import { estimateMilliseconds } from "../../src/render/render.ts";
import type { SceneKey } from "../../src/render/scene.ts";
import { forgetTables, hasTable, isTableDue, recordDueTables } from "../../src/render/tables.ts";
import { bodyView, headView } from "../../src/render/views.ts";

const head = (width: number, skinScale = 1): SceneKey => ({
  view: headView,
  width,
  model: "classic",
  skinScale,
  capeScale: 1,
});

function draw(key: SceneKey): void {
  drawScene(key, new Uint32Array((64 * key.skinScale) ** 2).fill(0xff336699));
}

beforeEach(forgetTables);

test("a table is due once a scene is asked for a second time", () => {
  draw(head(40));
  expect(isTableDue()).toBe(false);
  draw(head(40));
  expect([isTableDue(), hasTable(head(40))]).toEqual([true, false]);
  recordDueTables();
  expect([isTableDue(), hasTable(head(40))]).toEqual([false, true]);
});

test("it is recorded in pieces", () => {
  const key = { ...head(120), view: bodyView };
  draw(key);
  draw(key);
  recordDueTables(0);
  expect(isTableDue()).toBe(true);
  while (isTableDue()) recordDueTables(0.001);
  expect(hasTable(key)).toBe(true);
});

test("one table is due at a time: another scene is asked for again", () => {
  for (const width of [40, 41]) for (let i = 0; i < 2; i++) draw(head(width));
  recordDueTables();
  expect([40, 41].map((width) => hasTable(head(width)))).toEqual([true, false]);
  draw(head(41));
  recordDueTables();
  expect(hasTable(head(41))).toBe(true);
});

test("scenes that are asked for once are forgotten behind a hundred others", () => {
  for (let i = 0; i < 3; i++) for (let width = 8; width < 110; width++) draw(head(width));
  expect(isTableDue()).toBe(false);
});

test("fine textures get no table", () => {
  for (let i = 0; i < 3; i++) draw(head(40, 4));
  expect(isTableDue()).toBe(false);
});

test("what is used least gives way", () => {
  const large = Array.from({ length: 14 }, (_, i) => ({ ...head(1010 + i), view: bodyView }));
  for (const key of [head(40), ...large]) {
    draw(key);
    draw(key);
    recordDueTables();
    if (hasTable(head(40))) draw(head(40));
  }
  expect([head(40), ...large].map(hasTable).filter((has) => !has).length).toBeGreaterThan(0);
  expect([hasTable(head(40)), hasTable(large[0]!), hasTable(large[13]!)]).toEqual([true, false, true]);
});

test("a picture is expected to take less once its scene has a table", () => {
  const cost = { view: "head", type: "player", size: 40, model: "classic", skinWidth: 64 } as const;
  const before = estimateMilliseconds(cost);
  draw(head(40));
  draw(head(40));
  recordDueTables();
  expect(estimateMilliseconds(cost)).toBeLessThan(before);
});
