import { expect } from "bun:test";
import type { Account } from "../../src/domain/model/account.ts";
import type { Mail } from "../../src/domain/model/mail.ts";
import { readJson, type Envelope } from "./answers.ts";
import type { Harness } from "./harness.ts";
import type { Member } from "./members.ts";
import type { Scenario } from "./scenario.ts";

export const codePattern = /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/;

/** When and from which network requests to a harness come, as mails say it. */
export const asked = { time: expect.stringMatching(/^2[\d-]{9} \d\d:\d\d UTC$/), network: "127.0.0.0/24" };

/** Sends a request of a JSON body, or of none. */
export function send(
  harness: Harness,
  request: string,
  json?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const [method = "", path = ""] = request.split(" ");
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  return harness.fetch(path, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...body,
  });
}

/** Like `send`, for what a test takes for granted: anything but success fails. */
export async function ask(harness: Harness, request: string, json: unknown, member?: Member): Promise<void> {
  const headers: Record<string, string> = member === undefined ? {} : { authorization: member.authorization };
  const response = await send(harness, request, json, headers);
  if (!response.ok) throw new Error(`${request}: ${response.status} ${await response.text()}`);
}

/** The newest mail to this address. */
export function lastMail({ database }: Harness, to: string): Mail {
  const found = database.mails().findLast((one) => one.to === to);
  if (found === undefined) throw new Error(`nothing was mailed to ${to}`);
  return found.mail;
}

/** The code in the newest mail to this address. */
export function lastCode(harness: Harness, to: string): string {
  const mail = lastMail(harness, to);
  if (!("code" in mail)) throw new Error(`the last mail to ${to} holds no code`);
  return mail.code;
}

/** Asks for what is mailed with a code, and gives back the code. */
export async function orderCode(
  harness: Harness,
  purpose: "confirm" | "reset",
  mail: string,
  password = `the password of ${mail}`,
): Promise<string> {
  if (purpose === "confirm") await ask(harness, "POST /api/auth/register", { mail, password });
  else await ask(harness, "POST /api/auth/forgetpass", { mail });
  return lastCode(harness, mail);
}

/** Orders the code for another mail address. */
export async function orderMailCode(harness: Harness, member: Member, mail: string): Promise<string> {
  await ask(harness, "POST /api/home/mail/request", { mail, password: member.password }, member);
  return lastCode(harness, mail);
}

/** The status that signing in ends with: 200, 401 or 403. */
export async function signInStatus(harness: Harness, username: string, password: string): Promise<number> {
  return (await send(harness, "POST /api/auth/login", { username, password })).status;
}

/** The status that a request with this token ends with: 200 while its session runs, then 401. */
export async function homeStatus(harness: Harness, jwt: string): Promise<number> {
  return (await harness.fetch("/api/home", { headers: { authorization: `Bearer ${jwt}` } })).status;
}

type Profile = Readonly<Record<string, unknown>>;

export async function profileOf(
  harness: Harness,
  { authorization }: { readonly authorization: string },
): Promise<Profile> {
  const response = await harness.fetch("/api/home", { headers: { authorization } });
  return (await readJson<Envelope<Profile>>(response)).data;
}

/** The account with this mail address, as it is kept. */
export async function accountOf({ services }: Harness, mail: string): Promise<Account> {
  const found = await services.reads.accounts.findMember({ by: "mail", value: mail });
  if (found === null) throw new Error(`no account has ${mail}`);
  return found.account;
}

/** The statuses of requests that were made at once, in rising order. */
export async function statusesOf(requests: readonly Promise<Response>[]): Promise<readonly number[]> {
  return (await Promise.all(requests)).map(({ status }) => status).sort((a, b) => a - b);
}

