import { codeHasher, secretOf } from "../../src/boot/secrets.ts";
import { commandLine, system } from "../../src/domain/model/actor.ts";
import { createOwnPlayer } from "../../src/domain/players/create-player.ts";
import { createAccount } from "../../src/domain/accounts/create-account.ts";
import { issueClaims } from "../../src/domain/accounts/issue-claims.ts";
import type { Account, Level, Player } from "../../src/domain/model/account.ts";
import { addCape } from "../../src/domain/textures/capes.ts";
import type { Cape } from "../../src/domain/model/texture.ts";
import { nameKey } from "../../src/domain/model/username.ts";
import { readJson, type Envelope } from "./answers.ts";
import { jwtSecret, type Harness } from "./harness.ts";
import { capePng, skinPng } from "./textures.ts";

/** Somebody with an account and a running session. */
export type Member = {
  readonly account: Account;
  readonly uuid: string;
  readonly mail: string;
  /** Empty while registration is unfinished. */
  readonly name: string;
  readonly password: string;
  readonly jwt: string;
  readonly authorization: string;
};

export type NewMember = {
  readonly level?: Level;
  readonly finished?: boolean;
  readonly mailVerified?: boolean;
};

/** Makes an account as an operator does and signs it in. */
export async function addMember(harness: Harness, name: string, options: NewMember = {}): Promise<Member> {
  const { level = 1, finished = true, mailVerified = true } = options;
  const mail = `${name}@example.org`;
  const password = `the password of ${name}`;
  const username = finished ? name : null;
  const { account } = await createAccount(harness.services, commandLine, {
    mail,
    username,
    password,
    level,
    mailVerified,
  });
  const jwt = await signIn(harness, mail, password);
  return {
    account,
    uuid: account.uuid,
    mail,
    name: username ?? "",
    password,
    jwt,
    authorization: `Bearer ${jwt}`,
  };
}

/** A fresh session's token. */
export async function signIn(harness: Harness, login: string, password: string): Promise<string> {
  const response = await harness.fetch("/api/auth/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: login, password }),
  });
  const { data } = await readJson<Envelope<{ jwt: string }>>(response);
  return data.jwt;
}

/** The player of a finished member. */
export async function playerOf({ services }: Harness, member: Member): Promise<Player> {
  const found = await services.reads.accounts.findMember({ by: "id", value: member.account.id });
  if (!found?.player) throw new Error(`${member.mail} has no player`);
  return found.player;
}

/** Keeps a name for signing in, as an import does. */
export function addAlias({ database }: Harness, { id }: Pick<Account, "id">, name: string, at = 1): void {
  database.change(
    `INSERT INTO aliases (name_key, account_id, name, created_at) VALUES ('${nameKey(name)}', ${id}, '${name}', ${at})`,
  );
}

let nextNameless = 1;
/** A member without player and mail address, who signs in by a name of another system alone. */
export async function addNameless(harness: Harness, alias: string): Promise<Member> {
  const member = await addMember(harness, `nameless${nextNameless++}`, { finished: false });
  const { id } = member.account;
  harness.database.change(
    `UPDATE accounts SET mail = NULL, mail_key = NULL, mail_verified = false WHERE id = ${id}`,
  );
  addAlias(harness, member.account, alias);
  return { ...member, mail: "" };
}

/** Makes a member one of whom another system kept neither address nor password, and who signs in nowhere. */
export function makeClaimable(
  harness: Harness,
  { account: { id } }: Pick<Member, "account">,
  source = "old",
): void {
  const { change } = harness.database;
  change(
    `UPDATE accounts SET mail = NULL, mail_key = NULL, mail_verified = false, password_hash = NULL WHERE id = ${id}`,
  );
  change(`DELETE FROM sessions WHERE account_id = ${id}`);
  change(
    `INSERT INTO import_links (source, kind, key, local_id) VALUES ('${source}', 'account', 'users:${id}', ${id})`,
  );
}

