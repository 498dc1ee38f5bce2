/*
 * One series of changes: each use case that changes anything, works that fail, and processes that are killed.
 */
import { join } from "node:path";
import { keepWebhooks } from "../../src/domain/events/deliver-events.ts";
import { removeUnconfirmed } from "../../src/domain/accounts/unconfirmed.ts";
import { pruneEvents } from "../../src/domain/events/prune-events.ts";
import { expireGrants } from "../../src/domain/members/grants.ts";
import { expireTemporaryLevels } from "../../src/domain/members/levels.ts";
import { system } from "../../src/domain/model/actor.ts";
import type { Tx } from "../../src/domain/ports/unit-of-work.ts";
import { deliverEvents } from "../../src/domain/events/deliver-events.ts";
import { newUuid, type Uuid } from "../../src/kernel/ids.ts";
import { run } from "../cli/run-program.ts";
import { capeForm } from "../support/capes.ts";
import type { Harness } from "../support/harness.ts";
import { addMember, allowPlayers, playerOf, signIn, uploadForm, type Member } from "../support/members.ts";
import { lastCode, send } from "../support/registration.ts";
import { link } from "../http/openapi-world.ts";
import { bitmapHash, capePng, skinBitmap, skinPng } from "../support/textures.ts";
import { signInToGame } from "../yggdrasil/world.ts";
import type { Recorder } from "./recorder.ts";

export const serviceToken = "the token of a service that is long enough";
const password = "a password that is long enough";

/** A member who signs in again. */
type Signed = Omit<Member, "authorization"> & { authorization: string };