/** The ways in which people and mail programs write the code down: all of them are good. */
export function spellings(code: string): readonly string[] {
  const plain = code.replace("-", "");
  return [
    plain,
    code.toLowerCase(),
    `  ${code}\n`,
    plain.match(/../g)?.join(" ") ?? "",
    `-${plain}-`,
    code.replaceAll("0", "O").replaceAll("1", "I"),
    code.replaceAll("0", "o").replaceAll("1", "l").toLowerCase(),
  ];
}

/** What is no code of this purpose, with what makes it so; `good` is one that works. */
export function badCodes(good: string): readonly (readonly [string, unknown])[] {
  const other = good.startsWith("A") ? "B" : "A";
  return [
    ["no code", undefined],
    ["a code that is null", null],
    ["a code that is a number", 1234567890],
    ["a code that is a list", [good]],
    ["an empty code", ""],
    ["blanks", "          "],
    ["a wrong code", `${other}${good.slice(1)}`],
    ["a cut code", good.slice(0, -1)],
    ["a code that goes on", `${good}0`],
    ["two codes", `${good} ${good}`],
    ["a code with a letter that no code has", `U${good.slice(1)}`],
    ["a code with full-width letters", `Ａ${good.slice(1)}`],
    ["a code with a NUL", `${good}\0`],
    ["a pattern", "%%%%%-%%%%%"],
    ["SQL", "' OR 1=1 --"],
    ["7 kB", "A".repeat(7000)],
    ["7 kB of dashes around it", `${"-".repeat(7000)}${good}`],
  ];
}

/** Texts that are no mail address that is taken. */
export const badMails: readonly (readonly [string, unknown])[] = [
  ["no mail", undefined],
  ["a mail that is null", null],
  ["a mail that is a number", 1],
  ["a mail that is a list", ["a@example.org"]],
  ["a mail that is an object", { address: "a@example.org" }],
  ["an empty mail", ""],
  ["a blank", " "],
  ["a name alone", "anna"],
  ["a domain alone", "@example.org"],
  ["a name and an @", "anna@"],
  ["two @", "anna@example.org@example.net"],
  ["an @ within quotes", '"anna@example.net"@example.org'],
  ["quotes", '"anna"@example.org'],
  ["quoted blanks", '"an na"@example.org'],
  ["a quoted line end", '"an\r\nna"@example.org'],
  ["a line end", "anna@example.org\n"],
  ["a second header", "anna@example.org\r\nBcc: mallory@example.net"],
  ["a line end within", "anna\n@example.org"],
  ["a blank in front", " anna@example.org"],
  ["a blank behind", "anna@example.org "],
  ["a tab", "anna\t@example.org"],
  ["a NUL", "anna@example.org\0"],
  ["an escape sequence", "anna\u001b[31m@example.org"],
  ["two addresses", "anna@example.org,mallory@example.net"],
  ["two addresses with a semicolon", "anna@example.org;mallory@example.net"],
  ["a name before it", "Anna <anna@example.org>"],
  ["angle brackets", "<anna@example.org>"],
  ["a comment", "anna(mallory)@example.org"],
  ["a backslash", "an\\na@example.org"],
  ["a scheme", "mailto:anna@example.org"],
  ["a route", "@example.net:anna@example.org"],
  ["a domain in Unicode", "anna@exämple.org"],
  ["a name in Unicode", "änna@example.org"],
  ["a look-alike in the name", "аnna@example.org"],
  ["an invisible character", "anna\u200b@example.org"],
  ["a character that turns the direction", "anna\u202e@example.org"],
  ["a full-width @", "anna＠example.org"],
  ["a dot in front", ".anna@example.org"],
  ["a dot behind the name", "anna.@example.org"],
  ["two dots", "an..na@example.org"],
  ["a domain that ends with a dot", "anna@example.org."],
  ["a domain that begins with a dot", "anna@.example.org"],
  ["a domain with two dots", "anna@example..org"],
  ["a domain without one", "anna@localhost"],
  ["a domain with a dash in front", "anna@-example.org"],
  ["a domain with a dash behind", "anna@example-.org"],
  ["a domain with an underscore", "anna@exa_mple.org"],
  ["an address for a domain", "anna@[192.0.2.1]"],
  ["a domain with a port", "anna@example.org:25"],
  ["a name of 65 characters", `${"a".repeat(65)}@example.org`],
  ["a label of 64 characters", `anna@${"a".repeat(64)}.org`],
  ["255 characters", longMail(255)],
  ["7 kB", `${"a".repeat(7000)}@example.org`],
  ["3500 dots", `${"a.".repeat(3500)}@example.org`],
];

