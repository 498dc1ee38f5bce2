/**
 * A plan that is applied: what comes, what others take meanwhile, what stops it, and what a second run finds.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { applyImport, type ApplyOptions } from "../../src/domain/import/apply.ts";
import type { Deviation } from "../../src/domain/import/recheck.ts";
import { withImportRun, type ImportDeps } from "../../src/domain/import/run.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import type { Level } from "../../src/domain/model/account.ts";
import type { NewAccount, PlannedAccount, PlannedPlayer } from "../../src/domain/model/import-plan.ts";
import type { AccountStore } from "../../src/domain/ports/account-store.ts";
import type { BlobStore } from "../../src/domain/ports/blob-store.ts";
import type { PlannedImport } from "../../src/domain/ports/planned-import.ts";
import type { Transact } from "../../src/domain/ports/unit-of-work.ts";
import { banTexture } from "../../src/domain/textures/ban-texture.ts";
import { offlineUuid } from "../../src/domain/model/player-uuid.ts";
import { refusals } from "../../src/domain/model/refusals.ts";
import { PlainError } from "../../src/kernel/errors.ts";
import type { AccountId } from "../../src/kernel/ids.ts";
import { limits } from "../../src/kernel/limits.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addSkin } from "../support/members.ts";
import { newAccount, plannedAccount, plannedImport, plannedPlayer } from "../support/planned-import.ts";
import { capePng, skinPng } from "../support/textures.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

const depsOf = (more: Partial<ImportDeps> = {}): ImportDeps => {
  const { backgroundReads, backgroundTransact, blobs, clock, rules } = harness.services;
  return { reads: backgroundReads, transact: backgroundTransact, blobs, clock, rules, ...more };
};

let incomers = 0;
let sources = 0;
const newSource = () => `source ${(sources += 1)}`;

type Running = ApplyOptions & { readonly signal?: AbortSignal; readonly deps?: Partial<ImportDeps> };

const run = (source: string, planned: PlannedImport, { signal, deps, ...options }: Running = {}) =>
  withImportRun(
    depsOf(deps),
    {
      source,
      system: "csv",
      signal: signal ?? new AbortController().signal,
      onWaiting: () => undefined,
    },
    (held) => applyImport(depsOf(deps), held, planned, options),
  );

const find = (name: string) =>
  harness.services.reads.accounts.findMember({ by: "name", value: name.toLowerCase() });
const eventsAfter = async (id: number) =>
  (await harness.services.reads.events.listEvents(id, 1000)).map(({ type, players }) => [type, players]);
const newestEvent = () => harness.services.reads.events.newestEventId();
const auditOf = async (action: string) => {
  const entries = await harness.services.reads.audit.listEntries({ after: null, rows: 1000, search: null });
  return entries.filter((entry) => entry.action === action);
};

const skinFile = (seed: number) => harness.services.importer.skin(skinPng(seed), null, "import");

/** An account that wears a skin and a cape. */
const dressed = async (name: string, seed: number, cape: string | null = null) => {
  const incoming = await skinFile(seed);
  const { hash } = incoming.texture;
  const account = plannedAccount(name, {
    skins: [{ key: `${name}/1`, id: null, texture: hash, name: "Old one", model: "classic", createdAt: 3 }],
    players: [plannedPlayer(name, { skin: `${name}/1`, cape })],
    grants: cape === null ? [] : [cape],
  });
  return { account, incoming };
};

