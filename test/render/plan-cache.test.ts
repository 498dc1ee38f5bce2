import { expect, test } from "bun:test";
import { forgetPlans, planFor, planState } from "../../src/render/plan-cache.ts";
import type { Plan } from "../../src/render/plan.ts";
import { estimateMilliseconds, renderPicture } from "../../src/render/render.ts";
import type { SceneKey } from "../../src/render/scene.ts";
import { headView } from "../../src/render/views.ts";
import { variedSkin } from "./paint.ts";

const key = (width: number) =>
  ({ view: headView, width, model: "classic", skinScale: 1, capeScale: 1 }) as const;

const fine = (width: number) => ({ ...key(width), skinScale: 16 });
const bodyMilliseconds = (size: number) => estimateMilliseconds({ view: "body", type: "player", size });
const request = {
  view: "head",
  type: "player",
  size: 50,
  skin: { bitmap: variedSkin(), model: "classic" },
} as const;

/** Asks until there is a plan. */
function insist(scene: SceneKey): Plan {
  const plan = planFor(scene) ?? planFor(scene) ?? planFor(scene);
  if (!plan) throw new Error("Three times are not enough");
  return plan;
}

test("a plan is worked out once, at the third ask", () => {
  forgetPlans();
  expect([planFor(key(40)), planFor(key(40))]).toEqual([null, null]);
  const plan = planFor(key(40));
  expect(plan).not.toBeNull();
  expect(planFor(key(40))).toBe(plan);
  expect(planFor({ ...key(40), model: "slim" })).toBeNull();
});

// Fills the memory with real plans, which takes two seconds and more on a busy machine.
test("plans do not grow without bound; those used last stay", () => {
  forgetPlans();
  const { bytes } = insist(fine(200));
  const many = Math.ceil((48 * 1024 * 1024) / bytes) + 2;
  for (let i = 1; i <= many; i++) {
    insist(fine(200 + i));
    insist(fine(200));
  }
  expect(planState(fine(200))).toBe("kept");
  expect(planState(fine(201))).toBe("none");
  expect(planState(fine(200 + many))).toBe("kept");
}, 30_000);

test("scenes that were asked for once do not push each other's count out, but a thousand do", () => {
  forgetPlans();
  const ask = (first: number, count: number) => {
    for (let i = 0; i < count; i++) planFor(key(first + i));
  };
  ask(8, 1);
  ask(8, 1);
  ask(1000, 999);
  expect(planState(key(8))).toBe("due");
  ask(3000, 1);
  expect(planState(key(8))).toBe("none");
});

test("a picture is the same drawn directly, from a new plan and from one that was kept", () => {
  forgetPlans();
  const [first, ...next] = Array.from({ length: 4 }, () => renderPicture(request).data);
  expect(planState(key(50))).toBe("kept");
  for (const data of next) expect(data).toEqual(first!);
});

test("the estimate falls once a plan is kept, and says when it is due", () => {
  forgetPlans();
  const cost = { view: "body", type: "player", size: 64, model: "classic", skinWidth: 64 } as const;
  const draw = () => renderPicture({ ...cost, skin: { bitmap: variedSkin(), model: "classic" } });
  const before = estimateMilliseconds(cost);
  draw();
  expect(estimateMilliseconds(cost)).toBe(before);
  draw();
  expect(estimateMilliseconds(cost)).toBeGreaterThan(before);
  draw();
  expect(estimateMilliseconds(cost)).toBeLessThan(before / 2);
  expect(estimateMilliseconds({ view: "body", type: "player", size: 64 })).toBe(before);
  expect(estimateMilliseconds({ ...cost, type: "skin" })).toBeLessThan(1);
});

test("the estimate grows with the picture, and with what its textures show", () => {
  expect(bodyMilliseconds(1024)).toBeGreaterThan(bodyMilliseconds(512));
  expect(bodyMilliseconds(512)).toBeGreaterThan(bodyMilliseconds(64));
  const cost = { view: "body", type: "player", size: 256, model: "classic" } as const;
  const ofWidth = (skinWidth: number) => estimateMilliseconds({ ...cost, skinWidth });
  expect(ofWidth(1024)).toBeGreaterThan(ofWidth(64));
});
