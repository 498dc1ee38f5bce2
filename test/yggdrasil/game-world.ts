/** What the tests of Yggdrasil ask, and what they know of the answers. */
import { expect } from "bun:test";
import type { Harness } from "../support/harness.ts";
import type { Member } from "../support/members.ts";

export const root = "/api/yggdrasil";

export type Profile = { readonly id: string; readonly name: string };
export type SignedIn = {
  readonly accessToken: string;
  readonly clientToken: string;
  readonly availableProfiles: readonly Profile[];
  readonly selectedProfile?: Profile;
  readonly user?: unknown;
};
export type Answer = { readonly status: number; readonly body: unknown };

export const plain = (uuid: string): string => uuid.replaceAll("-", "");

/** Sends JSON below the root. The body of the answer is null where it is empty. */
export async function post(
  harness: Harness,
  path: string,
  json: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const body = typeof json === "string" ? json : JSON.stringify(json);
  return answerOf(await harness.fetch(root + path, { method: "POST", body, headers }));
}

export async function get(harness: Harness, path: string): Promise<Answer> {
  return answerOf(await harness.fetch(root + path));
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

type Enter = { readonly username?: string; readonly clientToken?: string };

/** Signs a member in to the game. */
export async function enter(harness: Harness, member: Member, given: Enter = {}): Promise<SignedIn> {
  const json = { username: member.mail, password: member.password, ...given };
  const { status, body } = await post(harness, "/authserver/authenticate", json);
  expect(status).toBe(200);
  return body as SignedIn; // checked by the status
}

/** Joins a game server as the player of a token. */
export function join(
  harness: Harness,
  { accessToken, selectedProfile }: SignedIn,
  serverId: string,
): Promise<Answer> {
  const json = { accessToken, selectedProfile: selectedProfile?.id, serverId };
  return post(harness, "/sessionserver/session/minecraft/join", json);
}

/** Asks as a game server does. */
export function hasJoined(harness: Harness, question: Readonly<Record<string, string>>): Promise<Answer> {
  return get(
    harness,
    `/sessionserver/session/minecraft/hasJoined?${new URLSearchParams(question).toString()}`,
  );
}

export const badToken: Answer = {
  status: 403,
  body: { error: "ForbiddenOperationException", errorMessage: "Invalid token." },
};
export const badCredentials: Answer = {
  status: 403,
  body: {
    error: "ForbiddenOperationException",
    errorMessage: "Invalid credentials. Invalid username or password.",
  },
};
export const done: Answer = { status: 204, body: null };

/** What a refusal of a field looks like. */
export function badField(message: RegExp): Answer {
  return {
    status: 400,
    body: { error: "IllegalArgumentException", errorMessage: expect.stringMatching(message) as string },
  };
}