describe("a plan", () => {
  test("comes whole, with its files, and is announced once", async () => {
    const source = newSource();
    const before = await newestEvent();
    const cape = await harness.services.importer.cape(capePng(5), "import");
    const ada = await dressed("PlanAda", 1, "textures:2");
    const bert = await dressed("PlanBert", 1);
    const capes = [
      {
        key: "textures:1",
        also: ["textures:2"],
        texture: cape.texture.hash,
        wings: null,
        name: "Wave",
        createdAt: 4,
      },
    ];
    const progress: number[][] = [];
    const planned = plannedImport({
      accounts: [ada.account, bert.account],
      capes,
      textures: [cape, ada.incoming],
    });
    const files = await harness.countFiles();
    const done = await run(source, planned, { onProgress: (...at) => progress.push(at) });
    expect(done).toEqual({ state: "done", counts: { account: 2, player: 2, skin: 2, cape: 1 } });
    expect(await harness.countFiles()).toBe(files + 2);
    expect(progress).toEqual([
      [0, 2],
      [2, 2],
    ]);
    expect(await eventsAfter(before)).toEqual([["community.imported", 2]]);
    const uuid = (await find("PlanAda"))!.player!.uuid;
    for (const path of [`/api/skin/body/${uuid}`, `/api/skin/standart/cape/${uuid}`]) {
      expect([path, (await harness.fetch(path)).status]).toEqual([path, 200]);
    }
    const run_ = await harness.services.reads.imports.findRun(source);
    expect(run_).toMatchObject({ state: "done", holder: "", counts: { account: 2, player: 2 } });
    const [begin, end] = [await auditOf("import.begin"), await auditOf("import.end")];
    // The newest entry comes first.
    expect(begin[0]).toMatchObject({ actor: { name: "cli" }, detail: { name: source, kind: "csv" } });
    expect(end[0]).toMatchObject({
      detail: { name: source, accounts: 2, players: 2, skins: 2, capes: 1 },
    });
  });

  test.each([
    ["its own uuid", (uuid: string) => uuid],
    ["the uuid of its name", (_: string, name: string) => offlineUuid(name)],
  ])("shows what came at once where a default skin was shown before, by %s", async (_, keyOf) => {
    const { account, incoming } = await dressed(`Later${incomers}`, 110 + (incomers += 1));
    const [{ uuid, name }] = account.players as [PlannedPlayer];
    const look = async () => {
      const answer = await harness.fetch(`/crafatar/avatars/${keyOf(uuid, name)}?size=16`);
      return Bun.hash(await answer.arrayBuffer());
    };
    const before = await look();
    expect(await look()).toBe(before);
    await run(newSource(), plannedImport({ accounts: [account], textures: [incoming] }));
    expect(await look()).not.toBe(before);
  });

  test("changes what a uuid shows that was another player's by its name", async () => {
    const here = await addMember(harness, "Offliner");
    await addSkin(harness, here, { file: skinPng(300), slim: "false" });
    const uuid = offlineUuid("Offliner");
    const { account, incoming } = await dressed("Onliner", 301);
    const look = async () =>
      Bun.hash(await (await harness.fetch(`/crafatar/avatars/${uuid}?size=16`)).arrayBuffer());
    const before = await look();
    expect(await look()).toBe(before);
    const players = account.players.map((player) => ({ ...player, uuid }));
    await run(newSource(), plannedImport({ accounts: [{ ...account, players }], textures: [incoming] }));
    expect(await look()).not.toBe(before);
  });

  test("leaves few rows in the feed of changes, however many come", async () => {
    const accounts = Array.from({ length: 300 }, (_, number) => plannedAccount(`Quiet${number}`));
    const before = harness.countRows("change");
    await run(newSource(), plannedImport({ accounts }));
    expect(harness.countRows("change") - before).toBeLessThan(10);
  });

  test("of many accounts comes in several transactions", async () => {
    const accounts = Array.from({ length: 1_250 }, (_, number) => plannedAccount(`Many${number}`));
    const seen: number[] = [];
    const done = await run(newSource(), plannedImport({ accounts }), { onProgress: (at) => seen.push(at) });
    expect(done.counts.account).toBe(1_250);
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.at(-1)).toBe(1_250);
    expect(await find("Many1249")).not.toBeNull();
  });

  test("of a very large wardrobe comes in several transactions, as one account", async () => {
    const { account, incoming } = await dressed("Hoarder", 401);
    const others = await Promise.all([402, 403, 404].map(skinFile));
    const skins = Array.from({ length: 700 }, (_, number) => ({
      ...account.skins[0]!,
      key: `Hoarder/x${number}`,
      texture: others[number % 3]!.texture.hash,
    }));
    const seen: number[] = [];
    const planned = plannedImport({
      accounts: [{ ...account, skins: [...skins, ...account.skins] }, plannedAccount("Beside")],
      textures: [incoming, ...others],
    });
    const done = await run(newSource(), planned, { onProgress: (at) => seen.push(at) });
    expect(done.counts).toEqual({ account: 2, player: 2, skin: 701, cape: 0 });
    expect(seen.at(-1)).toBe(2);
    const came = await find("Hoarder");
    expect(came?.player?.selectedSkinId).not.toBeNull();
    expect(await harness.services.reads.textures.countSkins(came!.account.id)).toBe(701);
    expect(await find("Beside")).not.toBeNull();
  });

  test("without anything announces nothing", async () => {
    const before = await newestEvent();
    expect(await run(newSource(), plannedImport({}))).toMatchObject({ state: "done" });
    expect(await eventsAfter(before)).toEqual([]);
  });

  test("of staff names each in the audit", async () => {
    const account = newAccount({ level: 3, mail: "chief@example.org" });
    await run(newSource(), plannedImport({ accounts: [plannedAccount("Chief", { account })] }));
    const { id } = (await find("Chief"))!.account;
    expect(await auditOf("user.create")).toContainEqual(
      expect.objectContaining({
        actor: { name: "cli", accountId: null, via: null },
        forAccountId: id,
        detail: expect.objectContaining({ username: "Chief", perms: 3 }),
      }),
    );
  });
});

