import type { Language } from "../model/mail.ts";

const byPrefix: readonly (readonly [string, Language])[] = [
  ["ru", "ru"],
  ["zh", "zh-Hans"],
  ["de", "de"],
];

/** Our language for a locale in any form, as `ru_RU` or `zh-CN`; English for all others. */
export function importLanguage(locale: string | null): Language {
  const given = (locale ?? "").trim().toLowerCase();
  return byPrefix.find(([prefix]) => new RegExp(`^${prefix}(?:$|[_-])`).test(given))?.[1] ?? "en";
}
