import { computed, signal } from "@preact/signals";
import { readStored, store } from "../stored.ts";
import { en, type Words } from "./en.ts";

export const languages = { en: "English", ru: "Русский", de: "Deutsch", "zh-Hans": "简体中文" } as const;
export type Language = keyof typeof languages;

const loaders: Readonly<Record<Language, () => Promise<Words>>> = {
  en: () => Promise.resolve(en),
  ru: async () => (await import("./ru.ts")).ru,
  de: async () => (await import("./de.ts")).de,
  "zh-Hans": async () => (await import("./zh-hans.ts")).zhHans,
};

const chosenKey = "cloakroom.language";
const current = signal<{ readonly language: Language; readonly words: Words }>({ language: "en", words: en });

/** The messages in the language of the page. */
export const words = computed(() => current.value.words);
export const language = computed(() => current.value.language);

/** Loads the language that was chosen here, or the first that the browser asks for. English stays when it cannot be loaded. */
export async function loadLanguage(): Promise<void> {
  await show(readChoice() ?? preferred(navigator.languages));
}

/** Shows the page in this language, now and next time. Gives whether its messages could be loaded; if not, nothing changes. */
export async function chooseLanguage(language: Language): Promise<boolean> {
  const isShown = await show(language);
  if (isShown) store(chosenKey, language);
  return isShown;
}

async function show(language: Language): Promise<boolean> {
  try {
    current.value = { language, words: await loaders[language]() };
  } catch {
    return false;
  }
  document.documentElement.lang = language;
  return true;
}

/** The first language of the browser's list that is here: `zh-CN` is `zh-Hans`, `de-AT` is `de`. */
function preferred(asked: readonly string[]): Language {
  const first = asked.map(closest).find((language) => language !== null);
  return first ?? "en";
}

function closest(tag: string): Language | null {
  const [main = ""] = tag.toLowerCase().split("-");
  if (main === "zh") return "zh-Hans";
  return isLanguage(main) ? main : null;
}

function isLanguage(text: string): text is Language {
  return Object.hasOwn(languages, text);
}

function readChoice(): Language | null {
  const chosen = readStored(chosenKey) ?? "";
  return isLanguage(chosen) ? chosen : null;
}
