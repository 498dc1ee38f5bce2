import type { Language } from "../domain/model/mail.ts";
import { pages as english, type Words } from "./en/pages.ts";
import type { StaffWords } from "./en/staff-pages.ts";
import type { RefusalWords } from "./refusals.ts";

/** What pages load of a language. */
type BrowserWords = {
  /** What the language calls itself. */
  readonly name: string;
  /** The words of every page. */
  readonly pages: () => Promise<{ readonly pages: Words }>;
  /** Further words, which only pages for staff need. */
  readonly staffPages: () => Promise<{ readonly staffPages: StaffWords }>;
  /** For the first refusal. Null for English, which the server writes itself. */
  readonly refusals: (() => Promise<{ readonly refusals: RefusalWords }>) | null;
};

/** English comes with the first script, and stands in for a language that cannot be loaded. */
export const firstWords = english;

export const browserWords: Readonly<Record<Language, BrowserWords>> = {
  en: {
    name: "English",
    pages: () => Promise.resolve({ pages: english }),
    staffPages: () => import("./en/staff-pages.ts"),
    refusals: null,
  },
  ru: {
    name: "Русский",
    pages: () => import("./ru/pages.ts"),
    staffPages: () => import("./ru/staff-pages.ts"),
    refusals: () => import("./ru/refusals.ts"),
  },
  de: {
    name: "Deutsch",
    pages: () => import("./de/pages.ts"),
    staffPages: () => import("./de/staff-pages.ts"),
    refusals: () => import("./de/refusals.ts"),
  },
  "zh-Hans": {
    name: "简体中文",
    pages: () => import("./zh-hans/pages.ts"),
    staffPages: () => import("./zh-hans/staff-pages.ts"),
    refusals: () => import("./zh-hans/refusals.ts"),
  },
};
