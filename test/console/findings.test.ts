/**
 * What the overview says of checks: in every language, each check once, with the page where it is put right.
 */
import { describe, expect, test } from "bun:test";
import { findingTexts } from "../../src/domain/health/finding-texts.ts";
import { resultOf } from "../../src/domain/health/check-result.ts";
import type { Language } from "../../src/domain/model/mail.ts";
import { found, type FindingCode } from "../../src/domain/health/finding.ts";
import { placeOf, sortChecks } from "../../src/web/pages/admin/check-places.ts";
import { consoleWords } from "../support/console-words.ts";
import { sayFinding, type Check } from "../../src/web/words/findings.ts";

/** The names of the values that a sentence of the server reads. */
function valuesOf(code: FindingCode): ReadonlySet<string> {
  const read = new Set<string>();
  const noting = new Proxy(
    {},
    {
      get: (_, name) => {
        read.add(String(name));
        return 1;
      },
    },
  );
  if (code === "certificate_refused") return new Set(["by", "setting", "own", "cause"]);
  if (code === "launchers_certificate") return new Set(["address", "reason", "cause"]);
  for (const sentence of Object.values<unknown>(findingTexts[code]))
    if (typeof sentence === "function") sentence(noting);
  return read;
}

const formats = {
  size: (bytes: number) => `${bytes} B`,
  moment: (seconds: number) => `moment ${seconds}`,
  number: String,
};

const codes = Object.keys(findingTexts) as FindingCode[]; // the table has no other keys

describe.each(consoleWords)("in $language", ({ words: { findings } }) => {
  const { texts } = findings;
  test.each(Object.entries(texts ?? {}))("%s names only values that the server sends", (code, sentences) => {
    const known = valuesOf(codes.find((one) => one === code) ?? "settings_fit");
    const named = sentences.flatMap((sentence) =>
      typeof sentence === "string"
        ? [...sentence.matchAll(/\{([a-z_]+)\}/g)].map(([, name = ""]) => name)
        : [],
    );
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

const textsOf = (language: Language) =>
  consoleWords.find((one) => one.language === language)?.words.findings.texts ?? null;

const certificate = resultOf(
  "mail server",
  found("certificate_refused", { by: "mail.example.org", setting: "SMTP_URL", own: false, cause: "expired" }),
);
const unset: Check = resultOf("settings", found("smtp_unset"));

test.each<[name: string, check: Check, language: Language, text: string, remedy: string]>([
  [
    "a text alone",
    unset,
    "ru",
    "SMTP_URL не задан: письма с кодами пишутся в файлы и ни до кого не доходят",
    "укажите свой почтовый сервер",
  ],
  [
    "a text with a value",
    resultOf("public address", found("address_foreign", { address: "https://a.example.org", status: 502 })),
    "de",
    "https://a.example.org antwortet, aber nicht als cloakroom (Status 502)",
    "setze PUBLIC_URL auf die Adresse, die der Proxy an diesen Server weiterleitet, samt Pfad",
  ],
  [
    "sizes",
    resultOf("disk", found("disk_low", { free: 1, database: 2 })),
    "ru",
    "свободно 1 B, база данных занимает 2 B",
    "освободите место: копии нужно вдвое больше, чем занимает база",
  ],
  [
    "a text that depends on a value",
    certificate,
    "zh-Hans",
    "mail.example.org 的证书已过期",
    "需要由对方续期。如果证书没有问题，请校准本机时钟",
  ],
])("a finding is said in the reader's language: %s", (_, check, language, ...said) => {
  const [text, remedy] = said;
  expect(sayFinding(check, textsOf(language), formats)).toEqual({ text, remedy, isTranslated: true });
});

test("what a newer server found is said in the server's words", () => {
  // As a later release may answer.
  const check = { ...unset, code: "moon_full", text: "the moon is full", remedy: null } as unknown as Check;
  expect(sayFinding(check, textsOf("ru"), formats)).toEqual({
    text: "the moon is full",
    remedy: null,
    isTranslated: false,
  });
});

test("a check stands once: not in order, in order, or not in use", () => {
  const checks: readonly Check[] = [
    unset,
    resultOf("settings", found("backups_unscheduled")),
    resultOf("mail server", found("mail_server_unset")),
    resultOf("certificate", found("certificate_unset")),
    resultOf("launchers", found("launchers_address_unset")),
    resultOf("public address", found("address_unset")),
    resultOf("backups", found("backups_off")),
    resultOf("disk", found("disk_free", { free: 5e9 })),
    resultOf("database", found("database_unwritable")),
  ];
  const { bad, good, unused } = sortChecks(checks);
  expect(bad.map(({ topic }) => topic)).toEqual(["database", "mail server", "backups", "public address"]);
  expect(good).toEqual(["disk"]);
  expect(unused).toEqual(["certificate"]);
});

test.each<[name: string, check: Check, place: ReturnType<typeof placeOf>]>([
  ["no mail server", unset, "mail"],
  ["mails that do not leave", resultOf("outbox", found("mails_stuck")), "outbox"],
  [
    "a mail server that refuses",
    resultOf("mail server", found("mail_server_refuses", { place: "a", reason: "b" })),
    "outbox",
  ],
  ["no backups", resultOf("settings", found("backups_unscheduled")), "backups"],
  ["a certificate that ended", resultOf("certificate", found("certificate_ended", { end: 1 })), "tls"],
  [
    "an address that is silent",
    resultOf("public address", found("address_foreign", { address: "a", status: 1 })),
    "address",
  ],
  ["passwords in clear text", resultOf("launchers", found("launchers_unencrypted", { address: "a" })), "tls"],
  ["a full disk", resultOf("disk", found("disk_full", { free: 1 })), null],
])("%s leads to its place", (_, check, place) => {
  expect(placeOf(check)).toBe(place);
});
