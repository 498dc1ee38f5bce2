import type { Language } from "../domain/model/mail.ts";
import { server as german } from "./de/server.ts";
import { server as english } from "./en/server.ts";
import { server as russian } from "./ru/server.ts";
import type { ServerWords } from "./server-words.ts";
import { server as chinese } from "./zh-hans/server.ts";

/** What the server says, in every language. */
export const serverWords: Readonly<Record<Language, ServerWords>> = {
  en: english,
  ru: russian,
  de: german,
  "zh-Hans": chinese,
};
