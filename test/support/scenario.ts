import { expect } from "bun:test";
import { never, type Harness } from "./harness.ts";
import { passwordsIn } from "./leaks.ts";
import type { Member } from "./members.ts";

/** One request and what must come of it. */
export type Scenario = {
  readonly name: string;
  /** Who asks; a stranger when left out. */
  readonly actor?: Member;
  /** `POST /api/auth/login`. */
  readonly request: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: RequestInit["body"];
  readonly status: number;
  readonly msg?: string | RegExp;
  /** Null when left out. */
  readonly url?: string | null;
  /** Headers that must be there, those that are null not. */
  readonly answerHeaders?: Readonly<Record<string, string | RegExp | null>>;
  readonly data?: unknown;
  /** What is mailed; nothing when left out. */
  readonly mails?: readonly unknown[];
  /** What must not stand anywhere in the answer, besides what never may. */
  readonly hasNot?: readonly string[];
  /** Faults that must be logged; bad input is none. */
  readonly faults?: number;
};

/** What no answer may hold besides hashes, codes and the key: stack traces, paths, a driver's words. */
const internals = ["node_modules", "/src/", ".ts:", "SQLITE", "\n    at "];

/**
 * Sends the scenario's request and checks all of its answer, what was mailed, and that a refusal changed
 * nothing.
 */
export async function play(harness: Harness, scenario: Scenario): Promise<void> {
  const { database } = harness;
  const before = database.everything();
  const mailsBefore = database.mails().length;
  harness.takeComplaints();
  const response = await send(harness, scenario);
  const text = await response.text();
  expect(`${response.status} ${text}`).toStartWith(`${scenario.status} `);
  if (scenario.status !== 204 && scenario.status !== 304) checkEnvelope(response, text, scenario);
  if (response.status === 204) expect(text).toBe("");
  checkHeaders(response, scenario.answerHeaders ?? {});
  const forbidden = [
    ...never,
    ...internals,
    ...database.secrets(),
    ...passwordsIn(JSON.stringify(scenario.json)),
    harness.folder,
    ...(scenario.hasNot ?? []),
    ...(scenario.actor ? [scenario.actor.password] : []),
  ];
  expect(forbidden.filter((secret) => text.includes(secret))).toEqual([]);
  expect(harness.takeComplaints()).toHaveLength(scenario.faults ?? 0);
  if (response.status >= 400) expect(database.everything()).toEqual(before);
  const mails: readonly unknown[] = database.mails().slice(mailsBefore);
  expect(mails).toEqual([...(scenario.mails ?? [])]);
}

function send(harness: Harness, { actor, request, headers, json, body }: Scenario): Promise<Response> {
  const [method = "", path = ""] = request.split(" ");
  const sent = json === undefined ? body : JSON.stringify(json);
  return harness.fetch(path, {
    method,
    headers: {
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...(actor === undefined ? {} : { authorization: actor.authorization }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  });
}

function checkEnvelope(response: Response, text: string, { msg, url, data }: Scenario): void {
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  expect(response.headers.get("cache-control")).toBe("no-store");
  const envelope = JSON.parse(text);
  expect(Object.keys(envelope).sort()).toEqual(["data", "error", "msg", "url"]);
  expect(envelope.error).toBe(response.status >= 400);
  expect(envelope.msg).toBeString();
  expect(envelope.msg).not.toBe("");
  if (typeof msg === "string") expect(envelope.msg).toBe(msg);
  if (msg instanceof RegExp) expect(envelope.msg).toMatch(msg);
  expect(envelope.url).toBe(url ?? null);
  if (response.status >= 400) expect(envelope.data).toEqual({});
  if (data !== undefined) expect(envelope.data).toEqual(data);
}

/** Every JSON error of the service, exactly. */
export async function expectError(response: Response, status: number, msg: RegExp = /./): Promise<void> {
  const text = await response.text();
  expect(`${response.status} ${text}`).toStartWith(`${status} `);
  checkEnvelope(response, text, { name: "", request: "", status, msg, data: {} });
}

export function checkHeaders(response: Response, wanted: NonNullable<Scenario["answerHeaders"]>): void {
  for (const [name, value] of Object.entries(wanted)) {
    const found = { [name]: response.headers.get(name) };
    if (value instanceof RegExp) expect(found).toEqual({ [name]: expect.stringMatching(value) });
    else expect(found).toEqual({ [name]: value });
  }
}
