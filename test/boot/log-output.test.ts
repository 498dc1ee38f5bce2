import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openLogOutput } from "../../src/boot/log-output.ts";

/** A reader that takes what is written when a test lets it. */
function slowReader() {
  const taken: string[] = [];
  let waiting = Promise.withResolvers<void>();
  const sink = {
    write: (text: string) => void taken.push(text),
    flush: () => waiting.promise,
  };
  const release = async () => {
    await settle();
    waiting.resolve();
    waiting = Promise.withResolvers();
    await settle();
  };
  return { sink, taken, release };
}

/** Lets go on what waits for nothing but its turn. */
async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await Promise.resolve();
}

const line = `${"x".repeat(99)}\n`;

describe("lines leave", () => {
  test("together, when the output is closed", async () => {
    const taken: string[] = [];
    const sink = { write: (text: string) => void taken.push(text), flush: () => undefined };
    const output = openLogOutput(sink, () => {});
    for (const text of ["one\n", "two\n"]) output.write(text, "info");
    expect(taken).toEqual([]);
    await output[Symbol.asyncDispose]();
    expect(taken).toEqual(["one\ntwo\n"]);
  });

  test.each(["warn", "error"] as const)("at once with a line of level %s, in their order", async (level) => {
    const { sink, taken, release } = slowReader();
    await using output = openLogOutput(sink, () => {});
    output.write("one\n", "info");
    output.write("two\n", level);
    await settle();
    expect(taken).toEqual(["one\ntwo\n"]);
    await release();
  });

  test("at once when they are many", async () => {
    const { sink, taken, release } = slowReader();
    await using output = openLogOutput(sink, () => {});
    for (let i = 0; i < 700; i++) output.write(line, "info");
    await settle();
    expect(taken).toHaveLength(1);
    await release();
  });
});

describe("a reader that is too slow", () => {
  test("costs lines and no memory, and their number is logged once there is room", async () => {
    const { sink, taken, release } = slowReader();
    const told: number[] = [];
    await using output = openLogOutput(sink, (lines) => told.push(lines));
    output.write(line, "error");
    await settle();
    for (let i = 0; i < 30_000; i++) output.write(line, "info");
    expect(taken).toHaveLength(1);
    await release();
    expect(told).toHaveLength(1);
    await release();
    const written = taken.join("").split("\n").length - 1;
    expect(written + told[0]!).toBe(30_001);
    expect(Math.max(...taken.map(({ length }) => length))).toBeLessThanOrEqual(1024 * 1024);
    expect(told[0]).toBeGreaterThan(10_000);
  });

  test("that has gone ends nothing", async () => {
    const tried: string[] = [];
    const write = (text: string) => {
      tried.push(text);
      return Promise.reject(new Error("EPIPE"));
    };
    await using output = openLogOutput({ write, flush: () => undefined }, () => {});
    for (const text of ["one\n", "two\n"]) {
      output.write(text, "error");
      await settle();
    }
    expect(tried).toEqual(["one\n", "two\n"]);
  });
});

test("a process that dies of a fault still writes what it had to say", async () => {
  const module = JSON.stringify(join(import.meta.dir, "../../src/boot/log-output.ts"));
  const script = `
    import { openLogOutput } from ${module};
    openLogOutput(Bun.stderr.writer(), () => {}).write("last words\\n", "info");
    process.exit(3);
  `;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "ignore", stderr: "pipe" });
  expect(await child.stderr.text()).toBe("last words\n");
  expect(await child.exited).toBe(3);
});
