/* What one client may ask of the threads that draw, and what is left to others meanwhile. */
import { afterAll, afterEach, beforeAll, expect, jest, test } from "bun:test";
import { connect } from "node:net";
import { readJson, type Envelope } from "../support/answers.ts";
import { openGate, type ThreadGate } from "../support/gated-threads.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, upload, type Member } from "../support/members.ts";
import { skinPng } from "../support/textures.ts";
import { isLeftOut } from "../support/storages.ts";

/** Milliseconds, which go on with each picture that is made: what waits for long goes first. */
let now = 0;
const pictureMilliseconds = 30;
let gate: ThreadGate;
let harness: Harness;
/** Wears a skin so fine that each of its pictures takes a thread. */
let alice: Member;
/** Wears a default skin, of which small pictures take none. */
let bare: Member;
beforeAll(async () => {
  gate = openGate();
  harness = await openHarness({
    settings: { TRUSTED_PROXIES: "127.0.0.1" },
    threads: { ...gate.threads, now: () => now },
  });
  alice = await addMember(harness, "Alice");
  const uploaded = upload(harness, alice, { file: skinPng(1, { width: 1024 }) });
  expect(await gate.next()).toBe("texture");
  gate.letGo("texture");
  expect((await uploaded).status).toBe(200);
  bare = await addMember(harness, "Bare");
});
afterEach(() => void jest.useRealTimers());
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  gate[Symbol.dispose]();
});

const [one, other, third] = ["192.0.2.1", "198.51.100.2", "203.0.113.3"] as const;

/** No picture of a test has been drawn before. */
let size = 1024;
function large(): string {
  return `body ${size--}`;
}

type Asked = {
  readonly status: Promise<number>;
  readonly answer: Promise<Response>;
  readonly leave: () => void;
};

/** Asks for `body 1024`, as the thread calls it. */
function ask(picture: string, client: string, { method = "GET", whose = alice } = {}): Asked {
  const leaving = new AbortController();
  const [view, pixels] = picture.split(" ");
  const answer = harness.fetch(`/api/skin/${view}/${whose.uuid}?size=${pixels}`, {
    method,
    headers: { "x-forwarded-for": client },
    signal: leaving.signal,
  });
  return { answer, status: answer.then(({ status }) => status), leave: () => leaving.abort() };
}

const soon = setImmediate;

/** Everything that was asked for is in the queue. */
async function queued(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => void soon(resolve));
}

/** Those of the answers that are there by now; null for the others. */
function answered(asked: readonly Asked[]): Promise<readonly (Response | null)[]> {
  return Promise.all(asked.map(({ answer }) => Promise.race([answer, queued().then(() => null)])));
}

/** Makes the next pictures, and says which they were. */
async function makeNext(count: number): Promise<readonly string[]> {
  const made: string[] = [];
  for (let n = 0; n < count; n++) {
    letGo();
    made.push(await gate.next());
  }
  return made;
}

/** Makes what has begun, which is the last. */
async function makeLast(...asked: readonly Asked[]): Promise<void> {
  letGo();
  await Promise.all(asked.map(({ answer }) => answer));
}

function letGo(): void {
  now += pictureMilliseconds;
  gate.letGo("picture");
}

const isCounting = isLeftOut(
  "sqlite",
  "lookups of PostgreSQL take turns of the event loop, which the test counts",
);

test.skipIf(isCounting)(
  "a client that fills the queue is refused the rest after a second, and learns when to come again",
  async () => {
    jest.useFakeTimers();
    const begun = large();
    const first = ask(begun, one);
    expect(await gate.next()).toBe(begun);
    const asked = Array.from({ length: 258 }, () => ask(large(), one));
    const late = ask("body 30", other);
    await queued();
    jest.advanceTimersByTime(999);
    expect(new Set(await answered(asked))).toEqual(new Set([null]));
    jest.advanceTimersByTime(1);
    const answers = await answered(asked);
    const refused = answers.filter((answer) => answer !== null);
    const left = asked.filter((_, index) => answers[index] === null);
    // Three seconds of the largest pictures; how many that are is the renderer's business.
    expect(left.length).toBeWithin(20, 200);
    for (const answer of refused) {
      expect(answer.status).toBe(429);
      expect(Number(answer.headers.get("retry-after"))).toBeWithin(1, 11);
    }
    expect((await readJson<Envelope<object>>(refused[0]!)).msg).toMatch(/^Too many pictures/);
    // One that comes late goes first.
    expect(await makeNext(1)).toEqual(["body 30"]);
    expect(await first.status).toBe(200);
    await makeNext(left.length);
    expect(await late.status).toBe(200);
    await makeLast(...left);
  },
);

test.skipIf(isCounting)(
  "clients have their pictures in turn, of one /64 or one address together",
  async () => {
    const begun = large();
    const first = ask(begun, third);
    expect(await gate.next()).toBe(begun);
    // Those that come first are the largest, and no picture is put off for that alone.
    const asked = [other, "2001:db8:1:2::1", "2001:db8:1:2::ffff"].map((client) => {
      const pictures = [large(), large()];
      return { pictures, asked: pictures.map((picture) => ask(picture, client)) };
    });
    await queued();
    const [others, ours, neighbours] = asked.map(({ pictures }) => pictures);
    const made = await makeNext(6);
    expect(made.slice(0, 4).filter((picture) => others!.includes(picture))).toHaveLength(2);
    expect(made.toSorted()).toEqual([...ours!, ...neighbours!, ...others!].toSorted());
    await makeLast(first, ...asked.flatMap((party) => party.asked));
  },
);

