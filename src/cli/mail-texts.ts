import { choice } from "../boot/config/kinds.ts";
import { required } from "../boot/config/options.ts";
import { loadMailTexts } from "../boot/mail.ts";
import { languages } from "../domain/model/mail.ts";
import { wordsOf } from "../domain/mail/replace-texts.ts";
import { command } from "./command.ts";

export const mailTexts = command({
  name: "mail texts",
  summary: "prints the words of the mails, as a file to change them with",
  details:
    "Saved as mail-templates/en.toml or mail-templates/ru.toml in the data folder, the file replaces our words at the" +
    " next start. What is left out of it stays ours.",
  settings: "taken",
  positionals: { language: required(choice(...languages), "en or ru") },
  run: async ({ language }, context) => {
    const { config } = await context.loadConfig();
    const texts = await loadMailTexts(config);
    const tables = Object.entries(wordsOf(texts[language])).map(([table, words]) => {
      const lines = Object.entries(words).filter(([, text]) => text !== null);
      // Every JSON string, and every list of them, is TOML as well.
      return `[${table}]\n${lines.map(([key, text]) => `${key} = ${JSON.stringify(text)}\n`).join("")}`;
    });
    context.io.out(tables.join("\n"));
  },
});
