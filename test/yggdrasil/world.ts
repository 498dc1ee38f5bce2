/** A service with players who are signed in by their launchers. */
import type { Player } from "../../src/domain/model/account.ts";
import { readJson } from "../support/answers.ts";
import type { Harness } from "../support/harness.ts";
import { addMember, addPlayer, allowPlayers, playerOf, type Member } from "../support/members.ts";

export const root = "/api/yggdrasil";

/** A launcher's user: two players, and a token of the main one. */
export type Gamer = {
  readonly member: Member;
  readonly main: Player;
  readonly second: Player;
  readonly token: string;
};

type SignedIn = { readonly accessToken: string };

/** Signs in as a launcher does, by the name of a player or by mail. */
export async function signInToGame(harness: Harness, username: string, password: string): Promise<string> {
  const answer = await harness.fetch(`${root}/authserver/authenticate`, {
    method: "POST",
    body: JSON.stringify({ username, password }),
  });
  if (answer.status !== 200) throw new Error(`authenticate: ${await answer.text()}`);
  return (await readJson<SignedIn>(answer)).accessToken;
}

export async function addGamer(harness: Harness, name: string): Promise<Gamer> {
  const member = await addMember(harness, name);
  await allowPlayers(harness, member);
  const second = await addPlayer(harness, member, `${name}Two`);
  const token = await signInToGame(harness, name, member.password);
  return { member, main: await playerOf(harness, member), second, token };
}

export const idOf = ({ uuid }: { readonly uuid: string }): string => uuid.replaceAll("-", "");

/** Sends a request as a game does: `PUT /api/user/profile/…`, below the root. */
export function ask(
  harness: Harness,
  request: string,
  { token, json, form }: { readonly token?: string; readonly json?: unknown; readonly form?: FormData } = {},
): Promise<Response> {
  const [method = "", path = ""] = request.split(" ");
  return harness.fetch(root + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(form !== undefined && { body: form }),
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
}

/** A form as launchers send it. */
export function skinForm(
  file: Uint8Array,
  fields: Readonly<Record<string, string>> = {},
  name = "skin.png",
): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set("file", new File([new Uint8Array(file)], name));
  return form;
}
