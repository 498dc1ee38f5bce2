/** A person takes over an account that came from another system without mail address and password. */
import { describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { removeUnconfirmed } from "../../src/domain/accounts/unconfirmed.ts";
import { updateUser } from "../../src/domain/members/administer.ts";
import { startHousekeeping } from "../../src/jobs/housekeeping.ts";
import { openHarness, type Harness, type HarnessOptions } from "../support/harness.ts";
import {
  addAlias,
  addMember,
  addNameless,
  issueCodes,
  makeClaimable,
  signIn,
  type Member,
} from "../support/members.ts";
import {
  asked,
  badCodes,
  codePattern,
  lastCode,
  lastMail,
  orderCode,
  profileOf,
  send,
  signInStatus,
} from "../support/registration.ts";

const mail = "anna@example.net";
const password = "x7-Kq!m2-racer";
const day = 24 * 60 * 60;

/** A harness with Anna, who is to claim her account, and her code. */
async function openWith(options: HarnessOptions = {}) {
  const harness = await openHarness(options);
  const anna = await addMember(harness, "Anna");
  makeClaimable(harness, anna);
  const [{ code } = { code: "" }] = await issueCodes(harness);
  return { harness, anna, code, [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose]() };
}

const claim = (harness: Harness, body: Readonly<Record<string, unknown>>) =>
  send(harness, "POST /api/auth/claim", { mail, password, ...body });
const statusOf = async (harness: Harness, code: string, body: Readonly<Record<string, unknown>> = {}) =>
  (await claim(harness, { code, ...body })).status;
const homeOf = async (harness: Harness, login: string) =>
  profileOf(harness, { authorization: `Bearer ${await signIn(harness, login, password)}` });
const sweep = ({ services }: Harness) => removeUnconfirmed(services, null);

describe("a claim", () => {
  test("sets address and password, and opens no session", async () => {
    await using world = await openWith();
    const { harness, code } = world;
    expect(code.replace(/^.{5}/, "$&-")).toMatch(codePattern);
    const answer = await claim(harness, { code });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      error: false,
      msg: "Account claimed; a code was mailed to the address",
      url: "https://www.example.org/confirm",
      data: { username: "Anna" },
    });
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(harness.countRows("sessions")).toBe(0);
    for (const login of ["Anna", mail, "ANNA@example.net"])
      expect(await homeOf(harness, login)).toMatchObject({
        Username: "Anna",
        Mail: mail,
        Mail_verification: 0,
      });
  });

  test("mails a code that confirms the address", async () => {
    await using world = await openWith();
    const { harness, code } = world;
    await claim(harness, { code });
    expect(lastMail(harness, mail)).toMatchObject({ template: "claim", username: "Anna", ...asked });
    const confirmed = await send(harness, "POST /api/auth/confirm", { code: lastCode(harness, mail) });
    expect(confirmed.status).toBe(200);
    expect(await homeOf(harness, mail)).toMatchObject({ Mail: mail, Mail_verification: 1 });
    expect(harness.countRows("codes")).toBe(0);
  });

  test("sets the language of the browser", async () => {
    await using world = await openWith();
    const { harness, code } = world;
    await send(harness, "POST /api/auth/claim", { code, mail, password }, { "accept-language": "de" });
    expect(harness.database.mails().at(-1)).toMatchObject({ to: mail, language: "de" });
    expect(await homeOf(harness, mail)).toMatchObject({ Language: "de" });
  });

  test("lasts thirty days, through housekeeping, and no longer", async () => {
    await using world = await openWith();
    const { harness, code } = world;
    harness.clock.advance(30 * day - 1);
    await keepHouse(harness);
    expect(harness.countRows("codes")).toBe(1);
    expect(await statusOf(harness, code, { mail: "no address" })).toBe(400);
    harness.clock.advance(1);
    expect(await statusOf(harness, code)).toBe(400);
    harness.clock.advance(1);
    await keepHouse(harness);
    expect(harness.countRows("codes")).toBe(0);
  });

  test("is refused for what is no code of one, in the same words", async () => {
    await using world = await openWith();
    const { harness, code } = world;
    const others = [
      ["the code of a registration", await orderCode(harness, "confirm", "new@example.org")],
      ["the code of a reset", await orderCode(harness, "reset", (await addMember(harness, "Berta")).mail)],
    ] as const;
    for (const [what, bad] of [...badCodes(code), ...others]) {
      const answer = await claim(harness, { code: bad });
      expect({ what, status: answer.status }).toEqual({ what, status: 400 });
    }
    expect(await statusOf(harness, code)).toBe(200);
  });

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ["a malformed address", { mail: "anna@" }],
    ["an address of two lines", { mail: "anna@example.net\nBcc: all@example.net" }],
    ["a short password", { password: "short" }],
    ["a common password", { password: "password1" }],
    ["no password", { password: undefined }],
  ])("with %s is 400, and uses nothing up", async (_, body) => {
    await using world = await openWith();
    const { harness, code } = world;
    expect(await statusOf(harness, code, body)).toBe(400);
    expect(await statusOf(harness, code)).toBe(200);
  });

  test("is tried twenty times a minute from an address", async () => {
    await using world = await openWith({ settings: { RATE_LIMIT_FACTOR: "1" } });
    const { harness, code } = world;
    for (let tries = 1; tries <= 20; tries++) expect(await statusOf(harness, "ABCDE-12345")).toBe(400);
    expect(await statusOf(harness, code)).toBe(429);
    harness.clock.advance(61);
    expect(await statusOf(harness, code)).toBe(200);
  });

  test.each<[string, (harness: Harness, anna: Member) => Promise<unknown>]>([
    ["a password", ({ services }) => change(services, { password })],
    ["an address", ({ services }) => change(services, { mail: "anna@example.org" })],
    [
      "a social account",
      async ({ database }, { account }) =>
        database.change(
          `INSERT INTO identities (account_id, provider, issuer, subject, username, avatar, linked_at) VALUES (${account.id}, 'discord', 'x', '1', 'anna', '', 1)`,
        ),
    ],
  ])("is over once the account has %s", async (_, give) => {
    await using world = await openWith();
    const { harness, anna, code } = world;
    await give(harness, anna);
    expect(await statusOf(harness, code)).toBe(400);
    expect(await issueCodes(harness)).toEqual([]);
  });

  test("with an address of another account is 409, and uses nothing up", async () => {
    await using world = await openWith();
    const { harness, code } = world;
    const berta = await addMember(harness, "Berta");
    expect(await statusOf(harness, code, { mail: "BERTA@example.org" })).toBe(409);
    expect(await signInStatus(harness, berta.mail, berta.password)).toBe(200);
    expect(await statusOf(harness, code)).toBe(200);
  });

  test("with an address that waits for its confirmation leaves it there until the mailbox answers", async () => {
    await using world = await openWith();
    const { harness, code } = world;
    const other = await orderCode(harness, "confirm", mail, "another password of hers");
    expect(await statusOf(harness, code)).toBe(200);
    expect(await homeOf(harness, "Anna")).toMatchObject({ Mail: "" });
    const own = lastCode(harness, mail);
    expect(own).not.toBe(other);
    expect((await send(harness, "POST /api/auth/confirm", { code: own })).status).toBe(200);
    expect(await homeOf(harness, mail)).toMatchObject({ Username: "Anna", Mail_verification: 1 });
    expect((await send(harness, "POST /api/auth/confirm", { code: other })).status).toBe(400);
  });
});

