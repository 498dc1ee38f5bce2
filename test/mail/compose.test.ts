import { describe, expect, test } from "bun:test";
import { composeMail } from "../../src/domain/mail/compose.ts";
import { languages, type Language, type Mail } from "../../src/domain/model/mail.ts";
import { code, everyMail, link, look, play, origin, site } from "./outbox-world.ts";
import { ownTexts } from "./own-texts.ts";

const to = "anna@example.org";
const cases = languages.flatMap((language) =>
  everyMail.map((mail) => ({ language, mail, name: mail.template })),
);
const linksOf = (mail: Mail): readonly string[] => {
  if (mail.template === "bulk") return ["https://www.example.org/news?a=1&amp;b=2", play, mail.unsubscribe];
  return "link" in mail ? [mail.link, play] : [play];
};
/** What only this language's mails are written with. */
const marks: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:the|you|your|is)\b/i,
  ru: /\p{Script=Cyrillic}/u,
  de: /\b(?:du|dein|deine|die|das|ist|von)\b/i,
  "zh-Hans": /\p{Script=Han}/u,
};
/** What a reader does who did not cause the mail. */
const advice: Readonly<Record<Language, RegExp>> = {
  en: /If (?:it was not you|you did not|you know nothing|you want no)/,
  ru: /Если (?:это|вы)/,
  de: /(?:Wenn|Falls) du/,
  "zh-Hans": /如果(?:不|你)/,
};
const compose = (mail: Mail, language: Language = "en") =>
  composeMail(ownTexts, { to, language, site, look, play, mail });