/** What a person here takes while the import is under way, and what then comes. */
const meanwhile: Readonly<
  Record<
    string,
    {
      readonly planned: () => Promise<PlannedAccount> | PlannedAccount;
      readonly takes: () => Promise<unknown>;
      readonly tells: Partial<Deviation>;
      readonly comes: () => Promise<unknown>;
    }
  >
> = {
  "a name": {
    planned: () => plannedAccount("TakenName", { account: newAccount() }),
    takes: () => addMember(harness, "takenname"),
    tells: { kind: "player", decision: "rename", from: "TakenName", to: "TakenName_2" },
    comes: async () => {
      expect((await find("takenname"))?.player?.name).toBe("takenname");
      expect((await find("TakenName_2"))?.player?.name).toBe("TakenName_2");
    },
  },
  "an address": {
    planned: () => plannedAccount("Addressed", { account: newAccount({ mail: "Own@Example.org" }) }),
    takes: async () => {
      const { account } = await addMember(harness, "Owner");
      await harness.services.transact(commandLine, ({ accounts }) =>
        accounts.updateAccount(account.id, { mail: "own@example.org" }),
      );
    },
    tells: { kind: "account", decision: "merge", from: "Own@Example.org" },
    comes: async () => {
      expect((await find("Addressed"))?.account).toMatchObject({ mail: null, mailVerified: false });
      expect((await find("Owner"))?.account.mail).toBe("own@example.org");
    },
  },
  "a uuid": {
    planned: () => plannedAccount("Twin", { players: [plannedPlayer("Twin", { uuid: twin })] }),
    takes: async () => {
      const { account } = await addMember(harness, "FirstTwin");
      await harness.services.transact(commandLine, ({ players }) =>
        players.insertPlayer({ uuid: twin, accountId: account.id, name: "SecondTwin", createdAt: 1 }),
      );
    },
    tells: { kind: "player", decision: "skip", from: "Twin" },
    comes: async () => {
      expect(await find("Twin")).toBeNull();
      const came = await harness.services.reads.accounts.findMember({
        by: "mail",
        value: "twin@example.org",
      });
      expect(came).toMatchObject({ player: null, account: { registration: "unnamed" } });
    },
  },
  "a ban of a picture": {
    planned: async () => (await dressed("Banned", 77)).account,
    takes: async () => {
      const { hash } = (await skinFile(77)).texture;
      await banTexture(harness.services, commandLine, { hash, reason: "" });
    },
    tells: { kind: "skin", decision: "skip" },
    comes: async () => {
      const came = await find("Banned");
      expect(came?.player?.selectedSkinId).toBeNull();
      expect(await harness.services.reads.textures.countSkins(came!.account.id)).toBe(0);
    },
  },
};
const twin = "1d0f4a3e-7b1c-4a2d-9e3f-000000000001" as PlannedAccount["players"][number]["uuid"];

describe("meanwhile a person here takes", () => {
  test.each(Object.entries(meanwhile))("%s, and keeps it", async (_, { planned, takes, tells, comes }) => {
    const textures = [await skinFile(77)];
    const plan = plannedImport({ accounts: [await planned()], textures });
    await takes();
    const deviations: Deviation[] = [];
    const files = await harness.countFiles();
    await run(newSource(), plan, { onDeviation: (one) => deviations.push(one) });
    expect(deviations).toEqual([expect.objectContaining(tells)]);
    await comes();
    expect(await harness.countFiles()).toBe(files);
  });
});

