import type { MailTexts } from "../../src/domain/mail/templates.ts";
import { serverWords } from "../../src/words/server.ts";

const { en, ru, de, "zh-Hans": zhHans } = serverWords;

/** Our own texts of mails. */
export const ownTexts: MailTexts = { en: en.mails, ru: ru.mails, de: de.mails, "zh-Hans": zhHans.mails };
