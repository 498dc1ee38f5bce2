import { computed, signal } from "@preact/signals";
import { readStored, store } from "../stored.ts";
import { en, type Words } from "./en.ts";
import type { StaffWords } from "./en/staff-pages.ts";

export const languages = { en: "English", ru: "Русский", de: "Deutsch", "zh-Hans": "简体中文" } as const;
export type Language = keyof typeof languages;

/** The words of every page. */
const loaders: Readonly<Record<Language, () => Promise<Words>>> = {
  en: () => Promise.resolve(en),
  ru: async () => (await import("./ru.ts")).ru,
  de: async () => (await import("./de.ts")).de,
  "zh-Hans": async () => (await import("./zh-hans.ts")).zhHans,
};

/** Further words, which only pages for staff need. */
const staffLoaders: Readonly<Record<Language, () => Promise<StaffWords>>> = {
  en: async () => (await import("./en/staff-pages.ts")).staffPages,
  ru: async () => (await import("./ru/staff-pages.ts")).staffPages,
  de: async () => (await import("./de/staff-pages.ts")).staffPages,
  "zh-Hans": async () => (await import("./zh-hans/staff-pages.ts")).staffPages,
};

type Loaded = {
  readonly language: Language;
  readonly words: Words;
  /** Null until the first page for staff is opened. */
  readonly staffWords: StaffWords | null;
};

const chosenKey = "cloakroom.language";
const current = signal<Loaded>({ language: "en", words: en, staffWords: null });

/** The messages in the language of the page. */
export const words = computed(() => current.value.words);
export const staffWords = computed(() => current.value.staffWords);
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
    current.value = await load(language);
  } catch {
    return false;
  }
  document.documentElement.lang = language;
  return true;
}

async function load(language: Language): Promise<Loaded> {
  const isForStaff = current.peek().staffWords !== null;
  const [words, staffWords] = await Promise.all([
    loaders[language](),
    isForStaff ? staffLoaders[language]() : null,
  ]);
  // A page for staff may have been opened meanwhile.
  if (!isForStaff && current.peek().staffWords !== null) return load(language);
  return { language, words, staffWords };
}

/** Loads what pages for staff say; from then on it changes with the language. Throws when it cannot be loaded. */
export async function loadStaffWords(): Promise<void> {
  const { language } = current.peek();
  const staffWords = await staffLoaders[language]();
  // Another language may have been chosen meanwhile.
  if (current.peek().language !== language) return loadStaffWords();
  current.value = { ...current.peek(), staffWords };
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