test("an address that is not confirmed goes to the person who has", async () => {
  await harness.services.transact(commandLine, ({ accounts }) =>
    accounts.insertAccount({
      ...newAccount({ mail: "squatted@example.org", mailVerified: false }),
      registration: "unconfirmed",
      permanentLevel: 1,
    } as never),
  );
  const account = newAccount({ mail: "squatted@example.org" });
  await run(newSource(), plannedImport({ accounts: [plannedAccount("Rightful", { account })] }));
  expect((await find("Rightful"))?.account.mail).toBe("squatted@example.org");
});

/** Takes a source whose lease has ended. */
const take = (source: string, holder: string) => {
  harness.clock.advance(limits.importLeaseSeconds + 1);
  return harness.services.backgroundTransact(commandLine, ({ imports, now }) =>
    imports.takeRun({ source, holder, until: now + limits.importLeaseSeconds, now }),
  );
};
const beside = (source: string, onWaiting: (seconds: number) => void) =>
  withImportRun(
    depsOf(),
    { source, system: "csv", signal: new AbortController().signal, onWaiting },
    async () => "ran",
  );

/** One that came, and the plan of an update of it. */
const cameAs = async (name: string, level: Level = 1) => {
  const account = newAccount({ mail: `${name}@example.org`, passwordHash: "$2a$10$old", level });
  const source = newSource();
  await run(source, plannedImport({ accounts: [plannedAccount(name, { account })] }));
  const { account: here } = (await find(name))!;
  const [base] = await harness.services.reads.imports.accountsHere([here.id]);
  const { id: _, isSuspended: __, ...kept } = base!;
  const update = (more: Partial<PlannedAccount>, change: Partial<NewAccount> = {}) =>
    run(
      source,
      plannedImport({
        accounts: [
          plannedAccount(name, {
            id: here.id,
            players: [],
            base: kept,
            account: { ...account, ...kept, ...change },
            ...more,
          }),
        ],
      }),
    );
  return { id: here.id, update };
};
const change = (id: AccountId, to: Parameters<AccountStore["updateAccount"]>[1]) =>
  harness.services.transact(commandLine, ({ accounts }) => accounts.updateAccount(id, to));

describe("of an account that is here", () => {
  test("an update brings what changed there", async () => {
    const { update } = await cameAs("Updated");
    await update({}, { mail: "updated2@example.org", language: "de", passwordHash: "$2a$10$new" });
    expect((await find("Updated"))?.account).toMatchObject({
      mail: "updated2@example.org",
      language: "de",
      passwordHash: "$2a$10$new",
    });
  });

  test("what a person changes meanwhile stays", async () => {
    const { id, update } = await cameAs("Changing");
    await change(id, { passwordHash: "$argon2id$own", mail: "mine@example.org", mailVerified: false });
    await update({}, { mail: "theirs@example.org", language: "de", passwordHash: "$2a$10$new" });
    expect((await find("Changing"))?.account).toMatchObject({
      mail: "mine@example.org",
      mailVerified: false,
      language: "de",
      passwordHash: "$argon2id$own",
    });
  });

  test("staff is not suspended, and a player is", async () => {
    const suspension = { until: null, reason: "came over" };
    for (const [name, level, isSuspended] of [
      ["Guard", 2, false],
      ["Culprit", 1, true],
    ] as const) {
      const { id, update } = await cameAs(name, level);
      await update({ suspension });
      const [here] = await harness.services.reads.imports.accountsHere([id]);
      expect(here).toMatchObject({ isSuspended, level });
    }
  });

  test("a level above that of here is given and audited, a lower one is not", async () => {
    const { id, update } = await cameAs("Risen");
    await update({}, { level: 2 });
    expect((await find("Risen"))?.account.permanentLevel).toBe(2);
    expect(await auditOf("role.set")).toContainEqual(
      expect.objectContaining({
        forAccountId: id,
        detail: expect.objectContaining({ old: { perms: 1 }, new: { perms: 2 } }),
      }),
    );
    await update({}, { level: 1 });
    expect((await find("Risen"))?.account.permanentLevel).toBe(2);
  });
});

const withoutSpace = (): BlobStore => ({
  ...harness.services.blobs,
  put: () => Promise.reject(refusals.noSpace()),
});

