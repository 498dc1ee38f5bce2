import type { SourceAccount, SourcePlayer } from "../ports/import-source.ts";

/**
 * What a later run compares to see whether an account changed there. Nothing of its password, whose fast
 * hash could be guessed by it; and not when it was last seen, which changes all the time.
 */
export function accountDigest(source: SourceAccount): string {
  const { login, mail, mailVerified, level, suspended, language, playersMax } = source;
  return digestOf([login, mail, mailVerified, level, suspended, language, playersMax]);
}

/** What a later run compares to see whether a player changed there. */
export function playerDigest({ name, uuid, skin, skinModel, cape }: SourcePlayer): string {
  return digestOf([name, uuid, skin, skinModel, cape]);
}

function digestOf(parts: readonly unknown[]): string {
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}

/**
 * Whether a record is another one than it was when it came. Links of records without a digest say nothing.
 */
export function hasChanged(known: string | null, now: string): boolean {
  return known !== null && known !== "" && known !== now;
}
