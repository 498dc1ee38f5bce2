import { afterAll, describe, expect, test } from "bun:test";
import { createExposition } from "../../src/adapters/prometheus/exposition.ts";
import { backupMetrics } from "../../src/operate/backup-metrics.ts";
import { certificateMetrics } from "../../src/operate/certificate-metrics.ts";
import { clientConnectionMetrics } from "../../src/operate/connection-metrics.ts";
import { connectionMetrics, standbyMetrics } from "../../src/operate/metrics.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { claimMetrics } from "../../src/operate/claim-metrics.ts";
import { addMember, addNameless, addSkin, makeClaimable } from "../support/members.ts";
import { parsePrometheusText } from "../support/prometheus-text.ts";
import { orderCode, send } from "../support/registration.ts";
import { link, meet, metaOf, openSocialWorld, signInSocially } from "../support/social/social-world.ts";
import { readProjectFiles } from "../tidy/project-files.ts";
import { isLeftOut } from "../support/storages.ts";

type Labels = Readonly<Record<string, string>>;

const refuse = (_: string, error: unknown): never => {
  throw error;
};

const read = async (harness: Harness) => parsePrometheusText(await harness.metrics());

/** The value of the one sample of that name with these labels; null when there is none. */
async function valueOf(harness: Harness, name: string, labels: Labels = {}): Promise<number | null> {
  const metrics = await read(harness);
  const samples = [...metrics.values()].flatMap((metric) => metric.samples);
  const found = samples.filter((one) => one.name === name && Bun.deepEquals(one.labels, labels));
  expect(found.length).toBeLessThanOrEqual(1);
  return found[0]?.value ?? null;
}

const requests = "cloakroom_http_requests_total";
const signIns = (harness: Harness, way: string, result: string) =>
  valueOf(harness, "cloakroom_sign_ins_total", { way, result });

describe("in what is exposed", () => {
  const opening = openHarness({ settings: { WEBHOOK_URLS: "https://events.example.org/" } });
  afterAll(async () => (await opening)[Symbol.asyncDispose]());

  test("names say what it is, in which unit, and help says more", async () => {
    const harness = await opening;
    const alice = await addMember(harness, "Alice");
    // A bucket is asked, too.
    await addSkin(harness, alice, {});
    await harness.fetch(`/api/skin/head/${alice.uuid}?size=32`);
    // Hashes are counted once a minute; a test before may have had them counted while there were none.
    harness.clock.advance(61);
    const metrics = await read(harness);
    expect(metrics.size).toBeGreaterThan(12);
    for (const [name, { type, help, samples }] of metrics) {
      expect(name).toMatch(/^cloakroom_[a-z_]+$/);
      expect(name.endsWith("_total")).toBe(type === "counter");
      if (type === "histogram") expect(name).toEndWith("_seconds");
      expect(help).toMatch(/^[A-Z].+\.$/);
      expect(samples.length).toBeGreaterThan(0);
    }
  });

  test("the buckets of a histogram grow up to its count", async () => {
    const harness = await opening;
    const metrics = await read(harness);
    const histograms = [...metrics].filter(([, { type }]) => type === "histogram");
    expect(histograms.length).toBe(2);
    for (const [name, { samples }] of histograms) {
      const counts = samples.filter((one) => one.name === `${name}_count`);
      for (const { labels, value } of counts) {
        const own = samples.filter(
          (one) =>
            one.name === `${name}_bucket` && Bun.deepEquals({ ...labels, le: one.labels["le"]! }, one.labels),
        );
        const values = own.map((one) => one.value);
        expect(values).toEqual(values.toSorted((a, b) => a - b));
        expect(own.at(-1)).toMatchObject({ labels: { le: "+Inf" }, value });
        expect(value).toBeGreaterThan(0);
      }
    }
  });

  test("no name, mail or uuid stands", async () => {
    const harness = await opening;
    const bob = await addMember(harness, "Bobby");
    await addSkin(harness, bob, {});
    await harness.fetch("/api/home", { headers: { authorization: bob.authorization } });
    const text = await harness.metrics();
    for (const one of [bob.name, bob.mail, bob.uuid, bob.jwt, harness.folder])
      expect(text).not.toContain(one);
  });
});