/** The codes of all who are to claim their accounts, with their names, as the command line makes them. */
export async function issueCodes(
  { services }: Harness,
  source = "old",
): Promise<readonly { readonly name: string; readonly code: string }[]> {
  const codes = { hash: codeHasher(secretOf(jwtSecret)) };
  return (await Array.fromAsync(issueClaims({ ...services, codes }, source))).flat();
}

/** The code by which somebody new claims an account. */
export async function claimCode(harness: Harness, name: string): Promise<string> {
  makeClaimable(harness, await addMember(harness, name));
  return (await issueCodes(harness)).find((one) => one.name === name)?.code ?? "";
}

export type UploadParts = { readonly file?: Uint8Array; readonly slim?: string; readonly name?: string };

export function uploadForm({ file = skinPng(1), slim, name }: UploadParts): FormData {
  const form = new FormData();
  form.set("skin", new File([new Uint8Array(file)], "skin.png"));
  if (slim !== undefined) form.set("slim", slim);
  if (name !== undefined) form.set("name", name);
  return form;
}

export function upload(harness: Harness, member: Member, parts: UploadParts): Promise<Response> {
  return harness.fetch("/api/home/edit/upload", {
    method: "POST",
    headers: { authorization: member.authorization },
    body: uploadForm(parts),
  });
}

/** Uploads a skin and returns its uuid. */
export async function addSkin(harness: Harness, member: Member, parts: UploadParts): Promise<string> {
  const response = await upload(harness, member, parts);
  if (response.status !== 200) throw new Error(`upload: ${await response.text()}`);
  return (response.headers.get("location") ?? "").replace("/api/skin/public/", "");
}

/** Makes a cape and grants it to its owners. */
export async function grantCape(
  harness: Harness,
  owners: readonly Member[],
  file = capePng(1),
  name = "Founders",
): Promise<Cape> {
  const ids = owners.map(({ account }) => account.id);
  const input = { file, name, owners: ids, expiresAt: null };
  return (await addCape(harness.services, commandLine, input)).cape;
}

/** Sends an edit of the home area as JSON. */
export function edit(harness: Harness, member: Member, request: string, json: unknown): Promise<Response> {
  const [method = "", path = ""] = request.split(" ");
  return harness.fetch(path, {
    method,
    headers: { authorization: member.authorization, "content-type": "application/json" },
    body: JSON.stringify(json),
  });
}

/** Makes the member wear the cape, on the skin that is given. */
export async function wearCape(
  harness: Harness,
  member: Member,
  skin: string,
  cape: Cape | null,
): Promise<void> {
  const response = await edit(harness, member, "PUT /api/home/edit/skin", {
    skinid: skin,
    cloakid: cape?.uuid ?? null,
  });
  if (response.status !== 200) throw new Error(`cape: ${await response.text()}`);
}

/** Makes another member, who lets others wear a skin, and returns the uuid of the player who wears it. */
export async function addSharedSkin(harness: Harness, name = "Sharer"): Promise<string> {
  const member = await addMember(harness, name);
  await addSkin(harness, member, { file: skinPng(member.account.id + 1000) });
  const response = await edit(harness, member, `PATCH /api/home/players/${member.uuid}`, {
    shares_skin: true,
  });
  if (response.status !== 200) throw new Error(`sharing: ${await response.text()}`);
  return member.uuid;
}

/** Lets a member have this many players. */
export async function allowPlayers(
  { services }: Harness,
  { account }: Member,
  playersMax = 5,
): Promise<void> {
  await services.transact(system, ({ accounts }) => accounts.updateAccount(account.id, { playersMax }));
}

/** Gives a member another player, as they do themselves. */
export async function addPlayer(harness: Harness, member: Member, name: string): Promise<Player> {
  const { player } = await createOwnPlayer(harness.services, system, member, { name });
  return player;
}