/** One of the networks of a customer. */
const network = (n: number) => `2001:db8:9:${n.toString(16)}::1`;

test.skipIf(isCounting)("a customer's 65,536 networks take no more than four clients may", async () => {
  jest.useFakeTimers();
  const begun = large();
  const first = ask(begun, third);
  expect(await gate.next()).toBe(begun);
  const crowd = Array.from({ length: 200 }, (_, n) => ask(large(), network(n)));
  const ours = Array.from({ length: 5 }, () => ask(large(), other));
  const more = Array.from({ length: 60 }, (_, n) => ask(large(), network(200 + n)));
  await queued();
  jest.advanceTimersByTime(1000);
  expect(new Set(await answered(ours))).toEqual(new Set([null]));
  const refused = await answered([...crowd, ...more]);
  const left = [...crowd, ...more].filter((_, index) => refused[index] === null);
  expect(left.length).toBeLessThan(200);
  await makeNext(left.length + ours.length);
  await makeLast(first, ...ours, ...left);
});

test.skipIf(isCounting)("of one client the small goes before the large", async () => {
  const begun = large();
  const first = ask(begun, one);
  expect(await gate.next()).toBe(begun);
  const asked = [ask(large(), one), ask(large(), one), ask("body 29", one)];
  await queued();
  expect((await makeNext(3))[0]).toBe("body 29");
  await makeLast(first, ...asked);
});

test.each(["GET", "HEAD"])("a %s whose client is gone is not drawn", async (method) => {
  const begun = large();
  const first = ask(begun, one);
  expect(await gate.next()).toBe(begun);
  const gone = Array.from({ length: 10 }, () => ask(large(), other, { method }));
  const wanted = large();
  const staying = ask(wanted, other, { method });
  await queued();
  for (const { leave } of gone) leave();
  await queued();
  expect(await makeNext(1)).toEqual([wanted]);
  await makeLast(first, staying);
  // No client reads it; the log does not call it a fault.
  for (const { status } of gone) expect(await status).toBe(499);
  expect(harness.takeComplaints()).toEqual([]);
});

test.skipIf(isCounting)(
  "a picture that several wait for is dropped when all are gone, and not before",
  async () => {
    const begun = large();
    const first = ask(begun, one);
    expect(await gate.next()).toBe(begun);
    const [shared, dropped] = [large(), large()];
    const waiting = [ask(shared, one), ask(shared, other), ask(shared, third)];
    const leaving = [ask(dropped, one), ask(dropped, other)];
    await queued();
    for (const { leave } of [...waiting.slice(0, 2), ...leaving]) leave();
    await queued();
    expect(await makeNext(1)).toEqual([shared]);
    await makeLast(first, ...waiting);
    expect(await waiting[2]!.status).toBe(200);
    expect(await leaving[0]!.status).toBe(499);
  },
);

test.skipIf(isCounting)(
  "a picture that another client asks for as well comes as soon as that one's would",
  async () => {
    const begun = large();
    const first = ask(begun, one);
    expect(await gate.next()).toBe(begun);
    const shared = large();
    const asked = [ask(shared, one), ...Array.from({ length: 4 }, () => ask(large(), one))];
    await queued();
    const joined = ask(shared, other);
    await queued();
    // The largest of its client would be the last.
    expect((await makeNext(5)).indexOf(shared)).toBe(0);
    await makeLast(first, joined, ...asked);
  },
);

test.skipIf(isCounting)(
  "small pictures in crowds go to the threads, and others still have theirs at once",
  async () => {
    const sizes = Array.from({ length: 250 }, (_, index) => index + 9);
    const pictures = sizes.flatMap((pixels) => [`head ${pixels}`, `body ${pixels}`]);
    const asked = pictures.map((picture) => ask(picture, one, { whose: bare }));
    await gate.next();
    expect(await ask("head 8", other, { whose: bare }).status).toBe(200);
    for (const { leave } of asked) leave();
    letGo();
    const statuses = await Promise.all(asked.map(({ status }) => status));
    expect(statuses.filter((status) => status === 200).length).toBeWithin(2, 400);
  },
);

test.skipIf(isCounting)("pictures and textures do not wait for each other", async () => {
  const begun = large();
  const first = ask(begun, one);
  expect(await gate.next()).toBe(begun);
  const uploaded = upload(harness, alice, { file: skinPng(1, { width: 192 }) });
  expect(await gate.next()).toBe("texture");
  await makeLast(first);
  const again = large();
  const second = ask(again, one);
  expect(await gate.next()).toBe(again);
  gate.letGo("texture");
  expect((await uploaded).status).toBe(200);
  await makeLast(second);
});

test.skipIf(isCounting)("clients that hang up are noticed by the server itself", async () => {
  const { address } = harness.listen();
  const begun = large();
  const first = ask(begun, one);
  expect(await gate.next()).toBe(begun);
  harness.takeRequests();
  const { hostname, port } = new URL(address);
  for (const method of ["GET", "HEAD", "GET"]) {
    const path = `/api/skin/body/${alice.uuid}?size=${large().slice(5)}`;
    const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${other}\r\n\r\n`;
    const socket = connect(Number(port), hostname, () => void socket.end(head));
  }
  const wanted = large();
  const staying = ask(wanted, other);
  const seen: unknown[] = [];
  while (seen.length < 3) {
    seen.push(...harness.takeRequests().map(({ status }) => status));
    await Bun.sleep(1);
  }
  expect(seen).toEqual([499, 499, 499]);
  expect(await makeNext(1)).toEqual([wanted]);
  await makeLast(first, staying);
});
