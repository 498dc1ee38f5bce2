import { expect, test } from "bun:test";
import { forgetPlans, hasPlan, planFor } from "../../src/render/plan-cache.ts";
import { estimateMilliseconds, renderPicture } from "../../src/render/render.ts";
import { headView } from "../../src/render/views.ts";
import { variedSkin } from "./paint.ts";

const key = (width: number) =>
  ({ view: headView, width, model: "classic", skinScale: 1, capeScale: 1 }) as const;

const fine = (width: number) => ({ ...key(width), skinScale: 16 });
const bodyMilliseconds = (size: number) => estimateMilliseconds({ view: "body", type: "player", size });

test("a plan is worked out once", () => {
  forgetPlans();
  const plan = planFor(key(40));
  expect(planFor(key(40))).toBe(plan);
  expect(planFor({ ...key(40), model: "slim" })).not.toBe(plan);
});

test("plans do not grow without bound; those used last stay", () => {
  forgetPlans();
  const bytes = planFor(fine(200)).bytes;
  const many = Math.ceil((48 * 1024 * 1024) / bytes) + 2;
  for (let i = 1; i <= many; i++) {
    planFor(fine(200 + i));
    planFor(fine(200));
  }
  expect(hasPlan(fine(200))).toBe(true);
  expect(hasPlan(fine(201))).toBe(false);
  expect(hasPlan(fine(200 + many))).toBe(true);
});

test("a picture is the same from a new plan and from one that was kept", () => {
  forgetPlans();
  const request = {
    view: "head",
    type: "player",
    size: 50,
    skin: { bitmap: variedSkin(), model: "classic" },
  } as const;
  expect(renderPicture(request).data).toEqual(renderPicture(request).data);
});

test("the estimate counts the working out of a view until it is done", () => {
  forgetPlans();
  const cost = { view: "body", type: "player", size: 64, model: "classic", skinWidth: 64 } as const;
  const before = estimateMilliseconds(cost);
  renderPicture({ ...cost, skin: { bitmap: variedSkin(), model: "classic" } });
  expect(estimateMilliseconds(cost)).toBeLessThan(before / 4);
  expect(estimateMilliseconds({ view: "body", type: "player", size: 64 })).toBe(before);
  expect(estimateMilliseconds({ ...cost, type: "skin" })).toBeLessThan(1);
});

test("the estimate grows with the picture", () => {
  expect(bodyMilliseconds(1024)).toBeGreaterThan(bodyMilliseconds(512));
  expect(bodyMilliseconds(512)).toBeGreaterThan(bodyMilliseconds(64));
});