/** A well-formed address of so many characters. */
export function longMail(length: number): string {
  const mail = `anna@${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.`;
  return `${mail}${"d".repeat(length - mail.length - 4)}.org`;
}

/** Passwords that are refused. */
export const badPasswords: readonly (readonly [string, unknown])[] = [
  ["no password", undefined],
  ["a password that is null", null],
  ["a password that is a number", 1234567890123],
  ["a password that is a list", ["x7-Kq!m2"]],
  ["an empty password", ""],
  ["7 characters", "x7-Kq!m"],
  ["7 characters that take two units each", "🦊🐻🐼🐨🐯🦁🐮"],
  ["14 units that are 7 letters", "e\u0301".repeat(7)],
  ["129 characters", "ab3".repeat(43)],
  ["7 kB", "ab3".repeat(2400)],
  ["one of the commonest", "password"],
  ["one of the commonest in capitals", "QWERTYUIOP"],
  ["a common row of digits", "1234567890"],
];

/** Names that are refused. */
export const badNames: readonly (readonly [string, unknown])[] = [
  ["no name", undefined],
  ["a name that is null", null],
  ["a name that is a number", 12345],
  ["a name that is a list", ["Anna"]],
  ["an empty name", ""],
  ["2 characters", "ab"],
  ["17 characters", "a".repeat(17)],
  ["7 kB", "a".repeat(7000)],
  ["digits alone", "12345"],
  ["a blank", "An na"],
  ["a blank behind", "Anna "],
  ["a line end", "Anna\n"],
  ["a NUL", "Anna\0"],
  ["an escape sequence", "Anna\u001b[31m"],
  ["a dash", "An-na"],
  ["a dot", "An.na"],
  ["an @", "anna@example.org"],
  ["a path", "../Anna"],
  ["markup", "<b>Anna</b>"],
  ["a Cyrillic letter among Latin ones", "Аnna"],
  ["Cyrillic letters alone", "Анна"],
  ["full-width letters", "Ａｎｎａ"],
  ["a letter with a mark", "Ánna"],
  ["a letter and a mark", "A\u0301nna"],
  ["a dotless i", "Anıta"],
  ["a long s", "An\u017fa"],
  ["a Kelvin sign", "\u212aarl"],
  ["an invisible character", "An\u200bna"],
  ["a character that turns the direction", "\u202eannA"],
  ["a picture", "Anna🦊"],
  ["a reserved word", "admin"],
  ["a reserved word in another case", "SyStEm"],
  ["a reserved word that is a path", "upload"],
  ["a reserved word that stands in a path before a user", "Cape"],
  ["a reserved word that is ours", "api"],
];

const json = { "content-type": "application/json" };

/** Bodies that no endpoint takes whose body is JSON, with the status that says why. */
export const badBodies: readonly (readonly [string, Partial<Scenario>, number])[] = [
  ["no body", { headers: json }, 400],
  ["broken JSON", { headers: json, body: "{" }, 400],
  ["a list", { json: [] }, 400],
  ["null", { json: null }, 400],
  ["a text", { json: "x" }, 400],
  ["a form", { body: new URLSearchParams({ mail: "anna@example.org" }) }, 415],
  ["JSON that does not say that it is", { headers: { "content-type": "text/plain" }, body: "{}" }, 415],
  ["over 512 KiB", { json: { mail: "x".repeat(600_000) } }, 413],
];
