import type { FindingCode } from "../domain/health/finding.ts";
import type { findingTexts } from "../domain/health/finding-texts.ts";
import type { Values } from "../kernel/coded.ts";

/** What the checks of the overview found. */

/** What is checked. */
export type Topic =
  | "settings"
  | "disk"
  | "clock"
  | "nodes"
  | "mail server"
  | "certificate"
  | "public address"
  | "launchers"
  | "backups"
  | "open files"
  | "database"
  | "textures"
  | "outbox";

/** A sentence with the names of its values in braces, or a function where it depends on them. */
export type Sentence = string | ((values: Values) => string);

/** Codes of what is not in order. Of everything else the overview shows the name alone. */
type BadCode = {
  [Code in FindingCode]: (typeof findingTexts)[Code]["state"] extends "ok" ? never : Code;
}[FindingCode];

/** What was found, and what to do about it. */
type FindingTexts = Readonly<Record<BadCode, readonly [text: Sentence, remedy: Sentence]>>;

export type FindingWords = {
  readonly topics: Readonly<Record<Topic, string>>;
  /** Null: the server's own sentences, which are English. */
  readonly texts: FindingTexts | null;
};
