/** The end of one's own account, and what a person takes along (docs/contract/home.md#leaving). */
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { removeLeaving } from "../../src/domain/members/leave.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { run } from "../cli/run-program.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addSkin, edit, grantCape, signIn, type Member } from "../support/members.ts";
import { homeStatus, lastMail } from "../support/registration.ts";
import { play } from "../support/scenario.ts";
import { unzip } from "./unzip.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
// What somebody left behind is not in the way of the next test, which may look at later days.
afterEach(async () => {
  harness.clock.advance(7 * day);
  await removeLeaving(harness.services);
});
const day = 24 * 60 * 60;
let count = 0;
const someone = (on: Harness = harness, level: 1 | 3 = 1) =>
  addMember(on, `Leaver${(count += 1)}`, { level });
// So that others may go.
await addMember(harness, "Stays", { level: 3 });

const home = async (on: Harness, authorization: string) =>
  (
    await readJson<Envelope<{ Deletes_at?: number }>>(
      await on.fetch("/api/home", { headers: { authorization } }),
    )
  ).data;
const askToLeave = (on: Harness, member: Member) =>
  edit(on, member, "POST /api/home/delete", { password: member.password });

describe("deletion", () => {
  test("ends all sessions, can be taken back for a week, and shows when it happens", async () => {
    const member = await someone();
    const other = await signIn(harness, member.name, member.password);
    const at = harness.clock.nowSeconds() + 7 * day;
    await play(harness, {
      name: "asks",
      actor: member,
      request: "POST /api/home/delete",
      json: { password: member.password },
      status: 200,
      msg: "Account deletion",
      data: { deletes_at: at },
      mails: [expect.anything()],
    });
    expect(lastMail(harness, member.mail)).toEqual({
      template: "leaving",
      username: member.name,
      time: `${new Date(at * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`,
      link: "https://www.example.org/home",
    });
    expect(await homeStatus(harness, member.jwt)).toBe(401);
    expect((await harness.fetch("/api/home", { headers: { authorization: `Bearer ${other}` } })).status).toBe(
      401,
    );

    const again = {
      ...member,
      authorization: `Bearer ${await signIn(harness, member.name, member.password)}`,
    };
    expect((await home(harness, again.authorization)).Deletes_at).toBe(at);
    await play(harness, { name: "stays", actor: again, request: "DELETE /api/home/delete", status: 204 });
    await play(harness, {
      name: "stays twice",
      actor: again,
      request: "DELETE /api/home/delete",
      status: 204,
    });
    expect(await home(harness, again.authorization)).not.toHaveProperty("Deletes_at");
    harness.clock.advance(8 * day);
    expect(await removeLeaving(harness.services)).toEqual({ removed: 0, kept: 0 });
    await signIn(harness, member.name, member.password);
  });

  test("is shown to operators, who are asked why somebody is leaving", async () => {
    const member = await someone();
    const shown = async (...args: string[]) =>
      (await run(["user", "show", member.name, ...args], { environment: harness.storageSettings })).out;
    expect(JSON.parse(await shown("--json"))).toMatchObject({ deletes_at: null });
    await askToLeave(harness, member);
    const at = harness.clock.nowSeconds() + 7 * day;
    expect(JSON.parse(await shown("--json"))).toMatchObject({ deletes_at: at });
    expect(await shown()).toContain(`deletes_at:      ${new Date(at * 1000).toISOString()}\n`);
  });

  test("happens when its time has come, with audit, and not before", async () => {
    const member = await someone();
    const skin = await addSkin(harness, member, {});
    await askToLeave(harness, member);
    harness.clock.advance(7 * day - 1);
    expect(await removeLeaving(harness.services)).toEqual({ removed: 0, kept: 0 });
    expect((await harness.fetch(`/api/skin/public/${skin}`)).status).toBe(200);
    harness.clock.advance(1);
    expect(await removeLeaving(harness.services)).toEqual({ removed: 1, kept: 0 });
    const { reads } = harness.services;
    expect(await reads.accounts.findMember({ by: "id", value: member.account.id })).toBeNull();
    const [entry] = await reads.audit.listEntries({ after: null, rows: 1, search: null });
    expect(entry).toMatchObject({
      action: "user.delete",
      actor: { name: "system" },
      forAccountId: member.account.id,
    });
  });

  test("is not put off by asking again", async () => {
    const member = await someone();
    const at = harness.clock.nowSeconds() + 7 * day;
    await askToLeave(harness, member);
    harness.clock.advance(day);
    const again = {
      ...member,
      authorization: `Bearer ${await signIn(harness, member.name, member.password)}`,
    };
    const mails = harness.database.mails().length;
    const { data } = await readJson<Envelope<{ deletes_at: number }>>(await askToLeave(harness, again));
    expect(data.deletes_at).toBe(at);
    expect(harness.database.mails()).toHaveLength(mails);
    expect(await homeStatus(harness, again.jwt)).toBe(401);
  });

  test.each([
    ["a wrong password", { password: "not the password" }, 400, "password_wrong"],
    ["no password", {}, 400, "malformed"],
  ])("takes no %s", async (_, json, status, code) => {
    const actor = await someone();
    const response = await edit(harness, actor, "POST /api/home/delete", json);
    expect(response.status).toBe(status);
    if (code !== "malformed") expect(response.headers.get("x-error")).toContain(code);
    expect(await homeStatus(harness, actor.jwt)).toBe(200);
  });

  test("is refused to the last administrator", async () => {
    await using alone = await openHarness();
    const admin = await someone(alone, 3);
    await play(alone, {
      name: "the last one",
      actor: admin,
      request: "POST /api/home/delete",
      json: { password: admin.password },
      status: 409,
      msg: /last administrator/,
    });
  });

  test("does not happen to a person who became the last administrator meanwhile", async () => {
    await using alone = await openHarness();
    const [one, two] = [await someone(alone, 3), await someone(alone, 3)];
    await askToLeave(alone, one);
    await askToLeave(alone, two);
    alone.clock.advance(7 * day);
    expect(await removeLeaving(alone.services)).toEqual({ removed: 1, kept: 1 });
    expect(await removeLeaving(alone.services)).toEqual({ removed: 0, kept: 0 });
    expect(await home(alone, `Bearer ${await signIn(alone, two.name, two.password)}`)).not.toHaveProperty(
      "Deletes_at",
    );
  });

  test("happens at once where no days are left", async () => {
    await using quick = await openHarness({ settings: { ACCOUNT_DELETE_DAYS: "0" } });
    await someone(quick, 3);
    const member = await someone(quick);
    const response = await askToLeave(quick, member);
    expect((await readJson<Envelope<unknown>>(response)).data).toEqual({
      deletes_at: quick.clock.nowSeconds(),
    });
    expect(await quick.services.reads.accounts.findMember({ by: "id", value: member.account.id })).toBeNull();
  });
});

