/** Webhooks (docs/contract/service.md#webhooks). */
import { afterEach, beforeEach, describe, expect, setSystemTime, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { httpWebhooks } from "../../src/adapters/webhook-http/http-webhook.ts";
import { deliverEvents, keepWebhooks, type DeliverDeps } from "../../src/domain/events/deliver-events.ts";
import { webhookStates } from "../../src/domain/events/webhook-state.ts";
import { newWebhookSecret, signWebhook } from "../../src/domain/events/webhook-signature.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import type { Player } from "../../src/domain/model/account.ts";
import type { OnEvents } from "../../src/domain/ports/event-store.ts";
import { startWebhooks } from "../../src/jobs/webhooks.ts";
import { PlainError } from "../../src/kernel/errors.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { holdClosedPort } from "../support/closed-port.ts";
import { openReceiver, type Receiver } from "./receiver.ts";
import { manyNames, rename, somePlayer } from "./world.ts";

const secret = newWebhookSecret();
const never = new AbortController().signal;
let harness: Harness;
let receiver: Receiver;
let player: Player;
let url: string;
beforeEach(async () => {
  harness = await openHarness({ secrets: () => [secret, "hidden-word", "letmein"] });
  receiver = openReceiver();
  url = new URL("/hooks/hidden-word?key=hidden-word", receiver.url).href;
  player = await somePlayer(harness, "Anna");
  await keepWebhooks(harness.services, [url]);
});
afterEach(async () => {
  await receiver[Symbol.asyncDispose]();
  await harness[Symbol.asyncDispose]();
});

const deps = (others: Partial<DeliverDeps> = {}): DeliverDeps => ({
  ...harness.services,
  counts: harness.services.webhookTargets.counts,
  log: harness.log,
  send: httpWebhooks({ timeLimitMs: 300 }),
  secret,
  publicUrl: "https://skins.example.org",
  ...others,
});
/** Delivers until there is nothing to do now. */
async function deliverAll(to = url, others: Partial<DeliverDeps> = {}): Promise<void> {
  while (await deliverEvents(deps(others), to, never));
}
const state = async (of = url) => (await webhookStates(harness.services.reads, [of]))[0];

test("standardwebhooks verifies what comes", async () => {
  await rename(harness.services, player, "Berta");
  await deliverAll();
  const [one] = receiver.received;
  const { headers, body, id } = one!;
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "application/json",
    "user-agent": "cloakroom",
    "webhook-id": String(id),
    "webhook-timestamp": String(harness.clock.nowSeconds()),
  });
  const signed = Object.fromEntries(headers);
  setSystemTime(harness.clock.nowSeconds() * 1000);
  try {
    expect(new Webhook(secret).verify(body, signed)).toEqual({
      id,
      at: new Date(harness.clock.nowSeconds() * 1000).toISOString(),
      type: "player.renamed",
      player: { uuid: player.uuid, name: "Berta" },
      previous: "Anna",
    });
    expect(() => new Webhook(secret).verify(body.replace("Berta", "Carla"), signed)).toThrow();
    expect(() => new Webhook(newWebhookSecret()).verify(body, signed)).toThrow();
  } finally {
    setSystemTime();
  }
});

test("the signature is that of the specification", () => {
  const webhook = new Webhook(secret);
  const message = { id: "7", timestamp: 1_700_000_000, body: '{"id":7}' };
  expect(signWebhook(secret, message)).toBe(
    webhook.sign(message.id, new Date(message.timestamp * 1000), message.body),
  );
});

test("events come in order, each once, while the receiver takes them", async () => {
  const { position: begin = 0 } = (await state())?.progress ?? {};
  await rename(harness.services, player, ...manyNames(230));
  await deliverAll();
  expect(receiver.received.map(({ id }) => id)).toEqual(manyNames(230).map((_, index) => begin + 1 + index));
  expect(await state()).toMatchObject({ behind: 0, progress: { attempts: 0, lastError: "" } });
});

