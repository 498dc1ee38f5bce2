/** The page that the link in mails to everybody opens. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { secretOf, subscriptionNames, unsubscribeLinks } from "../../src/boot/secrets.ts";
import { system } from "../../src/domain/model/actor.ts";
import { refusals } from "../../src/domain/model/refusals.ts";
import { PlainError } from "../../src/kernel/errors.ts";
import { newUuid, type Uuid } from "../../src/kernel/ids.ts";
import { jwtSecret, openHarness, publicUrl, type Harness } from "../support/harness.ts";
import { addMember, type Member } from "../support/members.ts";

const names = subscriptionNames(secretOf(jwtSecret));
const pathFor = (account: Uuid) => unsubscribeLinks("", names)(account);

let harness: Harness;
let anna: Member;
let path: string;
beforeAll(async () => {
  harness = await openHarness();
  anna = await addMember(harness, "Anna");
  path = pathFor(anna.account.uuid);
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => setWants(true));

const setWants = (wants: boolean) =>
  harness.services.transact(system, ({ accounts }) =>
    accounts.updateAccount(anna.account.id, { wantsBulkMail: wants }),
  );
const wants = async () => {
  const found = await harness.services.reads.accounts.findMember({ by: "id", value: anna.account.id });
  return found?.account.wantsBulkMail;
};
const post = (body: RequestInit["body"], headers: Record<string, string> = {}) =>
  harness.fetch(path, { method: "POST", headers, ...(body === undefined ? {} : { body }) });

/** Checks what every page is, and gives its words. */
async function readPage(response: Response, status = 200): Promise<string> {
  const html = await response.text();
  expect(`${response.status} ${html}`).toStartWith(`${status} <!DOCTYPE html>`);
  const style = /<style>(?<style>[^]*)<\/style>/.exec(html)?.groups?.["style"] ?? "";
  const digest = new Bun.CryptoHasher("sha256").update(style).digest("base64");
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "content-security-policy": `default-src 'none'; style-src 'sha256-${digest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  });
  expect(html).not.toMatch(/<script|<img|<link|style=|<[^>]*(?:src|href)=|url\(|@import|undefined|\[object/i);
  return html;
}

describe("opening the page", () => {
  test("shows what it is about, without the whole address, and changes nothing", async () => {
    const before = harness.database.everything();
    const html = await readPage(await harness.fetch(path));
    expect(html).toContain("<h1>Get no more of these mails?</h1>");
    expect(html).toContain("A***@example.org");
    expect(html).not.toContain("Anna@example.org");
    expect(html).toContain("www.example.org");
    expect(harness.database.everything()).toEqual(before);
  });

  test("offers a person who is unsubscribed to subscribe again", async () => {
    await setWants(false);
    const html = await readPage(await harness.fetch(path));
    expect(html).toContain("<h1>You are unsubscribed</h1>");
    expect(html).toContain('<button name="mails" value="again">Subscribe again</button>');
    expect(await wants()).toBe(false);
  });

  test("shows the community's name as it was written", async () => {
    const COMMUNITY_NAME = `<img src=x> & "Ours" & 'theirs'`;
    await using other = await openHarness({ settings: { COMMUNITY_NAME } });
    const { account } = await addMember(other, "Anna");
    const html = await readPage(await other.fetch(pathFor(account.uuid)));
    expect(html).toContain("&lt;img src=x&gt; &amp; &quot;Ours&quot; &amp; &#39;theirs&#39;");
  });

  test.each([
    ["ru", "Больше не получать такие письма?", "Вы отписаны"],
    ["de", "Diese Mails nicht mehr bekommen?", "Die Mails sind abbestellt"],
    ["zh-Hans", "不再接收这类邮件？", "已退订"],
  ] as const)("speaks the language of the account's mails: %s", async (language, looking, ended) => {
    const { account } = await addMember(harness, `Reader_${language.slice(0, 2)}`);
    await harness.services.transact(system, ({ accounts }) =>
      accounts.updateAccount(account.id, { language }),
    );
    const address = pathFor(account.uuid);
    const response = await harness.fetch(address, { headers: { "accept-language": "en" } });
    expect(response.headers.get("content-language")).toBe(language);
    const html = await readPage(response);
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain(`<h1>${looking}</h1>`);
    expect(await readPage(await harness.fetch(address, { method: "POST" }))).toContain(`<h1>${ended}</h1>`);
  });
});

describe("posting ends the mails", () => {
  const multipart = new FormData();
  multipart.set("List-Unsubscribe", "One-Click");
  test.each<readonly [string, RequestInit["body"], Record<string, string>]>([
    ["as mail providers do", new URLSearchParams({ "List-Unsubscribe": "One-Click" }), {}],
    ["as providers that send a multipart form do", multipart, {}],
    ["with no body", undefined, {}],
    ["with an empty body", "", { "content-type": "application/x-www-form-urlencoded" }],
    ["with a body of no type", new TextEncoder().encode("List-Unsubscribe=One-Click"), {}],
    ["with JSON", "{}", { "content-type": "application/json" }],
    ["with what is no multipart form", "x", { "content-type": "multipart/form-data" }],
    ["with bytes that are no text", new Uint8Array([0xff, 0, 0x80]), { "content-type": "image/png" }],
    ["with 16 KiB", "x".repeat(16 * 1024), {}],
  ])("%s", async (_, body, headers) => {
    const html = await readPage(await post(body, headers));
    expect(html).toContain("<h1>You are unsubscribed</h1>");
    expect(await wants()).toBe(false);
  });

  test("by the page's own button", async () => {
    const html = await readPage(await harness.fetch(path));
    const button = /<form method="post"><button name="(?<name>[^"]*)" value="(?<value>[^"]*)">/.exec(html);
    const { name = "", value = "" } = button?.groups ?? {};
    await readPage(await post(new URLSearchParams({ [name]: value })));
    expect(await wants()).toBe(false);
  });

  test("as often as one likes, and takes them up again", async () => {
    await post("");
    await post("");
    expect(await wants()).toBe(false);
    const html = await readPage(await post(new URLSearchParams({ mails: "again" })));
    expect(html).toContain("<h1>You are subscribed again</h1>");
    expect(html).toContain('value="One-Click">Unsubscribe</button>');
    expect(await wants()).toBe(true);
  });

  test("of an account that has changed its address since", async () => {
    const carl = await addMember(harness, "Carl");
    const { id, uuid } = carl.account;
    const address = { mail: "moved@example.net", mailVerified: true };
    await harness.services.transact(system, ({ accounts }) => accounts.updateAccount(id, address));
    const html = await readPage(await harness.fetch(pathFor(uuid), { method: "POST" }));
    expect(html).toContain("m***@example.net");
  });

  test("but not with more than 16 KiB", async () => {
    await readPage(await post("x".repeat(16 * 1024 + 1)), 413);
    expect(await wants()).toBe(true);
  });
});

/** The text with another character in one place. */
const flipped = (text: string, at: number) =>
  text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
const token = () => names.nameOf(anna.account.uuid);

describe("a link that is for no account", () => {
  test.each<readonly [string, () => string]>([
    ["with another account in it", () => flipped(token(), 3)],
    ["with another proof", () => flipped(token(), 30)],
    ["of another installation", () => subscriptionNames(secretOf("x".repeat(32))).nameOf(anna.account.uuid)],
    ["cut off", () => token().slice(0, -1)],
    ["with something after it", () => `${token()}A`],
    ["made of other characters", () => "é".repeat(43)],
    ["an account's UUID", () => anna.account.uuid],
    ["of an account that never was", () => names.nameOf(newUuid())],
    ["as long as an address may be", () => "A".repeat(8000)],
  ])("%s shows a page that says so, and changes nothing", async (_, make) => {
    const before = harness.database.everything();
    const address = `/mail/unsubscribe/${encodeURIComponent(make())}`;
    for (const method of ["GET", "POST"]) {
      const html = await readPage(await harness.fetch(address, { method }), 404);
      expect(html).toContain("<h1>This link does not work</h1>");
      expect(html).not.toContain("<form");
    }
    expect(harness.database.everything()).toEqual(before);
  });

  test.each([
    ["ru-RU,ru;q=0.9", "Эта ссылка не работает"],
    ["de-AT,de;q=0.9", "Dieser Link funktioniert nicht"],
    ["zh-CN,zh;q=0.9", "这个链接无效"],
  ])("speaks the browser's language: %s", async (accepted, title) => {
    const headers = { "accept-language": accepted };
    const html = await readPage(await harness.fetch("/mail/unsubscribe/x", { headers }), 404);
    expect(html).toContain(title);
  });
});

test.each(["GET", "POST"])("%s of an address that is not valid is answered with a page", async (method) => {
  const html = await readPage(await harness.fetch("/mail/unsubscribe/%ff", { method }), 400);
  expect(html).toContain("<h1>This link does not work</h1>");
});

describe("before a route is found", () => {
  test.each(["/mail/unsubscribe", "/mail/unsubscribe/", "/mail/unsubscribe/a/b"])(
    "a link that lost its end is answered with a page: %s",
    async (path) => {
      expect(await readPage(await harness.fetch(path), 404)).toContain("<h1>This link does not work</h1>");
    },
  );

  test.each<readonly [string, string, number, Record<string, string>]>([
    ["DELETE", "/mail/unsubscribe/x", 405, {}],
    ["PUT", "/mail/unsubscribe/x", 405, {}],
    ["POST", "/mail/unsubscribe", 404, {}],
    ["DELETE", "/mail/unsubscribe/a/b", 404, {}],
    ["GET", "/mail/unsubscribe/x", 400, { host: "a, b" }],
    ["GET", "/mail", 404, {}],
  ])(
    "what only programs send is answered with an envelope: %s %s %d",
    async (method, path, status, headers) => {
      const response = await harness.fetch(path, { method, headers });
      const envelope = { error: true, msg: expect.any(String), url: null, data: {} };
      expect([response.status, await response.json()]).toEqual([status, envelope]);
    },
  );

  test("a limit is a page, for people who press its button", async () => {
    await using limited = await openHarness({ settings: { RATE_LIMIT_FACTOR: "0.01" } });
    const send = (body: string) => limited.fetch("/mail/unsubscribe/x", { method: "POST", body });
    const statuses = [];
    for (let sent = 0; sent < 3; sent++) statuses.push((await send("x".repeat(17_000))).status);
    expect(statuses).toEqual([413, 413, 413]);
    const refused = await send("mails=again");
    expect(await readPage(refused, 429)).toContain("<h1>That did not work</h1>");
  });
});

test.each([
  ["en", 7, "Please try again in 7 seconds."],
  ["en", 601, "Please try again in 11 minutes."],
  ["ru", 1, "Попробуйте ещё раз через 1 секунду."],
  ["ru", 3, "Попробуйте ещё раз через 3 секунды."],
  ["de", 7, "Versuch es in 7 Sekunden noch einmal."],
  ["zh-CN", 7, "请在7秒钟后再试。"],
])(
  "a service that is too busy is a page, and says when to try again: %s, %d s",
  async (language, seconds, said) => {
    await using busy = await openHarness();
    const refusal = new PlainError("limited", "Too many changes at once", { retryAfterSeconds: seconds });
    busy.services.reads.accounts.findMember = () => Promise.reject(refusal);
    const headers = { "accept-language": language };
    const response = await busy.fetch(pathFor(newUuid()), { headers });
    expect(response.headers.get("retry-after")).toBe(String(seconds));
    expect(await readPage(response, 429)).toContain(said);
  },
);

test.each([
  ["en", "No space is left on the server&#39;s disk"],
  ["ru", "На диске сервера кончилось место."],
  ["de", "Auf dem Server ist kein Platz mehr."],
  ["zh-CN", "服务器的磁盘空间已用完。"],
])("what stands in the way is said by its code: %s", async (language, said) => {
  await using full = await openHarness();
  full.services.reads.accounts.findMember = () => Promise.reject(refusals.noSpace());
  const response = await full.fetch(pathFor(newUuid()), { headers: { "accept-language": language } });
  expect(await readPage(response, 507)).toContain(`<p>${said}</p>`);
});

test("a fault is a page with a number to ask about", async () => {
  await using broken = await openHarness();
  const bob = await addMember(broken, "Bob");
  broken.services.reads.accounts.findMember = () => Promise.reject(new TypeError("broken"));
  const response = await broken.fetch(pathFor(bob.account.uuid));
  const id = response.headers.get("x-request-id") ?? "";
  expect(id).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
  expect(await readPage(response, 500)).toContain(`this number: ${id}`);
  expect(broken.takeComplaints()).toMatchObject([{ message: "request failed", requestId: id }]);
});

test("a name is as long as a UUID with its proof, and safe in an address", () => {
  const link = unsubscribeLinks(publicUrl, names)(anna.account.uuid);
  expect(link).toMatch(/^https:\/\/skins\.example\.org\/mail\/unsubscribe\/[A-Za-z0-9_-]{43}$/);
  expect(names.read(names.nameOf(anna.account.uuid))).toBe(anna.account.uuid);
});
