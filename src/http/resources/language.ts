import { t } from "../routing/schema.ts";
import { rules } from "../rules.ts";
import { languages } from "../../domain/model/mail.ts";

/** The languages of mails, in requests and answers. */

const rule = rules.oneOfListed.of(languages.join(", "));
const [first, ...others] = languages.map((language) => t.Literal(language));

export function languageField(description: string) {
  return t.Union([first ?? t.Literal("en"), ...others], { description, rule, examples: ["de"] });
}

export function givenLanguage(description: string) {
  return t.String({ description, enum: [...languages], examples: ["en"] });
}

/** `PATCH /api/home/edit/language`. */
export const languageBody = t.Object({ language: languageField("The language of the mails that you get") });
