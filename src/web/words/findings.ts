import type { components } from "../api/types.ts";

/** What the checks of the overview found, in the language of the page. */

export type Check = components["schemas"]["Check"];
type Values = Check["values"];

/** Codes of what is in order: the overview shows the names of these checks, and not what was found. */
type Good =
  | "settings_fit"
  | "disk_unknown"
  | "disk_free"
  | "texture_disk_free"
  | "clock_right"
  | "open_files_unknown"
  | "open_files_hidden"
  | "open_files_unbounded"
  | "open_files_enough"
  | "nodes_none"
  | "nodes_serving"
  | "mail_server_unset"
  | "mail_server_accepts"
  | "address_unset"
  | "address_answers"
  | "address_leads_here"
  | "launchers_off"
  | "launchers_served"
  | "certificate_unset"
  | "certificate_good"
  | "backups_off"
  | "backups_current"
  | "database_written"
  | "textures_written"
  | "mails_leave";

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

/** What was found, and what to do about it. */
export type FindingTexts = Readonly<
  Record<Exclude<Check["code"], Good>, readonly [text: Sentence, remedy: Sentence]>
>;

export type FindingWords = {
  readonly topics: Readonly<Record<Topic, string>>;
  /** Null: the server's own sentences, which are English. */
  readonly texts: FindingTexts | null;
};

/** What is checked, by its name. A newer server may check more. */
export function nameTopic(name: string, topics: FindingWords["topics"]): string {
  return Object.entries(topics).find(([topic]) => topic === name)?.[1] ?? name;
}

type Said = { readonly text: string; readonly remedy: string | null; readonly isTranslated: boolean };

/** How values are written in the language of the page. */
export type Formats = Readonly<Record<"size" | "moment" | "number", (value: number) => string>>;

/** A finding in words. What a newer server found is said in the server's own. */
export function sayFinding(check: Check, texts: FindingWords["texts"], formats: Formats): Said {
  const { code, values, text, remedy } = check;
  const found = Object.entries(texts ?? {}).find(([known]) => known === code)?.[1];
  if (found === undefined) return { text, remedy, isTranslated: false };
  const [own, cure] = found.map((sentence) => fill(sentence, values, formats));
  return { text: own ?? text, remedy: cure ?? remedy, isTranslated: true };
}

function fill(sentence: Sentence, values: Values, formats: Formats): string {
  if (typeof sentence === "function") return sentence(values);
  return sentence.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => {
    const value = values[name] ?? "…";
    return typeof value === "number" ? formats[formatOf[name] ?? "number"](value) : String(value);
  });
}

/** Values that are no counts, by their names. */
const formatOf: Readonly<Record<string, keyof Formats>> = {
  free: "size",
  database: "size",
  newest: "moment",
  from: "moment",
  end: "moment",
};