describe("requests", () => {
  test("are counted by method, route and status, ready ones too", async () => {
    await using harness = await openHarness();
    const { uuid } = await addMember(harness, "Alice");
    const path = `/api/skin/head/${uuid}?size=32`;
    const etag = (await harness.fetch(path)).headers.get("etag") ?? "";
    for (let i = 0; i < 3; i++) await harness.fetch(path);
    await harness.fetch(path, { headers: { "if-none-match": etag } });
    await harness.fetch(path, { method: "HEAD" });
    await harness.fetch("/api/home");
    const route = "/api/skin/head/:uuid";
    expect(await valueOf(harness, requests, { method: "GET", route, status: "200" })).toBe(4);
    expect(await valueOf(harness, requests, { method: "GET", route, status: "304" })).toBe(1);
    expect(await valueOf(harness, requests, { method: "HEAD", route, status: "200" })).toBe(1);
    expect(await valueOf(harness, requests, { method: "GET", route: "/api/home", status: "401" })).toBe(1);
    const count = "cloakroom_http_request_duration_seconds_count";
    expect(await valueOf(harness, count, { method: "GET", route })).toBe(5);
  });

  test("make no new series, whatever is asked", async () => {
    await using harness = await openHarness();
    const odd = ["PROPFIND", "TRACE", "MKCOL", "LOCK"];
    const ask = async (number: number) => {
      await harness.fetch(`/nothing/${number}`);
      await harness.fetch(`/api/skin/head/nobody${number}?size=${8 + number}`);
      await harness.fetch("/api/home", { method: odd[number % odd.length]! });
    };
    await ask(1);
    const before = (await harness.metrics()).split("\n").length;
    for (let number = 2; number < 40; number++) await ask(number);
    expect((await harness.metrics()).split("\n")).toHaveLength(before);
    expect(await valueOf(harness, requests, { method: "GET", route: "unknown", status: "404" })).toBe(39);
    expect(await valueOf(harness, requests, { method: "other", route: "unknown", status: "405" })).toBe(39);
  });
});

test("sign-ins are counted by what came of them", async () => {
  await using harness = await openHarness({ settings: { RATE_LIMIT_FACTOR: "1" } });
  const alice = await addMember(harness, "Alice");
  const pending = { username: "pending@example.org", password: "a long good password" };
  await send(harness, "POST /api/auth/register", { mail: pending.username, password: pending.password });
  await send(harness, "POST /api/auth/login", pending);
  await send(harness, "POST /api/auth/login", []);
  for (let i = 0; i < 6; i++) {
    await send(harness, "POST /api/auth/login", { username: "Alice", password: `${alice.password}!` });
  }
  const results = await Promise.all(
    ["succeeded", "wrong", "unconfirmed", "unlinked", "limited", "failed"].map(
      async (result) => [result, await signIns(harness, "password", result)] as const,
    ),
  );
  expect(Object.fromEntries(results)).toEqual({
    succeeded: 1,
    wrong: 5,
    unconfirmed: 1,
    unlinked: 0,
    limited: 1,
    failed: 1,
  });
});

test("sign-ins through a provider are counted too, and their lines name who signed in", async () => {
  await using world = await openSocialWorld();
  const { harness } = world;
  const bob = await addMember(harness, "Bobby");
  const meta = metaOf(await meet(world));
  harness.takeRequests();
  await link(harness, { ...bob, password: `${bob.password}!` }, meta);
  await link(harness, bob, metaOf(await meet(world)));
  await signInSocially(world);
  await harness.fetch("/auth/social/callback?code=long-enough-code&state=long-enough-state");
  const results = ["succeeded", "wrong", "unlinked", "failed"];
  expect(await Promise.all(results.map((result) => signIns(harness, "social", result)))).toEqual([
    2, 1, 2, 1,
  ]);
  const named = harness.takeRequests().filter(({ user }) => user === bob.account.id);
  expect(named.map(({ route }) => route)).toEqual(["/api/auth/login/social", "/auth/social/callback"]);
  harness.takeComplaints();
});

test("pictures are counted: made once, then from memory", async () => {
  await using harness = await openHarness();
  const { uuid } = await addMember(harness, "Alice");
  const made = (view: string, type: string) =>
    valueOf(harness, "cloakroom_picture_render_duration_seconds_count", { view, type });
  const count = (what: string) => valueOf(harness, `cloakroom_picture_cache_${what}`);
  expect([await made("head", "skin"), await count("entries"), await count("hits_total")]).toEqual([
    null,
    0,
    0,
  ]);
  for (let i = 0; i < 4; i++) await (await harness.fetch(`/api/skin/head/${uuid}?size=32`)).bytes();
  expect([await made("head", "skin"), await count("entries"), await count("hits_total")]).toEqual([1, 1, 3]);
  expect(await count("misses_total")).toBe(1);
  expect(await count("bytes")).toBeGreaterThan(512);
  await harness.fetch(`/api/skin/body/${uuid}?size=32&type=player`);
  expect(await made("body", "player")).toBe(1);
});

