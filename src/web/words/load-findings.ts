import type { FindingWords } from "./findings.ts";
import type { Language } from "./language.ts";

/** Only the overview needs these words. */
const loaders: Readonly<Record<Language, () => Promise<FindingWords>>> = {
  en: async () => (await import("./en/findings.ts")).findings,
  ru: async () => (await import("./ru/findings.ts")).findings,
  de: async () => (await import("./de/findings.ts")).findings,
  "zh-Hans": async () => (await import("./zh-hans/findings.ts")).findings,
};

/** Null where they cannot be loaded: the server's sentences then stand in. */
export async function loadFindings(language: Language): Promise<FindingWords | null> {
  return loaders[language]().catch(() => null);
}
