import type { Language } from "../../../domain/model/mail.ts";
import { chinese } from "./chinese.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";
import { russian } from "./russian.ts";
import type { PlayWords } from "./words.ts";

const words: Readonly<Record<Language, PlayWords>> = {
  en: english,
  ru: russian,
  de: german,
  "zh-Hans": chinese,
};

/** The texts of a language. */
export function playWordsIn(language: Language): PlayWords {
  return words[language];
}
