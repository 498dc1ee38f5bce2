/* Accounts in the data folder of a service that is a process of its own. */
import { skinPng } from "../support/textures.ts";
import type { Request, Run } from "./service.ts";

/** Somebody with an account, which has a number. */
export type Person = {
  readonly id: number;
  readonly name: string;
  readonly mail: string;
  readonly token: string;
};

export const password = "the same password for all";

/**
 * Makes accounts and returns their names; the first is an administrator's. Made by processes of their own: a
 * connection that this one left open would keep SQLite from recovering what a kill left.
 */
export async function createAccounts(
  dataDir: string,
  command: readonly string[],
  players: number,
): Promise<readonly string[]> {
  const names = ["Keeper", ...Array.from({ length: players }, (_, number) => `Player_${number}`)];
  for (const [number, name] of names.entries()) {
    const identity = ["--mail", mailOf(name), "--username", name, "--password", password];
    const level = number === 0 ? ["--admin"] : [];
    await Bun.$`${command} user create ${identity} ${level}`.env({ DATA_DIR: dataDir }).quiet();
  }
  return names;
}

export async function signAllIn({ ask }: Run, names: readonly string[]): Promise<readonly Person[]> {
  const people: Person[] = [];
  for (const [number, name] of names.entries()) {
    const { data } = await ask({ line: "POST /api/auth/login", json: { username: name, password } });
    // Accounts are numbered as they were made.
    people.push({ id: number + 1, name, mail: mailOf(name), token: String(data["jwt"]) });
  }
  return people;
}

function mailOf(name: string): string {
  return `${name}@example.org`;
}

export function skinUpload({ token }: Person, seed: number): Request {
  return { line: "POST /api/home/edit/upload", form: () => formOf({ skin: skinPng(seed) }), token };
}

/** A form of texts and files. */
export function formOf(parts: Readonly<Record<string, string | Uint8Array>>): FormData {
  const form = new FormData();
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === "string") form.set(name, part);
    else form.set(name, new File([new Uint8Array(part)], "texture.png"));
  }
  return form;
}
