import { computed, signal } from "@preact/signals";
import { browserWords, firstWords } from "../../words/browser.ts";
import type { Words } from "../../words/en/pages.ts";
import type { StaffWords } from "../../words/en/staff-pages.ts";
import { readStored, store } from "../stored.ts";

export type Language = keyof typeof browserWords;

/** Every language, and what it calls itself. */
export const languages = Object.entries(browserWords).map(([tag, { name }]) => ({ tag, name }));

type Loaded = {
  readonly language: Language;
  readonly words: Words;
  /** Null until the first page for staff is opened. */
  readonly staffWords: StaffWords | null;
};

const chosenKey = "cloakroom.language";
const current = signal<Loaded>({ language: "en", words: firstWords, staffWords: null });

/** The messages in the language of the page. */
export const words = computed(() => current.value.words);
export const staffWords = computed(() => current.value.staffWords);
export const language = computed(() => current.value.language);

/**
 * Loads the language that was chosen here, or the first that the browser asks for. English stays when it
 * cannot be loaded.
 */
export async function loadLanguage(): Promise<void> {
  await show(readChoice() ?? preferred(navigator.languages));
}

/**
 * Shows the page in this language, now and next time. Returns whether its messages could be loaded; if not,
 * nothing changes.
 */
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
  const { pages, staffPages } = browserWords[language];
  const isForStaff = current.peek().staffWords !== null;
  const [{ pages: words }, forStaff] = await Promise.all([pages(), isForStaff ? staffPages() : null]);
  // A page for staff may have been opened meanwhile.
  if (!isForStaff && current.peek().staffWords !== null) return load(language);
  return { language, words, staffWords: forStaff && forStaff.staffPages };
}

/**
 * Loads what pages for staff say; from then on it changes with the language. Throws when it cannot be loaded.
 */
export async function loadStaffWords(): Promise<void> {
  const { language } = current.peek();
  const { staffPages: staffWords } = await browserWords[language].staffPages();
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
  const [main] = tag.toLowerCase().split("-");
  return (
    languages
      .map(({ tag }) => tag)
      .filter(isLanguage)
      .find((own) => own.split("-")[0] === main) ?? null
  );
}

function isLanguage(text: string): text is Language {
  return Object.hasOwn(browserWords, text);
}

function readChoice(): Language | null {
  const chosen = readStored(chosenKey) ?? "";
  return isLanguage(chosen) ? chosen : null;
}
