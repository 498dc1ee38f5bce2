import { describe, expect, test } from "bun:test";
import { createLogger, type LogFormat, type LogLevel } from "../../src/kernel/log.ts";
import type { LogFields } from "../../src/kernel/log-fields.ts";

const now = () => new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678));

function linesOf(
  format: LogFormat,
  level: LogLevel,
  write: (log: ReturnType<typeof createLogger>) => void,
): string[] {
  const lines: string[] = [];
  write(createLogger({ format, level, now, write: (line) => lines.push(line) }));
  return lines;
}

const json = (message: string, fields?: LogFields) => {
  const [line = ""] = linesOf("json", "info", (log) => log.info(message, fields));
  return JSON.parse(line);
};
const pretty = (message: string, fields?: LogFields) =>
  linesOf("pretty", "info", (log) => log.info(message, fields))[0];

test.each([
  ["debug", ["debug", "info", "warn", "error"]],
  ["info", ["info", "warn", "error"]],
  ["warn", ["warn", "error"]],
  ["error", ["error"]],
] as const)("at level %s writes %j", (level, written) => {
  const lines = linesOf("json", level, (log) => {
    for (const each of ["debug", "info", "warn", "error"] as const) log[each]("x");
  });
  expect(lines.map((line) => JSON.parse(line).level)).toEqual([...written]);
});

describe("a JSON line", () => {
  test("is one object on one line", () => {
    const [line = ""] = linesOf("json", "info", (log) => log.warn("two\nlines", { port: 1 }));
    expect(line).toBe(
      '{"time":"2026-01-02T03:04:05.678Z","level":"warn","message":"two\\nlines","port":1}\n',
    );
  });

  test("keeps its own fields when others have their names", () => {
    expect(json("real", { message: "false", level: "error", time: 0 })).toEqual({
      time: "2026-01-02T03:04:05.678Z",
      level: "info",
      message: "real",
    });
  });

  test("holds an error with stack, code and causes", () => {
    const cause = Object.assign(new Error("disk"), { code: "EIO" });
    const { error } = json("failed", { error: new TypeError("outer", { cause }) });
    expect(error).toMatchObject({
      name: "TypeError",
      message: "outer",
      cause: { message: "disk", code: "EIO" },
    });
    expect(error.stack).toContain("log.test.ts");
  });

  test("copes with big integers, dates and objects that hold themselves", () => {
    const self: { self?: unknown } = {};
    self.self = self;
    const error = new Error("loop");
    error.cause = error;
    const line = json("odd", { big: 2n ** 64n, date: now(), self, error, none: undefined });
    expect(line).toMatchObject({ big: "18446744073709551616", date: "2026-01-02T03:04:05.678Z" });
  });
});

describe("a pretty line", () => {
  test("has time, level, message and fields", () => {
    expect(pretty("ready", { port: 80, path: "/a/b", name: "x y" })).toBe(
      '2026-01-02 03:04:05.678 INFO  ready port=80 path=/a/b name="x y"\n',
    );
  });

  test("lets no field end the line or paint the terminal", () => {
    expect(pretty("a\nb", { c: "\x1b[31m\r\n\u009b" })).toBe(
      '2026-01-02 03:04:05.678 INFO  a\\u000ab c="\\u001b[31m\\r\\n\\u009b"\n',
    );
  });

  test("has an error's stack and cause below", () => {
    const text = pretty("failed", { error: new Error("outer", { cause: new Error("inner\x07") }) }) ?? "";
    expect(text).toContain("\n    error: Error: outer\n");
    expect(text).toContain("\n    cause: Error: inner\\u0007\n");
  });

  test("is coloured only when asked", () => {
    const lines: string[] = [];
    const write = (line: string) => lines.push(line);
    createLogger({ format: "pretty", level: "info", now, write, colour: true }).error("x");
    createLogger({ format: "pretty", level: "info", now, write }).error("x");
    expect(lines.map((line) => line.includes("\x1b["))).toEqual([true, false]);
  });
});