describe.each(cases)("the mail $name in $language", ({ language, mail }) => {
  const { subject, text, html } = compose(mail, language);

  test("says what its values are, in both forms", () => {
    for (const form of [text, html]) {
      expect(form).toContain(site);
      if ("code" in mail) expect(form).toContain(code);
      if ("link" in mail) expect(form).toContain(link);
      if ("username" in mail) expect(form).toContain("Anna");
      if ("network" in mail) expect(form.replaceAll(/\s+/g, " ")).toContain(mail.time);
      if ("network" in mail) expect(form).toContain(mail.network);
      expect(form).not.toMatch(/undefined|null|\[object|\{\w+\}/);
    }
  });

  test("is written in its language and in no other one", () => {
    for (const form of [text, html]) {
      expect(form.replaceAll(/<[^>]*>|https?:\S+/g, " ")).toMatch(marks[language]);
    }
    const others = languages.filter((other) => other !== language);
    // Staff wrote the subject of a mail to everybody.
    if (mail.template !== "bulk") {
      for (const other of others) expect(compose(mail, other).subject).not.toBe(subject);
    }
    for (const other of others.filter((one) => one === "ru" || one === "zh-Hans")) {
      expect(subject + text).not.toMatch(marks[other]);
    }
    expect(html).toContain(`<html lang="${language}">`);
  });

  test("says that the code lasts 30 minutes, and what to do if it was not you", () => {
    if ("code" in mail) expect(text).toContain("30");
    expect(text.replaceAll("\n", " ")).toMatch(advice[language]);
  });

  test("keeps the code out of the subject and of what mailboxes show beside it", () => {
    expect(subject).not.toContain(code);
    expect(
      /<div style="display:none[^>]*>(?<preheader>[^<]*)/.exec(html)?.groups?.["preheader"],
    ).not.toContain(code);
  });

  test("fits 72 columns of text, but for a link", () => {
    const long = text
      .split("\n")
      .filter((line) => Bun.stringWidth(line) > 72 && line !== link && !line.startsWith("https"));
    expect(long).toEqual([]);
  });

  test("loads nothing, and links only where the mail does", () => {
    expect(html).not.toMatch(/<img|<script|<link|src=|url\(|@import/i);
    const targets = [...html.matchAll(/href="(?<target>[^"]*)"/g)].map(({ groups }) => groups?.["target"]);
    expect(new Set(targets)).toEqual(new Set(linksOf(mail)));
  });
});

const inChinese = (message: string) =>
  compose({ template: "bulk", username: "Anna", subject: "x", message, unsubscribe: link }, "zh-Hans").text;
const linesOf = (text: string) => text.split("\n");

test.each(languages)("without a page of steps no mail in %s leads to one", (language) => {
  for (const mail of everyMail) {
    const { text, html } = composeMail(ownTexts, { to, language, site, look, play: null, mail });
    expect(compose(mail, language).text).toContain(`\n${play}\n`);
    expect(text + html).not.toContain("/play");
  }
});

describe("Chinese text", () => {
  test("is broken between characters, without a blank", () => {
    const text = inChinese("服务器明天搬家".repeat(20));
    expect(text.replaceAll("\n", "")).toContain("服务器明天搬家".repeat(20));
    for (const line of linesOf(text)) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(72);
  });

  test("begins no line with a closing mark, and ends none with an opening one", () => {
    const lines = linesOf(inChinese("“你好”，（再见）。".repeat(40)));
    expect(lines.filter((line) => /^[，。）”]|[（“]$/.test(line))).toEqual([]);
  });

  test("keeps blanks, and words of other scripts, whole", () => {
    const sentence = "在 Minecraft 的 cloakroom 里换上 Diver 皮肤";
    const text = inChinese(`${sentence} `.repeat(12)).replaceAll("\n", " ");
    for (const word of ["Minecraft", "cloakroom", "Diver"]) expect(text.split(word)).toHaveLength(13);
  });

  test.each([
    ["方块世界", "方块世界的测试邮件"],
    ["Blockwelt", "Blockwelt 的测试邮件"],
    ["我的 World", "我的 World 的测试邮件"],
    ["World（新）", "World（新）的测试邮件"],
  ])("has a blank beside other letters alone: %s", (name, subject) => {
    const mail = { template: "test" } as const;
    expect(composeMail(ownTexts, { to, language: "zh-Hans", site: name, look, play, mail }).subject).toBe(
      subject,
    );
  });

  test("keeps an address in it whole", () => {
    const address = `https://例え.example.org/${"路径".repeat(30)}`;
    expect(linesOf(inChinese(`看 ${address} 吧`))).toContain(address);
  });
});

test("shows the code for people to read, on a line of its own", () => {
  expect(compose({ template: "confirm", code, link, ...origin }).text).toContain(`\n\n    ${code}\n\n`);
});

test("is written also where an older program left it without when and from which network", () => {
  // The boundary to what an older program kept.
  const mail = { template: "unknown-address" } as Mail;
  const { text, html } = compose(mail);
  for (const form of [text, html]) {
    expect(form.replaceAll(/\s+/g, " ")).toContain("asked for on ? from the network ?.");
    expect(form).not.toContain("undefined");
  }
});

test("names the address where there is no username yet", () => {
  const { text } = compose({ template: "reset", username: "", code, link, ...origin });
  expect(text).toContain(`for the account\n${to} on`);
});

test("shows the old address only a mask of the new one", () => {
  const { text, html } = compose({
    template: "mail-changed",
    username: "Anna",
    newMail: "secret.name@example.net",
  });
  for (const form of [text, html]) {
    expect(form).toContain("s***@example.net");
    expect(form).not.toContain("secret.name");
  }
});

describe("a value", () => {
  test.each([
    ["a tag", "<img src=x onerror=alert(1)>"],
    ["the end of an attribute", '"><b>bold</b>'],
    ["an apostrophe and an ampersand", "' & <i>"],
    ["a comment", "<!-- -->"],
  ])("with %s stands in the HTML as it is written", (_, username) => {
    const { html } = compose({ template: "password-changed", username });
    expect(html).not.toContain(username);
    const shown = html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"');
    expect(shown.replaceAll("&#39;", "'").replaceAll("&amp;", "&")).toContain(username);
  });

  test.each([
    ["a line end", "Anna\r\nBcc: all@example.org"],
    ["a bare line feed", "Anna\nBcc: all@example.org"],
    ["a line separator", "Anna\u2028Bcc: all@example.org"],
    ["a next-line character", "Anna\u0085Bcc: all@example.org"],
    ["a null", "Anna\0Bcc: all@example.org"],
    ["an escape", "Anna\u001b[2JBcc: all@example.org"],
    ["a turned direction", "Anna\u202eBcc: all@example.org"],
    ["an invisible character", "Anna\u200bBcc: all@example.org"],
  ])("with %s stays on its line", (_, username) => {
    const { text, html, subject } = compose({ template: "password-changed", username });
    expect(text).not.toMatch(/^Bcc/m);
    for (const form of [text, html, subject]) {
      expect(form.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }
    expect(html).toMatch(/Anna ?(?:\[2J)?Bcc: all@example\.org/);
  });

  test("of the site's name cannot break the subject", () => {
    const input = {
      to,
      language: "en",
      site: "a\r\nBcc: b@example.org",
      look,
      play,
      mail: { template: "test" },
    } as const;
    expect(composeMail(ownTexts, input).subject).toBe("Test mail from a Bcc: b@example.org");
  });
});