const take = (member: Member, authorization = member.authorization) =>
  harness.fetch("/api/home/export", { headers: { authorization } });
const parsed = (files: ReadonlyMap<string, Buffer>, name: string): unknown =>
  JSON.parse(files.get(name)?.toString("utf8") ?? "null");

describe("one's own export", () => {
  test("holds everything about the person and nothing of others", async () => {
    const member = await someone();
    const other = await someone();
    const skin = await addSkin(harness, member, { name: "Diver" });
    const cape = await grantCape(harness, [member, other]);
    const response = await take(member);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/zip");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename="my-data-[\d-]{10}\.zip"$/,
    );
    const archive = Buffer.from(await response.arrayBuffer());
    const files = unzip(archive);
    const textures = [...files.keys()].filter((name) => name.startsWith("textures/"));
    expect([...files.keys()].filter((name) => !name.startsWith("textures/"))).toEqual([
      "profile.json",
      "sessions.json",
      "audit.json",
      "mails.json",
    ]);
    for (const name of textures) {
      const digest = new Bun.CryptoHasher("sha256").update(files.get(name) ?? "").digest("hex");
      expect(name).toBe(`textures/${digest}.png`);
    }
    expect(parsed(files, "profile.json")).toMatchObject({
      username: member.name,
      uuid: member.uuid,
      mail: member.mail,
      players: [{ uuid: member.uuid, name: member.name, main: true }],
      skins: [{ uuid: skin, name: "Diver", file: expect.stringMatching(/^textures\//) }],
      capes: [{ uuid: cape.uuid, name: cape.name }],
      connections: [],
      aliases: [],
      deletes_at: null,
    });
    expect(parsed(files, "sessions.json")).toMatchObject([{ kind: "web", methods: ["password"] }]);
    expect(parsed(files, "audit.json")).toMatchObject([{ action: "user.create", by_you: false }]);
    expect(parsed(files, "mails.json")).toEqual([]);
    const all = [...files.values()].map((file) => file.toString("latin1")).join("\n");
    const { passwordHash } = member.account;
    for (const secret of [
      other.name,
      other.mail,
      passwordHash ?? "",
      member.jwt,
      "cli",
      ...harness.database.secrets(),
    ])
      expect(all.includes(secret) ? secret : null).toBeNull();
  });

  test("has the mails to an address that was shown to be theirs, without their contents", async () => {
    const member = await someone();
    await edit(harness, member, "PATCH /api/home/edit/password", {
      password: member.password,
      newpassword: "another password of mine",
    });
    const files = unzip(Buffer.from(await (await take(member)).arrayBuffer()));
    expect(parsed(files, "mails.json")).toMatchObject([{ kind: "password-changed", state: "waiting" }]);
  });

  test("takes a sign-in of the last 15 minutes", async () => {
    const member = await someone();
    harness.clock.advance(15 * 60 + 1);
    const response = await take(member);
    expect(response.status).toBe(403);
    expect(response.headers.get("x-error")).toContain("sign_in_too_old");
    expect((await take(member, `Bearer ${await signIn(harness, member.name, member.password)}`)).status).toBe(
      200,
    );
  });

  test("is given three times a day", async () => {
    await using limited = await openHarness({ settings: { RATE_LIMIT_FACTOR: "1" } });
    const member = await someone(limited);
    const statuses: number[] = [];
    for (let time = 0; time < 4; time++) {
      const response = await limited.fetch("/api/home/export", {
        headers: { authorization: member.authorization },
      });
      statuses.push(response.status);
      await response.arrayBuffer();
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(
      (
        await limited.fetch("/api/home/export", {
          method: "HEAD",
          headers: { authorization: member.authorization },
        })
      ).status,
    ).toBe(200);
  });

  test("ends when its session does", async () => {
    const member = await someone();
    const response = await take(member);
    const reader = response.body?.getReader();
    await reader?.read();
    await edit(harness, member, "POST /api/home/delete", { password: member.password });
    const rest = async () => {
      for (;;) if ((await reader?.read())?.done !== false) return "complete";
    };
    expect(await rest().catch(() => "broken off")).toBe("broken off");
    expect(harness.takeComplaints()).toHaveLength(1);
  });
});
