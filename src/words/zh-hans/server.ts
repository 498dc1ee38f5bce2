import type { ServerWords } from "../server-words.ts";
import { mailPages } from "./mail-pages.ts";
import { mails } from "./mails.ts";
import { refusals } from "./refusals.ts";

export const server: ServerWords = {
  mails,
  mailPages,
  refusals,
  served: async () => (await import("./served.ts")).served,
};