describe("where answers are uniform, a claim", () => {
  const settings = { PRIVACY_UNIFORM_ANSWERS: "true" };

  test("answers alike for a free address and for one that an account owns", async () => {
    const seen = [];
    for (const given of ["Berta@example.org", "free@example.org"]) {
      await using world = await openWith({ settings });
      const { harness, code } = world;
      await addMember(harness, "Berta");
      const answer = await claim(harness, { code, mail: given });
      seen.push({
        status: answer.status,
        body: await answer.json(),
        byMail: await signInStatus(harness, given, password),
        profile: { ...(await homeOf(harness, "Anna")), Uuid: "" },
        again: await statusOf(harness, code),
      });
      const template = given === "Berta@example.org" ? "address-taken" : "claim";
      expect(lastMail(harness, given).template).toBe(template);
    }
    expect(seen[0]).toMatchObject({ status: 200, byMail: 401, profile: { Mail: "" }, again: 400 });
    expect(seen[0]).toEqual(seen[1]);
  });

  test("gets its address by the code in the mail", async () => {
    await using world = await openWith({ settings });
    const { harness, code } = world;
    await claim(harness, { code });
    await send(harness, "POST /api/auth/confirm", { code: lastCode(harness, mail) });
    expect(await homeOf(harness, mail)).toMatchObject({ Username: "Anna", Mail: mail, Mail_verification: 1 });
  });

  test("loses its address to an account that took it first", async () => {
    await using world = await openWith({ settings });
    const { harness, code } = world;
    await claim(harness, { code });
    const own = lastCode(harness, mail);
    harness.clock.advance(120);
    await change(
      harness.services,
      { mail: "elsewhere@example.org" },
      (await addMember(harness, "Berta")).uuid,
    );
    await change(harness.services, { mail }, "Berta");
    expect((await send(harness, "POST /api/auth/confirm", { code: own })).status).toBe(409);
    expect(await homeOf(harness, "Anna")).toMatchObject({ Mail: "" });
  });
});

