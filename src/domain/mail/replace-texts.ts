/**
 * Replaces our mail texts by the operator's. A file has a table for each mail and one named `frame`, with the
 * keys of `Letter` and `Frame`; missing keys keep our text. Texts are plain: `{username}` and other
 * placeholders stand for the mail's values, and everything else is shown as written.
 */
import type { MailTemplate } from "../model/mail.ts";
import type { Letter, LetterValues, Templates } from "./templates.ts";

/** The placeholders of each mail. Every text may use `{site}` as well. */
const placeholders: { readonly [T in MailTemplate]: readonly Exclude<keyof LetterValues<T>, "site">[] } = {
  confirm: ["code", "link", "time", "network"],
  "already-registered": ["username", "link", "time", "network"],
  "address-taken": ["username", "time", "network"],
  "unknown-address": ["time", "network"],
  reset: ["username", "code", "link", "time", "network"],
  claim: ["username", "code", "link", "time", "network"],
  "change-mail": ["username", "code", "link", "time", "network"],
  "mail-changed": ["username", "newMail"],
  "password-changed": ["username"],
  "skin-removed": ["username", "skin", "reason"],
  leaving: ["username", "time", "link"],
  suspended: ["username", "end", "reason"],
  test: [],
  bulk: ["username", "subject", "message"],
};

/**
 * Placeholders that a text may not use. Mail servers log subjects, and lock screens show preheaders, so
 * neither may hold a code. A subject may not hold a long text either.
 */
const hiddenPlaceholders: Readonly<Record<string, readonly string[]>> = {
  subject: ["code", "link", "message", "reason"],
  preheader: ["code", "link"],
};

type Words = Readonly<Record<string, string | null | readonly string[]>>;

/**
 * Replaces our texts by those of a file. `faults` has a line for each part of the file that cannot be used.
 */
export function replaceTexts(
  own: Templates,
  file: Readonly<Record<string, unknown>>,
): { readonly templates: Templates; readonly faults: readonly string[] } {
  // Most operators have no files: a start does without writing every letter.
  if (Object.keys(file).length === 0) return { templates: own, faults: [] };
  const model = wordsOf(own);
  const faults = Object.entries(file).flatMap(([table, words]) => faultsOf(model, table, words));
  if (faults.length > 0) return { templates: own, faults };
  // The boundary where a file's tables get types: `faultsOf` has compared every key and value with ours.
  const given = file as Readonly<Record<string, Words>>;
  const letters = Object.entries(own.letters).map(([template, write]) => {
    const ours = write as (values: LetterValues<MailTemplate>) => Letter;
    return [
      template,
      (values: LetterValues<MailTemplate>) => ({ ...ours(values), ...fill(given[template], values) }),
    ];
  });
  return {
    templates: {
      ...own,
      letters: Object.fromEntries(letters) as Templates["letters"],
      frame: (values) => ({ ...own.frame(values), ...fill(given["frame"], values) }),
    },
    faults: [],
  };
}

/** The templates' texts with their placeholders, by table: everything that a file can replace. */
export function wordsOf({ letters, frame }: Templates): Readonly<Record<string, Words>> {
  const tables = Object.entries(letters).map(([template, write]) => {
    const names = placeholders[template as MailTemplate]; // keys of `letters`
    // With the placeholders as values, a letter is the text that a file would hold.
    const values = Object.fromEntries([...names, "site"].map((name) => [name, `{${name}}`]));
    return [template, (write as (values: Record<string, string>) => Letter)(values)];
  });
  return { ...Object.fromEntries(tables), frame: frame({ site: "{site}" }) };
}

function faultsOf(model: Readonly<Record<string, Words>>, table: string, words: unknown): readonly string[] {
  const ours = Object.hasOwn(model, table) ? model[table] : undefined;
  if (ours === undefined)
    return [`${table}: there is no such mail; there are ${Object.keys(model).join(", ")}`];
  if (typeof words !== "object" || words === null || Array.isArray(words)) {
    return [`${table}: must be a table, [${table}]`];
  }
  return Object.entries(words).flatMap(([key, value]: [string, unknown]) => {
    const fault = Object.hasOwn(ours, key)
      ? valueFault(table, key, ours[key] ?? null, value)
      : unknownKey(ours);
    return fault === null ? [] : [`${table}.${key}: ${fault}`];
  });
}

function unknownKey(ours: Words): string {
  const keys = Object.keys(ours).filter((key) => ours[key] !== null);
  return `there is no such text; there are ${keys.join(", ")}`;
}

function valueFault(table: string, key: string, ours: Words[string], value: unknown): string | null {
  if (ours === null || ours === undefined) return "this mail has none";
  if (Array.isArray(ours) !== Array.isArray(value))
    return Array.isArray(ours) ? "must be a list of texts" : "must be a text";
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const text of texts) {
    if (typeof text !== "string") return Array.isArray(ours) ? "must be a list of texts" : "must be a text";
    if (text.trim() === "") return "must not be empty";
    const wrong = placeholdersIn(text).find((name) => !allowed(table, key).includes(name));
    if (wrong !== undefined)
      return `{${wrong}} stands for nothing here; there are ${shown(allowed(table, key))}`;
  }
  return null;
}

function allowed(table: string, key: string): readonly string[] {
  const own: readonly string[] = Object.hasOwn(placeholders, table)
    ? placeholders[table as MailTemplate]
    : []; // a key of it
  const hidden = hiddenPlaceholders[key] ?? [];
  return ["site", ...own.filter((name) => !hidden.includes(name))];
}

function shown(names: readonly string[]): string {
  return names.map((name) => `{${name}}`).join(", ");
}

function placeholdersIn(text: string): readonly string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

function fill(words: Words | undefined, values: Readonly<Record<string, string>>): Words {
  const put = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
  const filled = Object.entries(words ?? {}).map(([key, text]) => {
    return [key, typeof text === "string" ? put(text) : (text?.map(put) ?? null)];
  });
  return Object.fromEntries(filled);
}