const refusals: Readonly<Record<string, readonly [Receiver["answer"], reason: string]>> = {
  "a fault": [500, "status 500"],
  "a redirect, which is not followed": [
    () => Response.redirect(`${receiver.url}/elsewhere`, 307),
    "status 307",
  ],
  "no answer in time": [() => Bun.sleep(600).then(() => new Response()), "no answer in time"],
  "a refusal without end": [() => new Response(endless(), { status: 503 }), "status 503"],
};
function endless(): ReadableStream {
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
}

describe("waits after", () => {
  test.each(Object.entries(refusals))("%s", async (_, [answer, reason]) => {
    await rename(harness.services, player, "First", "Second");
    receiver.answer = answer;
    await deliverAll();
    const now = harness.clock.nowSeconds();
    expect(await state()).toMatchObject({
      behind: 2,
      progress: { attempts: 1, nextTryAt: now + 3, lastError: reason },
    });
    receiver.answer = 204;
    await deliverAll();
    const before = (await receiver.until(1)).length;
    harness.clock.advance(3);
    await deliverAll();
    const [first, second] = (await receiver.until(before + 2)).slice(before);
    expect([first?.body, second?.body]).toEqual([
      expect.stringContaining('"First"'),
      expect.stringContaining('"Second"'),
    ]);
    expect(first?.headers.get("webhook-id")).toBe(receiver.received[0]?.headers.get("webhook-id") ?? null);
    expect(await state()).toMatchObject({ behind: 0, progress: { attempts: 0 } });
  });

  test("nothing that listens, longer each time, an hour at most", async () => {
    using held = await holdClosedPort();
    const closed = `http://letmein:hidden-word@127.0.0.1:${held.port}/`;
    await keepWebhooks(harness.services, [closed]);
    await rename(harness.services, player, "Berta");
    const waits: number[] = [];
    for (let count = 0; count < 7; count++) {
      await deliverAll(closed);
      const { nextTryAt = 0 } = (await state(closed))?.progress ?? {};
      waits.push(nextTryAt - harness.clock.nowSeconds());
      harness.clock.advance(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual([3, 30, 120, 600, 1800, 3600, 3600]);
    const lines = harness.takeComplaints();
    expect(lines).toHaveLength(7);
    expect(lines[0]).toMatchObject({
      message: "event not taken, it is sent again",
      attempts: 1,
      address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/ \([0-9a-f]{8}\)$/),
      reason: expect.stringContaining("no connection"),
    });
  });
});

test("a yes whose answer does not end is a yes", async () => {
  receiver.answer = () => new Response(endless());
  await rename(harness.services, player, "Berta", "Carla");
  await deliverAll();
  expect(await state()).toMatchObject({ behind: 0, progress: { attempts: 0 } });
});

test("an answer is not unpacked: one that is no gzip counts as a delivery", async () => {
  const headers = { "content-encoding": "gzip" };
  receiver.answer = () => new Response("this is no gzip", { headers });
  await rename(harness.services, player, "Berta");
  await deliverAll();
  expect(receiver.received[0]?.headers.get("accept-encoding")).toBe("identity");
  expect(await state()).toMatchObject({ behind: 0, progress: { attempts: 0 } });
});

test("credentials of an address are sent, and stand in no log line", async () => {
  const withPassword = receiver.url.replace("http://", "http://robot:letmein@");
  await keepWebhooks(harness.services, [withPassword]);
  await rename(harness.services, player, "Berta");
  await deliverAll(withPassword);
  const basic = `Basic ${Buffer.from("robot:letmein").toString("base64")}`;
  expect(receiver.received[0]?.headers.get("authorization")).toBe(basic);
});

test("credentials that are no percent-encoding are sent as they are", async () => {
  const withPassword = receiver.url.replace("http://", "http://robot:letmein%zz@");
  await keepWebhooks(harness.services, [withPassword]);
  await rename(harness.services, player, "Berta");
  await deliverAll(withPassword);
  const basic = `Basic ${Buffer.from("robot:letmein%zz").toString("base64")}`;
  expect(receiver.received[0]?.headers.get("authorization")).toBe(basic);
});

test("events that the log keeps no more are given up, and the next ones come", async () => {
  await rename(harness.services, player, "Old_1", "Old_2", "Old_3");
  receiver.answer = 500;
  await deliverAll();
  harness.takeComplaints();
  await harness.services.transact(commandLine, ({ events }) =>
    events.deleteOldEvents({ before: 0, kept: 1, rows: 10 }),
  );
  receiver.answer = 204;
  harness.clock.advance(3);
  await deliverAll();
  expect(receiver.received.at(-1)?.body).toContain("Old_3");
  expect(harness.takeComplaints()).toMatchObject([
    { message: "events given up: not taken within a day", events: 2 },
  ]);
});

test("an address that is new, or comes back, gets what happens from then on", async () => {
  await rename(harness.services, player, "Before");
  await keepWebhooks(harness.services, []);
  await keepWebhooks(harness.services, [url]);
  await keepWebhooks(harness.services, [url]);
  await rename(harness.services, player, "After");
  await deliverAll();
  expect(receiver.received.map(({ body }) => JSON.parse(body).player.name)).toEqual(["After"]);
});

test("a restart goes on where it was, and sends what was not recorded again", async () => {
  await rename(harness.services, player, ...manyNames(5));
  const dying = { ...harness.services, transact: () => Promise.reject(new Error("died")) };
  const failed = deliverEvents(deps({ transact: dying.transact }), url, never);
  expect(await failed.catch(String)).toContain("died");
  expect(receiver.received).toHaveLength(5);
  await deliverAll();
  const ids = receiver.received.map(({ id }) => id);
  expect(ids.slice(5)).toEqual(ids.slice(0, 5));
  await deliverAll();
  expect(receiver.received).toHaveLength(10);
});

test("the job sends at once, to each address for itself, and ends at once", async () => {
  await using stuck = openReceiver();
  stuck.answer = () => new Promise<Response>(() => undefined);
  const urls = [url, stuck.url];
  const job = startWebhooks({ ...deps({ send: httpWebhooks() }), onEvents: harness.services.onEvents, urls });
  // It starts at the present, so only what comes after its first look is sure to be sent.
  while ((await state(stuck.url))?.progress === null) await Bun.sleep(1);
  await rename(harness.services, player, "Berta", "Carla");
  await receiver.until(2);
  await job[Symbol.asyncDispose]();
  expect(receiver.received.map(({ body }) => JSON.parse(body).player.name)).toEqual(["Berta", "Carla"]);
  expect(await state(stuck.url)).toMatchObject({ behind: 2, progress: { attempts: 0 } });
});

test("the job says once that the database is away, as a warning, and ends meanwhile", async () => {
  const lines: string[] = [];
  const note = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
  const log = { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") };
  const tried = Promise.withResolvers<void>();
  let tries = 0;
  const transact: DeliverDeps["transact"] = () => {
    tries += 1;
    if (tries === 3) tried.resolve();
    return Promise.reject(new PlainError("unavailable", "away"));
  };
  const job = startWebhooks({ ...deps({ transact }), log, onEvents: eachMillisecond, urls: [url] });
  await tried.promise;
  await job[Symbol.asyncDispose]();
  expect(lines).toEqual(["warn: the progress of webhooks cannot be read or written"]);
});

const eachMillisecond: OnEvents = (listener) => {
  const waking = setInterval(listener, 1);
  return { [Symbol.dispose]: () => clearInterval(waking) };
};

test("metrics count what was taken and refused", async () => {
  await rename(harness.services, player, "Berta");
  receiver.answer = 500;
  await deliverAll();
  receiver.answer = 200;
  harness.clock.advance(3);
  await deliverAll();
  const text = await harness.metrics();
  expect(text).toContain("cloakroom_webhook_deliveries_total");
  for (const result of ["delivered", "failed"])
    expect(text).toMatch(new RegExp(`deliveries_total\\{address="[^"?]+",result="${result}"\\} 1\\n`));
  expect(text).not.toContain("hidden-word");
});
