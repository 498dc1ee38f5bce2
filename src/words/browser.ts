import type { Language } from "../domain/model/mail.ts";
import { pages as english, type Words } from "./en/pages.ts";
import type { StaffWords } from "./en/staff-pages.ts";

/** What pages load of a language. */
type BrowserWords = {
  /** What the language calls itself. */
  readonly name: string;
  /** The words of every page. */
  readonly pages: () => Promise<Words>;
  /** Further words, which only pages for staff need. */
  readonly staffPages: () => Promise<StaffWords>;
};

/** English comes with the first script, and stands in for a language that cannot be loaded. */
export const firstWords = english;

export const browserWords: Readonly<Record<Language, BrowserWords>> = {
  en: {
    name: "English",
    pages: () => Promise.resolve(english),
    staffPages: async () => (await import("./en/staff-pages.ts")).staffPages,
  },
  ru: {
    name: "Русский",
    pages: async () => (await import("./ru/pages.ts")).pages,
    staffPages: async () => (await import("./ru/staff-pages.ts")).staffPages,
  },
  de: {
    name: "Deutsch",
    pages: async () => (await import("./de/pages.ts")).pages,
    staffPages: async () => (await import("./de/staff-pages.ts")).staffPages,
  },
  "zh-Hans": {
    name: "简体中文",
    pages: async () => (await import("./zh-hans/pages.ts")).pages,
    staffPages: async () => (await import("./zh-hans/staff-pages.ts")).staffPages,
  },
};
