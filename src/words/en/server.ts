import type { ServerWords } from "../server-words.ts";
import { mailPages } from "./mail-pages.ts";
import { mails } from "./mails.ts";

export const server: ServerWords = {
  mails,
  mailPages,
  refusals: null,
  served: async () => (await import("./served.ts")).served,
};
