import { mailKey } from "../model/mail-address.ts";
import type { SourceAccount, SourcePlayer } from "../ports/import-source.ts";
import { importLanguage } from "./import-language.ts";

/**
 * What a later run compares to see what changed of an account there: a part for the whole record, and one for
 * each field that people change here, too. Nothing of a password, whose fast hash could be guessed by it; and
 * not when the account was last seen, which changes all the time.
 */
export function accountDigest(source: SourceAccount): string {
  const { login, mail, mailVerified, level, suspended, language, playersMax } = source;
  const whole = [login, mail, mailVerified, level, suspended, language, playersMax];
  return digestOf(whole, {
    mail: mailValue(mail),
    language: importLanguage(language),
    players: playersMax,
    ban: suspended,
    level,
  });
}

/** The same of a player. */
export function playerDigest({ name, uuid, skin, skinModel, cape }: SourcePlayer): string {
  return digestOf([name, uuid, skin, skinModel, cape], { name, skin: [skin, skinModel], cape });
}

/** How a mail address is compared. */
function mailValue(mail: string | null): string | null {
  return mail === null ? null : mailKey(mail.trim());
}

function digestOf(whole: unknown, fields: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(fields).map(([name, value]) => `${name}=${hashOf(value, 8)}`);
  return [hashOf(whole, 16), ...parts].join(" ");
}

function hashOf(value: unknown, digits: number): string {
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(value)).digest("hex").slice(0, digits);
}

/**
 * Whether a record is another one than it was when it came. Links of records without a digest say nothing.
 */
export function hasChanged(known: string | null, now: string): boolean {
  return known !== null && known !== "" && known !== now;
}

/** Whether a field of a record had this value when the record came last; false where that is not known. */
export function wasValue(known: string | null, field: string, value: unknown): boolean {
  return known?.split(" ").includes(`${field}=${hashOf(value, 8)}`) ?? false;
}

/** Whether a field got another value there since, and still has the one here that came. */
export function comesOver(
  known: string | null,
  field: string,
  { there, here }: { readonly there: unknown; readonly here: unknown },
): boolean {
  return wasValue(known, field, here) && !wasValue(known, field, there);
}
