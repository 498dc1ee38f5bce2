import type { ServerWords } from "../server-words.ts";
import { mailPages } from "./mail-pages.ts";
import { mails } from "./mails.ts";
import { pages } from "./pages.ts";
import { setup } from "./pages/setup.ts";
import { play } from "./play.ts";
import { refusals } from "./refusals.ts";
import { served } from "./served.ts";

export const server: ServerWords = { mails, mailPages, play, refusals, served, pages: { ...pages, setup } };
