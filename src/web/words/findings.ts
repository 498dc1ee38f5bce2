import type { FindingWords, Sentence } from "../../words/findings.ts";
import type { components } from "../api/types.ts";

/** What the checks of the overview found, in the language of the page. */

export type Check = components["schemas"]["Check"];

/** What is checked, by its name. A newer server may check more. */
export function nameTopic(name: string, topics: FindingWords["topics"]): string {
  return Object.entries(topics).find(([topic]) => topic === name)?.[1] ?? name;
}

type Said = { readonly text: string; readonly remedy: string | null; readonly isTranslated: boolean };

/** How values are written in the language of the page. */
export type Formats = Readonly<Record<"size" | "moment" | "number", (value: number) => string>>;

/** A finding in words. A finding of a newer server has the server's own words. */
export function sayFinding(check: Check, texts: FindingWords["texts"], formats: Formats): Said {
  const { code, values, text, remedy } = check;
  const found = Object.entries(texts ?? {}).find(([known]) => known === code)?.[1];
  if (found === undefined) return { text, remedy, isTranslated: false };
  const [own, cure] = found.map((sentence) => fill(sentence, values, formats));
  return { text: own ?? text, remedy: cure ?? remedy, isTranslated: true };
}

function fill(sentence: Sentence, values: Check["values"], formats: Formats): string {
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