describe("an account without a player", () => {
  test("is claimed, is never swept, and chooses its name at the first sign-in", async () => {
    await using harness = await openHarness();
    const nameless = await addNameless(harness, "old_login");
    makeClaimable(harness, nameless);
    const [{ code } = { code: "" }] = await issueCodes(harness);
    expect(await statusOf(harness, code)).toBe(200);
    harness.clock.advance(8 * day);
    expect((await sweep(harness)).removed).toBe(0);
    const authorization = `Bearer ${await signIn(harness, mail, password)}`;
    expect(await signInStatus(harness, "old_login", password)).toBe(200);
    const named = { username: "Anna", password };
    const finished = await send(harness, "POST /api/home/registerfinish", named, { authorization });
    expect(finished.status).toBe(200);
    expect(await homeOf(harness, "Anna")).toMatchObject({ Username: "Anna", Mail_verification: 0 });
  });

  test.each<[string, Parameters<typeof updateUser>[2]["change"]]>([
    ["another password", { password: "another password of hers" }],
    ["an address", { mail }],
  ])("is not swept after staff gave it %s", async (_, given) => {
    await using harness = await openHarness();
    const nameless = await addNameless(harness, "old_login");
    await change(harness.services, given, String(nameless.account.id));
    harness.clock.advance(8 * day);
    expect((await sweep(harness)).removed).toBe(0);
    expect(await signInStatus(harness, "old_login", given.password ?? nameless.password)).toBe(200);
  });
});

describe("codes of claims", () => {
  test("replace those before, for accounts of the source that are still to be claimed", async () => {
    await using world = await openWith();
    const { harness, code } = world;
    makeClaimable(harness, await addMember(harness, "Berta"));
    makeClaimable(harness, await addMember(harness, "Clara"), "another source");
    const nameless = await addNameless(harness, "z_login");
    addAlias(harness, nameless.account, "a_login");
    makeClaimable(harness, nameless);
    await addMember(harness, "Dora");
    const again = await issueCodes(harness);
    expect(again.map(({ name }) => name).toSorted()).toEqual(["Anna", "Berta", "a_login"]);
    expect(await statusOf(harness, code)).toBe(400);
    expect(await statusOf(harness, again.find(({ name }) => name === "Anna")?.code ?? "")).toBe(200);
    expect((await issueCodes(harness)).map(({ name }) => name).toSorted()).toEqual(["Berta", "a_login"]);
  });

  test("are one for an account that several records of the source became", async () => {
    await using world = await openWith();
    const { harness, anna } = world;
    for (const key of ["users:a", "users:b", "users:c"])
      harness.database.change(
        `INSERT INTO import_links (source, kind, key, local_id) VALUES ('old', 'account', '${key}', ${anna.account.id})`,
      );
    expect(await issueCodes(harness)).toHaveLength(1);
  });

  test("are audited, with how many they are", async () => {
    await using world = await openWith();
    await issueCodes(world.harness, "a source without anybody");
    const { rows } = world.harness.database;
    const entries = rows("SELECT issuer, detail FROM audit_entries WHERE action = 'import.claims'");
    expect(entries).toEqual([{ issuer: "cli", detail: JSON.stringify({ name: "old", accounts: 1 }) }]);
  });

  test("are kept as hashes alone", async () => {
    await using world = await openWith();
    const { harness, code } = world;
    expect(JSON.stringify(harness.database.everything())).not.toContain(code);
  });
});

function change(
  services: Harness["services"],
  given: Parameters<typeof updateUser>[2]["change"],
  identifier = "Anna",
) {
  return updateUser(services, commandLine, { identifier, change: given });
}

/** Has the leader remove what is over. */
async function keepHouse({ services, log }: Harness): Promise<void> {
  await using _ = startHousekeeping({ ...services, log });
}