test("accounts to be claimed are counted, at most once a minute", async () => {
  await using harness = await openHarness();
  const { services, clock } = harness;
  const [anna, berta] = [await addMember(harness, "Anna"), await addMember(harness, "Berta")];
  await addNameless(harness, "with_password");
  makeClaimable(harness, anna);
  expect(await valueOf(harness, "cloakroom_accounts_to_claim")).toBe(1);
  const [metric] = claimMetrics(services);
  expect(await metric?.read()).toEqual([{ labels: {}, value: 1 }]);
  makeClaimable(harness, berta);
  clock.advance(59);
  expect(await metric?.read()).toEqual([{ labels: {}, value: 1 }]);
  clock.advance(1);
  expect(await metric?.read()).toEqual([{ labels: {}, value: 2 }]);
});

test("mails that wait are counted, with the age of the oldest", async () => {
  await using harness = await openHarness();
  const read = async (kind: string) => [
    await valueOf(harness, "cloakroom_outbox_mails", { kind }),
    await valueOf(harness, "cloakroom_outbox_oldest_age_seconds", { kind }),
  ];
  expect(await read("personal")).toEqual([0, 0]);
  await orderCode(harness, "confirm", "anna@example.org");
  harness.clock.advance(100);
  await orderCode(harness, "confirm", "berta@example.org");
  harness.clock.advance(20);
  expect(await read("personal")).toEqual([2, 120]);
  expect(await read("bulk")).toEqual([0, 0]);

  const { change } = harness.database;
  const now = harness.clock.nowSeconds();
  change(
    `INSERT INTO bulk_mails (id, subject, message, issuer, created_at) VALUES (1, 'subject', 'message', 'Alice', ${now})`,
  );
  for (const state of ["sent", "waiting", "waiting", "failed"])
    change(
      `INSERT INTO outbox
         (recipient, recipient_key, language, template, content, state, attempts, created_at, due_at, bulk_mail_id)
         VALUES ('a@example.org', 'a@example.org', 'en', 'test', '{}', '${state}', 0, ${now - 7}, ${now}, 1)`,
    );
  expect(await read("bulk")).toEqual([2, 7]);
  expect(await read("personal")).toEqual([2, 120]);
});

const isElsewhere = isLeftOut("sqlite", "PostgreSQL knows its own sizes");
test.skipIf(isElsewhere)("the database and the disk have their sizes", async () => {
  await using harness = await openHarness();
  expect(await valueOf(harness, "cloakroom_database_file_bytes")).toBeGreaterThan(4096);
  expect(await valueOf(harness, "cloakroom_disk_free_bytes", { folder: "data" })).toBeGreaterThan(4096);
  expect(await valueOf(harness, "cloakroom_database_wal_bytes")).not.toBeNull();
});

test("reading metrics changes nothing that is kept", async () => {
  await using harness = await openHarness();
  const before = harness.database.everything();
  await harness.metrics();
  expect(harness.database.everything()).toEqual(before);
});

/** What a node on PostgreSQL exposes beside the rest. */
async function onPostgres() {
  const lane = { open: 3, inUse: 2, waiting: 1 };
  const transactions = { commits: 9, repeats: { conflict: 4 }, givenUp: 5, unknown: 6 };
  const seconds = {
    servers: { writers: 2, isReadOnly: true, damage: null },
    feedLagSeconds: 0.25,
    clockAheadSeconds: -1.5,
  };
  const metrics = connectionMetrics(() => ({
    node: "one",
    differingSettings: 2,
    connections: { requests: lane },
    transactions,
    ...seconds,
  }));
  return parsePrometheusText(await createExposition(metrics, refuse).text());
}

test("a node on PostgreSQL exposes its connections, its transactions and how fresh it is", async () => {
  const samples = [...(await onPostgres()).values()].flatMap((metric) => metric.samples);
  const shown = samples.map(({ name, labels, value }) => [name.replace("cloakroom_", ""), labels, value]);
  expect(shown).toEqual([
    ["node_info", { node: "one" }, 1],
    ["differing_settings", {}, 2],
    ["database_connections_open", { lane: "requests" }, 3],
    ["database_connections_in_use", { lane: "requests" }, 2],
    ["database_waiting", { lane: "requests" }, 1],
    ["database_writers", {}, 2],
    ["database_read_only", {}, 1],
    ["database_damaged", {}, 0],
    ["transactions_total", {}, 9],
    ["transaction_repeats_total", { reason: "conflict" }, 4],
    ["transactions_failed_total", { result: "given_up" }, 5],
    ["transactions_failed_total", { result: "unknown" }, 6],
    ["change_feed_lag_seconds", {}, 0.25],
    ["clock_ahead_seconds", {}, -1.5],
  ]);
});

