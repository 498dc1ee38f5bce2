/**
 * The kinds of stored hashes: the only place that knows them. The name between the first two dollars of a
 * hash leads to its kind. How a system writes its hashes elsewhere is in `other-forms.ts`.
 */
import { argon2, bcrypt } from "./slow-kinds.ts";
import { digestKinds } from "./digest-kinds.ts";
import { pbkdf2Kinds, scrypt } from "./derived-kinds.ts";
import { phpass } from "./phpass.ts";
import type { HashKind } from "./kind.ts";
import { wrappedKind } from "./wrapped.ts";

export { cost, kindOfToday } from "./slow-kinds.ts";

const plain: readonly HashKind[] = [...argon2, ...bcrypt, ...digestKinds, ...pbkdf2Kinds, scrypt, phpass];
const wrapped = plain.flatMap((kind) => wrappedKind(kind) ?? []);

/** By what a hash of the kind begins with: `$md5$`, `$2y$`, `$wrapped$md5$`. */
const kinds: ReadonlyMap<string, HashKind> = new Map([...plain, ...wrapped].map((kind) => [kind.head, kind]));

/**
 * The names of kinds, in the order in which they are shown; `none` is an account without a password,
 * `unknown` a hash that cannot be read.
 */
export const kindNames: readonly string[] = [
  ...new Set([...kinds.values()].map(({ name }) => name)),
  "none",
  "unknown",
];

const fastNames: ReadonlySet<string> = new Set(
  plain.filter(({ digest }) => digest !== undefined).map(({ name }) => name),
);

/** Whether hashes of the kind with this name are broken in hours, so that they are wrapped. */
export function isFastName(name: string): boolean {
  return fastNames.has(name);
}

/** What names the kind of a hash; of the wrapped ones the wrapped kind belongs to it. */
const head = /^\$(?:wrapped\$)?[a-z0-9-]+\$/;

function kindBehind(hash: string): HashKind | null {
  return kinds.get(head.exec(hash)?.[0] ?? "") ?? null;
}

/** The kind's name, by the beginning of the hash alone. */
export function nameOf(hash: string | null): string {
  return hash === null ? "none" : (kindBehind(hash)?.name ?? "unknown");
}

/**
 * The hash without its salts and results, which is what decides how long verifying takes; null when the hash
 * is of no kind that can be verified.
 */
export function kindOf(hash: string): string | null {
  return kindBehind(hash)?.read(hash)?.effort ?? null;
}

/** What a hash of this effort takes on a usual core, in milliseconds. */
export function usualMilliseconds(effort: string): number {
  return kindBehind(effort)?.milliseconds(effort) ?? 0;
}

/** A hash of this effort with random bytes for salt and result: no known password fits it. */
export function dummyOf(effort: string): string {
  return kindBehind(effort)?.dummy(effort) ?? "";
}

/** Whether the password fits a hash that `kindOf` can read. */
export async function fits(password: string, hash: string): Promise<boolean> {
  return (await kindBehind(hash)?.read(hash)?.fits(password)) ?? false;
}

/** What is wrapped of a hash of a fast kind; null: it is no such hash, or cannot be read. */
export function fastPart(hash: string): { readonly digest: string; readonly head: string } | null {
  const kind = kindBehind(hash);
  const read = kind?.read(hash) ?? null;
  if (kind?.digest === undefined || read === null) return null;
  const digest = hash.slice(hash.lastIndexOf("$") + 1);
  return { digest, head: `$wrapped${hash.slice(0, -digest.length)}` };
}