describe("a run", () => {
  test("ends after the batch at work on a signal, and announces what came", async () => {
    const before = await newestEvent();
    const stopping = new AbortController();
    const source = newSource();
    const accounts = Array.from({ length: 900 }, (_, number) => plannedAccount(`Half${number}`));
    const done = await run(source, plannedImport({ accounts }), {
      signal: stopping.signal,
      onProgress: () => stopping.abort(new PlainError("internal", "stopped by SIGTERM")),
    });
    expect(done.state).toBe("stopped");
    expect(done.counts.account).toBeGreaterThan(0);
    expect(done.counts.account).toBeLessThan(900);
    expect(await eventsAfter(before)).toEqual([["community.imported", done.counts.player]]);
    expect(await harness.services.reads.imports.findRun(source)).toMatchObject({
      state: "stopped",
      holder: "",
    });
    const keys = accounts.map(({ key }) => key);
    const links = await harness.services.reads.imports.links(source, "account", keys);
    expect(links.size).toBe(done.counts.account);
  });

  test("that another one took over writes no more", async () => {
    const source = newSource();
    const { backgroundTransact, reads } = harness.services;
    const accounts = Array.from({ length: 900 }, (_, number) => plannedAccount(`Lost${number}`));
    let done = 0;
    const transact: Transact = async (actor, work) => {
      const value = await backgroundTransact(actor, work);
      if (done > 0) await take(source, "another");
      return value;
    };
    const options = { deps: { transact }, onProgress: (at: number) => void (done ||= at) };
    const ended = await run(source, plannedImport({ accounts }), options).catch((error: unknown) => error);
    expect(ended).toMatchObject({ kind: "conflict" });
    expect(done).toBeGreaterThan(0);
    expect(await reads.imports.findRun(source)).toMatchObject({ state: "running", holder: "another" });
  });

  test("waits for one that was killed", async () => {
    const source = newSource();
    await take(source, "killed");
    const waited: number[] = [];
    const ended = await beside(source, (seconds) => {
      waited.push(seconds);
      harness.clock.advance(limits.importLeaseSeconds);
    });
    expect(ended).toBe("ran");
    expect(waited).toEqual([limits.importLeaseSeconds]);
  });

  test("refuses beside one that is at work", async () => {
    const source = newSource();
    await take(source, "other");
    const renew = () =>
      harness.services.backgroundTransact(commandLine, ({ imports, now }) =>
        imports.moveRun({ source, holder: "other", until: now + 99, cursor: "", counts: {} }),
      );
    const ended = beside(source, () => void renew());
    expect(await ended.catch((error: unknown) => error)).toMatchObject({ kind: "conflict" });
  });

  test("that failed leaves what came, and no file without a row", async () => {
    const { account, incoming } = await dressed("Unstored", 91);
    const first = Array.from({ length: 300 }, (_, number) => plannedAccount(`Kept${number}`));
    const source = newSource();
    const files = await harness.countFiles();
    const planned = plannedImport({ accounts: [...first, account], textures: [incoming] });
    const ended = await run(source, planned, { deps: { blobs: withoutSpace() } }).catch(
      (error: unknown) => error,
    );
    expect(ended).toMatchObject({ kind: "no_space" });
    expect(await harness.countFiles()).toBe(files);
    expect(await find("Kept0")).not.toBeNull();
    expect(await find("Unstored")).toBeNull();
    expect(await harness.services.reads.imports.findRun(source)).toMatchObject({
      state: "stopped",
      holder: "",
    });
  });

  test("that meets others again and again writes smaller batches", async () => {
    const accounts = Array.from({ length: 40 }, (_, number) => plannedAccount(`Met${number}`));
    const batches: number[] = [];
    let meetings = 3;
    const transact: Transact = async (actor, work) => {
      const value = await harness.services
        .backgroundTransact(actor, async (tx) => {
          const done = await work(tx);
          const run = await tx.imports.findRun(source);
          if (run?.cursor !== "" && meetings > 0) throw refusals.contended();
          return done;
        })
        .catch((error: unknown) => {
          meetings -= 1;
          throw error;
        });
      return value;
    };
    const source = newSource();
    const done = await run(source, plannedImport({ accounts }), {
      deps: { transact },
      onProgress: (at) => batches.push(at),
    });
    expect(done).toMatchObject({ state: "done", counts: { account: 40 } });
    expect(batches.length).toBeGreaterThan(2);
    expect(batches.at(-1)).toBe(40);
  });
});
