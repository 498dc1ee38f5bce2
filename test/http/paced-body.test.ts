/**
 * Long bodies that are made while their client takes them: whose time the connection has
 * (docs/contract/admin.md#audit).
 */
import { describe, expect, test } from "bun:test";
import { pacedBody } from "../../src/http/paced-body.ts";
import { createLogger } from "../../src/kernel/log.ts";

async function* lines(count: number, fault: Error | null): AsyncGenerator<string> {
  for (let made = 0; made < count; made++) yield `line ${made}\n`;
  if (fault !== null) throw fault;
}

function open(fault: Error | null = null) {
  const [times, written, left]: [number[], string[], string[]] = [[], [], []];
  const log = createLogger({ level: "warn", format: "json", write: (line) => written.push(line) });
  const idleAfter = (_: Request, seconds: number) => times.push(seconds);
  const request = new Request("http://localhost/");
  const body = pacedBody({ log, idleAfter }, lines(3, fault), {
    request,
    leave: () => left.push("left"),
    name: "a list",
  });
  return { body, times, written, left };
}

describe("while a client takes a body, its connection does not end by the usual time", () => {
  test("and after the last piece it has long for what is left", async () => {
    const { body, times, written, left } = open();
    expect(times).toEqual([0]);
    expect(await new Response(body).text()).toBe("line 0\nline 1\nline 2\n");
    expect([times, left, written]).toEqual([[0, 240], ["left"], []]);
  });

  test("and has the usual time again when the client leaves", async () => {
    const { body, times, written, left } = open();
    const reader = body.getReader();
    await reader.read();
    await reader.cancel();
    expect([times, left, written]).toEqual([[0, 60], ["left"], []]);
  });

  test("and when the body cannot be made, which the log says", async () => {
    const { body, times, written, left } = open(new Error("no such table"));
    expect(await new Response(body).text().catch((error: Error) => error.message)).toBe("no such table");
    expect([times, left]).toEqual([[0, 60], ["left"]]);
    expect(written.join()).toContain("a list was ended");
  });
});
