import { describe, expect, test } from "bun:test";
import { composeMail } from "../../src/domain/mail/compose.ts";
import { languages } from "../../src/domain/model/mail.ts";
import { replaceTexts, wordsOf } from "../../src/domain/mail/replace-texts.ts";
import { code, everyMail, link, look, origin, play, site } from "./outbox-world.ts";
import { ownTexts } from "./own-texts.ts";

const replace = (toml: string) => replaceTexts(ownTexts.en, { ...Bun.TOML.parse(toml) });
const letter = { to: "anna@example.org", language: "en", site, look, play } as const;

test("an operator's words take the place of ours; what is left out stays", () => {
  const { templates, faults } = replace(`
    [reset]
    subject = "New password, {username}?"
    paragraphs = ["Hi {username}! <b>Your</b> code for {site}, { } or {}: {code}", "Bye."]
    [frame]
    footer = "The crew of {site}"
  `);
  expect(faults).toEqual([]);
  const mail = { template: "reset", username: "$& Anna", code, link, ...origin } as const;
  const { subject, text, html } = composeMail({ ...ownTexts, en: templates }, { ...letter, mail });
  expect(subject).toBe("New password, $& Anna?");
  expect(text).toContain(`Hi $& Anna! <b>Your</b> code for ${site}`);
  expect(text).toContain(`${code}\n\nBye.`);
  expect(text).toContain(`The crew of ${site}`);
  expect(text).toContain("The code lasts 30 minutes");
  expect(html).toContain("&lt;b&gt;Your&lt;/b&gt;");
});

test("an operator's subject cannot break the header", () => {
  const { templates } = replace(`[test]\nsubject = "Hello\\r\\nBcc: all@example.org"`);
  const { subject } = composeMail({ ...ownTexts, en: templates }, { ...letter, mail: { template: "test" } });
  expect(subject).toBe("Hello Bcc: all@example.org");
});

test.each(languages)("our own words in %s, written to a file, come back as they are", (language) => {
  const words = wordsOf(ownTexts[language]);
  const given = Object.fromEntries(
    Object.entries(words).map(([table, texts]) => [
      table,
      Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null)),
    ]),
  );
  const { templates, faults } = replaceTexts(ownTexts[language], given);
  expect(faults).toEqual([]);
  for (const mail of everyMail) {
    const ours = composeMail(ownTexts, { ...letter, language, mail });
    expect(composeMail({ ...ownTexts, [language]: templates }, { ...letter, language, mail })).toEqual(ours);
  }
});

describe("a file is refused, naming what is wrong, with", () => {
  test.each([
    [
      "an unknown mail",
      `[resett]\nsubject = "x"`,
      "resett: there is no such mail; there are confirm, already-registered",
    ],
    ["an inherited name for a mail", `[constructor]\nsubject = "x"`, "constructor: there is no such mail"],
    ["a text outside a table", `reset = "x"`, "reset: must be a table"],
    ["an unknown text", `[reset]\nsubjekt = "x"`, "reset.subjekt: there is no such text; there are subject"],
    ["a button where there is none", `[test]\nbutton = "x"`, "test.button: this mail has none"],
    [
      "an unknown placeholder",
      `[reset]\nheading = "{user}"`,
      "reset.heading: {user} stands for nothing here; there are {site}, {username}, {code}, {link}, {time}, {network}",
    ],
    [
      "a placeholder of another mail",
      `[confirm]\nheading = "{username}"`,
      "confirm.heading: {username} stands for nothing",
    ],
    [
      "a code in the subject",
      `[reset]\nsubject = "{code}"`,
      "reset.subject: {code} stands for nothing here; there are {site}, {username}, {time}, {network}",
    ],
    ["a link in the preheader", `[reset]\npreheader = "{link}"`, "reset.preheader: {link} stands"],
    ["a text for a list", `[reset]\nparagraphs = "x"`, "reset.paragraphs: must be a list of texts"],
    ["a list for a text", `[reset]\nheading = ["x"]`, "reset.heading: must be a text"],
    ["a number", `[reset]\nheading = 1`, "reset.heading: must be a text"],
    ["an empty text", `[reset]\nheading = " "`, "reset.heading: must not be empty"],
    [
      "a value of a mail in the frame",
      `[frame]\nfooter = "{username}"`,
      "frame.footer: {username} stands for nothing here; there are {site}",
    ],
  ])("%s", (_, toml, fault) => {
    const { templates, faults } = replace(toml);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toStartWith(fault);
    expect(templates).toBe(ownTexts.en);
  });

  test("all that is wrong at once", () => {
    expect(replace(`[reset]\nsubjekt = "x"\nheading = "{x}"\n[nope]\na = "b"`).faults).toHaveLength(3);
  });
});