async function standbyValues(standbys: Parameters<typeof standbyMetrics>[0]) {
  const text = await createExposition(standbyMetrics(standbys), refuse).text();
  return [...parsePrometheusText(text).values()].map(({ samples }) => samples.map(({ value }) => value));
}

test("a node on PostgreSQL exposes what a commit waits for, and nothing where the server does not say", async () => {
  expect(await standbyValues(async () => ({ isSynchronous: true, connected: 2 }))).toEqual([[1], [2]]);
  expect(await standbyValues(async () => ({ isSynchronous: false, connected: 0 }))).toEqual([[0], [0]]);
  expect(await standbyValues(async () => null)).toEqual([[], []]);
});

test("a metric that cannot be read has no value and is named, and all others are exposed", async () => {
  const failed: string[] = [];
  const gauge = { help: "A number.", type: "gauge" } as const;
  const exposition = createExposition(
    [
      { ...gauge, name: "cloakroom_one", read: () => Promise.reject(new Error("the database is away")) },
      {
        ...gauge,
        name: "cloakroom_two",
        read: () => {
          throw new Error("no disk");
        },
      },
      { ...gauge, name: "cloakroom_three", read: () => [{ labels: {}, value: 3 }] },
    ],
    (name, error) => void failed.push(`${name}: ${String(error)}`),
  );
  const metrics = [...parsePrometheusText(await exposition.text())];
  expect(metrics.map(([name, { samples }]) => [name, samples.map(({ value }) => value)])).toEqual([
    ["cloakroom_one", []],
    ["cloakroom_two", []],
    ["cloakroom_three", [3]],
  ]);
  expect(failed.toSorted()).toEqual([
    "cloakroom_one: Error: the database is away",
    "cloakroom_two: Error: no disk",
  ]);
});

/** What a server on Linux exposes of its connections. */
async function onLinux() {
  const metrics = clientConnectionMetrics({
    open: async () => 7,
    closed: () => ({ address: 3, idle: 2, busy: 1 }),
    files: () => ({ open: 40, max: 4096 }),
  });
  return parsePrometheusText(await createExposition(metrics, refuse).text());
}

test("a server on Linux exposes the connections of clients, and its files", async () => {
  const samples = [...(await onLinux()).values()].flatMap((metric) => metric.samples);
  expect(samples.map(({ name, labels, value }) => [name, labels, value])).toEqual([
    ["cloakroom_client_connections_open", {}, 7],
    ["cloakroom_client_connections_closed_total", { reason: "address" }, 3],
    ["cloakroom_client_connections_closed_total", { reason: "idle" }, 2],
    ["cloakroom_client_connections_closed_total", { reason: "busy" }, 1],
    ["process_open_fds", {}, 40],
    ["process_max_fds", {}, 4096],
  ]);
});

test("the documents name only metrics that there are", async () => {
  await using harness = await openHarness();
  const { uuid } = await addMember(harness, "Alice");
  await harness.fetch(`/api/skin/head/${uuid}`);
  const ofStores = "database_file_bytes database_wal_bytes bucket_up object_requests_total".split(" ");
  const ofEach = ofStores.map((name) => `cloakroom_${name}`);
  const scheduled = { schedule: "@daily", keep: 7, dir: "", passphrase: null, bucket: null };
  const given = { config: { backup: scheduled, database: null }, record: harness.services.backups };
  const further = [
    ...backupMetrics({ ...given, clock: harness.clock }),
    ...certificateMetrics(() => ""),
    ...standbyMetrics(async () => null),
  ];
  const names = [
    ...(await read(harness)).keys(),
    ...(await onPostgres()).keys(),
    ...(await onLinux()).keys(),
    ...ofEach,
    ...further.map(({ name }) => name),
  ];
  const documents = readProjectFiles(/^docs\/operate\/(?:observe\.md|alerts\.yml)$/);
  const named = documents.flatMap(({ text }) => text.match(/\bcloakroom_[a-z_]+/g) ?? []);
  expect(named.length).toBeGreaterThan(20);
  const ownOfTheProcess = "cloakroom_event_loop_delay_seconds";
  const known = new Set([
    ownOfTheProcess,
    ...names.flatMap((name) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]),
  ]);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  // And every one of them is explained.
  const explained = documents.find(({ path }) => path.endsWith("observe.md"))?.text ?? "";
  expect([...names, ownOfTheProcess].filter((name) => !explained.includes(`\`${name}`))).toEqual([]);
});
