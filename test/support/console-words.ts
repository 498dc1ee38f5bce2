import { languages } from "../../src/domain/model/mail.ts";
import { browserWords } from "../../src/words/browser.ts";

/** Everything that the console says, by language. */
export const consoleWords = await Promise.all(
  languages.map(async (language) => {
    const [{ pages }, { staffPages }] = await Promise.all([
      browserWords[language].pages(),
      browserWords[language].staffPages(),
    ]);
    return { language, words: { ...pages, ...staffPages } };
  }),
);

export type ConsoleWords = (typeof consoleWords)[number]["words"];

/** What it says in English. */
export const englishWords = consoleWords[0]!.words;
