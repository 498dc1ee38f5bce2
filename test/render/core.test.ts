import { expect, test } from "bun:test";
import { plainCore, simdCore } from "../../src/render/core-binary.ts";
import { loadCore, releaseCore, reserve } from "../../src/render/core.ts";
import { compileCore } from "../../tools/core.ts";

test("the committed core is what its sources compile to; `bun run core` writes it", async () => {
  expect(await compileCore()).toEqual({ simd: simdCore, plain: plainCore });
});

test("there is a core for machines without SIMD", () => {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.fromBase64(plainCore)));
  expect(Object.keys(exports).sort()).toEqual(Object.keys(loadCore()).sort());
});

test("areas lie one behind the other, and an instance is given up once it is large", () => {
  const core = loadCore();
  expect(loadCore()).toBe(core);
  const [first = 0, second = 0, third = 0] = reserve(core, [5, 20, 9_000_000]);
  expect([first % 16, second - first, third - second]).toEqual([0, 16, 32]);
  expect(core.memory.buffer.byteLength).toBeGreaterThanOrEqual(third + 9_000_000);
  releaseCore();
  expect(loadCore()).not.toBe(core);
});