/** Plays the series and writes it down. */
export async function playSeries(harness: Harness, { step }: Recorder): Promise<void> {
  const { services, clock } = harness;
  const { reads, transact } = services;
  const asked = (
    title: string,
    member: Member | { readonly authorization: string } | null,
    request: string,
    json?: unknown,
  ) =>
    step(`${title}: ${request.replaceAll(/[0-9a-f-]{32,}/g, "*").replaceAll(/\/\d+/g, "/*")}`, () =>
      send(harness, request, json, member === null ? {} : { authorization: member.authorization }),
    );
  const inStore = (title: string, work: (tx: Tx) => Promise<unknown>) =>
    step(title, () => transact(system, async (tx) => void (await work(tx))));
  const sent = (title: string, { authorization }: Member, path: string, body: FormData) =>
    step(title, () => harness.fetch(path, { method: "POST", headers: { authorization }, body }));
  const uploads = (title: string, member: Member, seed: number, name: string) =>
    sent(title, member, "/api/home/edit/upload", uploadForm({ file: skinPng(seed), name, slim: "false" }));
  const skinsOf = async ({ account }: Member) => reads.textures.listSkins(account.id);
  const skinOf = async (member: Member, name: string): Promise<Uuid> => {
    const found = (await skinsOf(member)).find((skin) => skin.name === name);
    if (found === undefined) throw new Error(`there is no skin ${name}`);
    return found.uuid;
  };
  const capeOf = async (name: string) => {
    const found = (await reads.textures.listAllCapes({ after: null, rows: 100, search: name }))[0];
    if (found === undefined) throw new Error(`there is no cape ${name}`);
    return found;
  };
  const member = async (name: string, options: Parameters<typeof addMember>[2] = {}): Promise<Member> => {
    const made: Member[] = [];
    await step(
      `${name} gets an account and signs in`,
      async () => void made.push(await addMember(harness, name, options)),
    );
    const [one] = made;
    if (one === undefined) throw new Error(`no account of ${name} was made`);
    return one;
  };
  const tick = (seconds = 5) => clock.advance(seconds);

  // Registration, sessions and the account itself.
  const chief: Signed = { ...(await member("Chief", { level: 3 })) };
  const alice = await member("Alice");
  const bob = await member("Bob");
  const forgetful = await member("Carol");
  const unready = await member("unready", { finished: false });
  tick();
  await asked("registers", null, "POST /api/auth/register", { mail: "nina@example.org", password });
  await asked("confirms", null, "POST /api/auth/confirm", { code: lastCode(harness, "nina@example.org") });
  await asked("registers and does not confirm", null, "POST /api/auth/register", {
    mail: "late@example.org",
    password,
  });
  await asked("finishes", unready, "POST /api/home/registerfinish", { username: "Unready", password });
  await asked("finishes again", unready, "POST /api/home/registerfinish", { username: "Unready2", password });
  await asked("forgets", null, "POST /api/auth/forgetpass", { mail: forgetful.mail });
  await asked("looks at the code", null, "POST /api/auth/forgetpass/validate", {
    code: lastCode(harness, forgetful.mail),
  });
  await asked("resets", null, "POST /api/auth/forgetpass/update", {
    code: lastCode(harness, forgetful.mail),
    password,
  });
  const carol: Signed = { ...forgetful, password };
  await step("signs in", async () => {
    carol.authorization = `Bearer ${await signIn(harness, "Carol", password)}`;
  });
  await asked("signs in wrongly", null, "POST /api/auth/login", {
    username: "Carol",
    password: "a wrong password",
  });
  await asked("changes the password", bob, "PATCH /api/home/edit/password", {
    password: bob.password,
    newpassword: password,
  });
  await asked("asks for another address", alice, "POST /api/home/mail/request", {
    mail: "alice@second.example",
    password: alice.password,
  });
  await asked("takes the other address", alice, "POST /api/home/mail/validate", {
    code: lastCode(harness, "alice@second.example"),
    password: alice.password,
  });
  await asked("chooses a language", alice, "PATCH /api/home/edit/language", { language: "zh-Hans" });
  await step("links a social account", () => link(harness, alice, { provider: "discord", subject: "7" }));
  await asked("unlinks it", alice, "POST /api/home/edit/removesocial", { password: alice.password });
  await step("signs in to the game", () => signInToGame(harness, alice.name, alice.password));
  tick(600);

  // What a member does with names, skins and players.
  await asked("renames", alice, "PATCH /api/home/edit/username", {
    username: "Alicia",
    password: alice.password,
  });
  await asked("takes a name that is taken", alice, "PATCH /api/home/edit/username", {
    username: "Bob",
    password: alice.password,
  });
  await asked("takes the old name back", alice, "PATCH /api/home/edit/username", {
    username: "alice",
    password: alice.password,
  });
  await uploads("uploads the first skin", alice, 1, "First");
  await uploads("uploads a second one at once", alice, 2, "Second");
  tick();
  await uploads("uploads a third one", alice, 3, "Third");
  await uploads("has the same bitmap", bob, 2, "First of Bob");
  tick();
  const first = await skinOf(alice, "First");
  const second = await skinOf(alice, "Second");
  await asked("selects", alice, "POST /api/home/edit/skin/select", { skinid: second });
  await asked("selects within a second", alice, "POST /api/home/edit/skin/select", { skinid: first });
  clock.advance(1);
  await asked("selects a second later", alice, "POST /api/home/edit/skin/select", { skinid: second });
  clock.advance(2);
  await asked("selects two seconds later", alice, "POST /api/home/edit/skin/select", { skinid: first });
  await asked("selects the same", alice, "POST /api/home/edit/skin/select", { skinid: first });
  tick();
  await asked("edits a name", alice, "PUT /api/home/edit/skin", { skinid: first, name: "First Renamed" });
  await asked("edits arms", alice, "PUT /api/home/edit/skin", { skinid: first, slim: true });
  await asked("edits a skin that is not worn", alice, "PUT /api/home/edit/skin", {
    skinid: second,
    slim: true,
  });
  await step("may have players", () => allowPlayers(harness, alice));
  await asked("makes a second player", alice, "POST /api/home/players", { name: "Alice_Second" });
  const others = await reads.players.list(alice.account.id);
  const other = others.at(-1)?.uuid ?? "";
  tick();
  await asked("dresses it", alice, `PATCH /api/home/players/${other}`, { skinid: first });
  await asked("shares its skin", alice, `PATCH /api/home/players/${other}`, { shares_skin: true });
  await asked("copies a shared skin", carol, "POST /api/home/edit/skin/copy", { player: other });
  tick();
  await asked("renames it", alice, `PATCH /api/home/players/${other}`, {
    name: "Alice_Renamed",
    password: alice.password,
  });
  tick();

  // Capes.
  await sent(
    "uploads a cape for two",
    chief,
    "/api/admin/user/cape/upload",
    capeForm({
      name: "Founders",
      cape: capePng(1),
      owners: `${alice.account.id}, ${bob.account.id}`,
    }),
  );
  await sent(
    "uploads one with wings",
    chief,
    "/api/admin/user/cape/upload",
    capeForm({ name: "Gilded", cape: capePng(2, { wings: true }) }),
  );
  await sent(
    "uploads one that ends",
    chief,
    "/api/admin/user/cape/upload",
    capeForm({
      name: "Summer",
      cape: capePng(3),
      owners: String(alice.account.id),
      expired_at: new Date((clock.nowSeconds() + 3_600) * 1_000).toISOString(),
    }),
  );
  const founders = await capeOf("Founders");
  const gilded = await capeOf("Gilded");
  const summer = await capeOf("Summer");
  await asked("links it to a skin", alice, "PUT /api/home/edit/skin", {
    skinid: first,
    cloakid: founders.uuid,
  });
  tick();
  await asked("a player wears its own", alice, `PATCH /api/home/players/${other}`, { cloakid: summer.uuid });
  tick();
  await asked("a player hides it", alice, `PATCH /api/home/players/${alice.uuid}`, { cloakid: "" });
  tick();
  await asked("a player shows it again", alice, `PATCH /api/home/players/${alice.uuid}`, { cloakid: null });
  tick();
  await asked("grants by list", chief, `POST /api/admin/cape/${gilded.uuid}/owners`, {
    who: [bob.account.id, carol.account.id],
  });
  await asked("grants to everybody", chief, `POST /api/admin/cape/${gilded.uuid}/owners`, {
    who: "everybody",
  });
  await asked("grants one", chief, `POST /api/admin/user/cape/${carol.account.id}`, {
    user: carol.account.id,
    cape: [founders.id, gilded.id],
  });
  const bobsSkin = await skinOf(bob, "First of Bob");
  await asked("links another", bob, "PUT /api/home/edit/skin", { skinid: bobsSkin, cloakid: gilded.uuid });
  tick();
  const service = { authorization: serviceToken };
  await asked("a service grants", service, "POST /api/service/cape", {
    userid: bob.account.id,
    cape: summer.uuid,
  });
  await asked("a service revokes", service, "DELETE /api/service/cape", {
    userid: bob.account.id,
    cape: gilded.id,
  });
  await asked("a service gives a level", service, "POST /api/service/permission", {
    userid: bob.account.id,
    permission: 2,
    expired_at: clock.nowSeconds() + 7_200,
  });
  tick();
  await asked("takes a cape from some", chief, `DELETE /api/admin/cape/${founders.uuid}/owners`, {
    who: [bob.account.id, alice.account.id],
  });
  tick();
  await asked("deletes a cape", chief, "DELETE /api/admin/user/cape/upload", { capeid: summer.uuid });
  tick();

  // Staff.
  const aliceId = alice.account.id;
  await asked("changes an account", chief, `PATCH /api/admin/user/${aliceId}`, {
    username: "ALICE",
    mail: "alice@third.example",
  });
  await asked("gives a player", chief, `POST /api/admin/user/${carol.account.id}/players`, {
    name: "Carol_Second",
  });
  await asked("gives a player a uuid", chief, `POST /api/admin/user/${carol.account.id}/players`, {
    name: "Carol_Third",
    uuid: "3f1c9a52-7d0e-4b86-a2c4-5e6f7a8b9c0d",
  });
  tick();
  await asked("changes a uuid", chief, `PATCH /api/admin/players/${other}`, {
    uuid: "4f1c9a52-7d0e-4b86-a2c4-5e6f7a8b9c0d",
  });
  tick();
  await asked("changes a name", chief, "PATCH /api/admin/players/4f1c9a52-7d0e-4b86-a2c4-5e6f7a8b9c0d", {
    name: "Alice_Third",
  });
  await asked("gives a uuid that is taken", chief, `PATCH /api/admin/players/${bob.uuid}`, {
    uuid: alice.uuid,
  });
  await asked("deletes a player", chief, "DELETE /api/admin/players/3f1c9a52-7d0e-4b86-a2c4-5e6f7a8b9c0d");
  await asked("gives a level", chief, `POST /api/admin/user/role/${carol.account.id}`, {
    user: carol.account.id,
    role_level: 2,
    expired_at: new Date((clock.nowSeconds() + 3_600) * 1_000).toISOString(),
  });
  await asked("moderates arms", chief, `PATCH /api/admin/skin/${first}`, {
    slim: false,
    name: "First moderated",
    cloakid: null,
  });
  tick();
  await asked("removes a skin", chief, `DELETE /api/admin/skin/${await skinOf(alice, "Third")}`, {
    reason: "rude",
  });
  await asked("bans a bitmap", chief, `DELETE /api/admin/skin/${first}`, { ban: true, reason: "rude" });
  await uploads("uploads what is banned", carol, 1, "Banned");
  await asked("lifts the ban", chief, `DELETE /api/admin/bans/${bitmapHash(skinBitmap(1))}`);
  tick();
  await uploads("uploads what was banned", carol, 1, "Lifted");
  await asked("ends sessions", chief, `DELETE /api/admin/user/${carol.account.id}/sessions`);
  await asked("makes a token", chief, "POST /api/admin/tokens", {
    name: "web-shop",
    rights: ["find", "cape"],
  });
  await asked("revokes it", chief, "DELETE /api/admin/tokens/web-shop");
  await asked("mails everybody", chief, "POST /api/admin/mail", {
    subject: "News",
    message: "The server moves.",
  });
  await asked("mails on trial", chief, "POST /api/admin/mail/trial", {
    subject: "More news",
    message: "It moves.",
  });
  await asked("mails a test", chief, "POST /api/admin/outbox/test", {});
  for (const state of ["sent", "failed", "waiting"] as const)
    await inStore(`a mail is ${state}`, async ({ outbox, now }) => {
      const mail = await outbox.claimDue(["bulk"], now, now + 60);
      if (mail === null) throw new Error("no mail is due");
      await outbox.recordResult(mail.id, { state, dueAt: now + 60, reply: "250 or 550" });
    });
  tick();

  // Addresses that get events.
  const url = "http://127.0.0.1:9/hooks";
  const deliver = {
    ...services,
    counts: services.webhookTargets.counts,
    log: harness.log,
    secret: "whsec_c2VjcmV0IHRoYXQgaXMgbG9uZyBlbm91Z2g=",
    publicUrl: "https://skins.example.org",
  };
  await step("an address is added", () => keepWebhooks(services, [url]));
  await step("an event is delivered", async () => {
    await deliverEvents({ ...deliver, send: async () => null }, url, new AbortController().signal);
  });
  await step("the address is taken away", () => keepWebhooks(services, []));

  const housekeeping = async () => {
    await expireTemporaryLevels(services);
    await expireGrants(services);
    await removeUnconfirmed(services, null);
    await pruneEvents({ ...services, log: harness.log });
    await transact(system, ({ sessions, now }) => sessions.deleteExpiredSessions(now, now + 600));
  };
  await playStoreChanges();
  await playFailures();
  await playCommands();

  // What ends by itself.
  tick(8_000);
  await step("levels and grants end", () => housekeeping());
  tick(30 * 86_400);
  await step("a month goes by", () => housekeeping());

  // The end of accounts.
  chief.authorization = `Bearer ${await signIn(harness, chief.name, chief.password)}`;
  await asked("deletes an account", chief, `DELETE /api/admin/user/${bob.account.id}`);
  await asked("deletes one that has two players", chief, `DELETE /api/admin/user/${alice.account.id}`);
  await asked("deletes one without a name", chief, "DELETE /api/admin/user/nina@example.org");
  await asked("deletes the last cape", chief, "DELETE /api/admin/user/cape/upload", { capeid: gilded.uuid });

  async function playStoreChanges(): Promise<void> {
    const { id } = await playerOf(harness, bob);
    const [skin] = await skinsOf(bob);
    if (skin === undefined) throw new Error("Bob has no skin");
    await inStore("a work that undoes its changes", async ({ players }) => {
      await players.selectSkin(id, null);
      await players.selectSkin(id, skin.id);
    });
    await inStore("a work that changes much", async ({ players, textures, accounts }) => {
      await players.selectSkin(id, null);
      await textures.updateSkin(skin.id, { model: "slim", capeId: gilded.id });
      await players.renamePlayer(id, "Bobby");
      await players.selectSkin(id, skin.id);
      await players.wearCape(id, gilded.id);
      await players.renamePlayer(id, "Bob");
      await accounts.updateAccount(bob.account.id, { mail: "bobby@example.org" });
    });
    tick();
    await inStore("a player that is made and dressed", async ({ players }) => {
      const made = await players.insertPlayer({
        uuid: "5f1c9a52-7d0e-4b86-a2c4-5e6f7a8b9c0d" as Uuid,
        accountId: bob.account.id,
        name: "Bob_Second",
        createdAt: clock.nowSeconds(),
      });
      await players.selectSkin(made.id, skin.id);
    });
    await inStore("a player that is made and deleted", async ({ players }) => {
      const made = await players.insertPlayer({
        uuid: "6f1c9a52-7d0e-4b86-a2c4-5e6f7a8b9c0d" as Uuid,
        accountId: bob.account.id,
        name: "Bob_Third",
        createdAt: clock.nowSeconds(),
      });
      await players.selectSkin(made.id, skin.id);
      await players.deletePlayer(made.id);
    });
    tick();
    await inStore("a uuid that changes twice", async ({ players }) => {
      await players.setUuid(id, "7f1c9a52-7d0e-4b86-a2c4-5e6f7a8b9c0d" as Uuid);
      await players.setUuid(id, bob.uuid as Uuid);
    });
    tick();
    await inStore("wings are taken off", ({ textures }) => textures.setWings(gilded.id, null));
    await inStore("capes are unlinked", ({ textures }) =>
      textures.unlinkCapes([bob.account.id], [gilded.id]),
    );
    await inStore("an account that is made and deleted", async ({ accounts }) => {
      const made = await accounts.insertAccount({
        uuid: newUuid(),
        mail: "brief@example.org",
        registration: "unconfirmed",
        mailVerified: false,
        passwordHash: null,
        permanentLevel: 1,
        language: "en",
        createdAt: clock.nowSeconds(),
      });
      await accounts.updateAccount(made.id, { registration: "complete" });
      await accounts.updateAccount(made.id, { registration: "unconfirmed" });
      await accounts.deleteAccount(made.id);
    });
    await inStore("skins of a bitmap are deleted", ({ textures }) =>
      textures.deleteSkinsShowing(skin.texture.hash, 2),
    );
    tick();
  }

  async function playFailures(): Promise<void> {
    carol.authorization = `Bearer ${await signIn(harness, "Carol", password)}`;
    const player = await playerOf(harness, carol);
    const all = async ({ players, textures, accounts, audit, mail }: Tx) => {
      await players.selectSkin(player.id, null);
      await players.renamePlayer(player.id, "Never_Named");
      for (const { id } of await textures.listSkins(carol.account.id)) await textures.deleteSkin(id);
      await textures.deleteCape(gilded.id);
      audit("user.delete", carol.account.id, { old: { uuid: player.uuid, username: "Carol", mail: null } });
      await mail({ mail: "never@example.org", language: "en" }, { template: "test" });
      await accounts.deleteAccount(carol.account.id);
    };
    await inStore("a work that fails after all of it", async (tx) => {
      await all(tx);
      throw new Error("no");
    });
    await inStore("the next work", ({ players }) => players.noteRename(player.id, 1));
    await inStore("a work that fails in the database", async (tx) => {
      await all(tx);
      await tx.textures.grantCapes({
        accounts: [4711 as never],
        capes: [4711 as never],
        grantedAt: 1,
        expiresAt: null,
      });
    });
    await asked("the next change", carol, "PATCH /api/home/edit/language", { language: "de" });
    await step("a process is killed in the middle", () => killedWriter("Carol"));
    await uploads("the change after it", bob, 77, "After the kill");
    tick();
  }

  /** Kills another process when it has changed all that it will. */
  async function killedWriter(name: string): Promise<void> {
    const written = Promise.withResolvers<void>();
    const writer = Bun.spawn([process.execPath, join(import.meta.dir, "killed-writer.ts"), name], {
      env: { PATH: process.env["PATH"], ...harness.storageSettings },
      stdio: ["ignore", "inherit", "inherit"],
      ipc: () => written.resolve(),
      onExit: () => written.reject(new Error("the writer ended by itself")),
    });
    await written.promise;
    writer.kill("SIGKILL");
    await writer.exited;
  }

  function cli(line: string, ...more: readonly string[]): Promise<void> {
    return step(`cloakroom ${line.replaceAll(/[0-9a-f-]{32,}/g, "*")}`, async () => {
      const { code, error } = await run([...line.split(" "), ...more], {
        environment: harness.storageSettings,
      });
      if (code !== 0) throw new Error(error);
    });
  }

  async function playCommands(): Promise<void> {
    await cli("user create --mail dora@example.org --username Dora --password", password);
    await cli("user set-level Dora 2");
    await cli("user set-players-max Dora 4");
    await cli("player create --user Dora --name Dora_Second");
    await cli("player set Dora_Second --name Dora_Third");
    await cli("skin add --user Dora --file", join(import.meta.dir, "../../src/cli/example-skin.png"));
    await cli(`cape grant ${gilded.uuid} --owner Dora`);
    await cli(`cape revoke ${gilded.uuid} --owner Dora`);
    await cli(`texture ban ${"ab".repeat(32)}`);
    await cli(`texture unban ${"ab".repeat(32)}`);
    await cli("token create shop");
    await cli("token revoke shop");
    await cli("mail test dora@example.org");
    await cli("player delete Dora_Third");
    await cli("user delete Dora");
  }
}
