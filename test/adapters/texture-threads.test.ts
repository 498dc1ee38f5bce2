import { afterEach, expect, jest, test } from "bun:test";
import { createPictureRenderer } from "../../src/adapters/texture-threads/picture-renderer.ts";
import {
  openThreadPool,
  type ThreadPool,
  type ThreadPoolOptions,
} from "../../src/adapters/texture-threads/thread-pool.ts";
import { drawPicture, expectedMilliseconds } from "../../src/adapters/texture-threads/tasks.ts";
import type { PictureJob, PictureOrder } from "../../src/domain/ports/pictures.ts";
import { Waiters } from "../../src/kernel/waiters.ts";
import { decodeStoredPng } from "../../src/render/png-decode.ts";
import { encodePng } from "../../src/render/png-encode.ts";
import { forgetTables, isTableDue } from "../../src/render/tables.ts";

const skinPng = await Bun.file(`${import.meta.dir}/../../src/domain/textures/defaults/slim.png`).bytes();
const capePng = encodePng({ width: 64, height: 32, data: new Uint8Array(64 * 32 * 4).fill(200) });
const fineCapePng = encodePng({ width: 128, height: 64, data: new Uint8Array(128 * 64 * 4).fill(200) });
const skin = { png: skinPng, model: "slim" } as const;

/** A turn of somebody who waits for as long as it takes. */
const waitingFor = (client = "somebody") => new Waiters({ client, gone: null });
const turn = () => ({ waiters: waitingFor(), expectedMilliseconds: 1 });
const draw = (pool: ThreadPool, job: PictureJob) => pool.run(turn(), "drawPicture", () => [job]);

test.each<PictureJob>([
  { view: "head", type: "skin", size: 64, skin },
  { view: "head", type: "player", size: 64, skin },
  { view: "body", type: "skin", size: 64, skin },
  { view: "body", type: "player", size: 64, skin },
  { view: "cape", type: "skin", size: 64, cape: capePng },
  { view: "cape", type: "player", size: 64, skin, cape: capePng },
  { view: "legacy", type: "skin", size: 64, skin },
  { view: "reduced", type: "skin", size: 64, texture: fineCapePng },
])("makes the same $view/$type in a thread as on the spot", async (job) => {
  await using pool = openThreadPool("pictures");
  const png = await draw(pool, job);
  expect(decodeStoredPng(png).width).toBe(64);
  expect(png).toEqual(drawPicture(job));
});

test("records a table when the second picture of a size was answered", async () => {
  forgetTables();
  const job = { view: "head", type: "player", size: 43, skin } as const;
  const first = drawPicture(job);
  expect(drawPicture(job)).toEqual(first);
  expect(isTableDue()).toBe(true);
  while (isTableDue()) await Bun.sleep(10);
  expect(drawPicture(job)).toEqual(first);
});

const neverRead = () => Promise.reject(new Error("It is not read"));

/** How long both forms of a texture are expected to take. */
function formMilliseconds(width: number): readonly number[] {
  const size = { width, height: width };
  const legacy = {
    view: "legacy",
    type: "skin",
    size: 64,
    skin: { ...size, model: "slim" },
    read: neverRead,
  } as const;
  const reduced = { view: "reduced", type: "skin", size: 64, texture: size, read: neverRead } as const;
  return [legacy, reduced].map(expectedMilliseconds);
}

test("a texture in another form is made on the spot where it is small, and in a thread where it is fine", () => {
  for (const milliseconds of formMilliseconds(128)) expect(milliseconds).toBeLessThan(5);
  for (const milliseconds of formMilliseconds(1024)) expect(milliseconds).toBeGreaterThan(20);
});

test.each([
  ["a texture that is missing", { view: "body", type: "skin", size: 64 }],
  ["a file that is no PNG", { view: "cape", type: "skin", size: 64, cape: Uint8Array.of(1, 2, 3) }],
] as const)("fails for %s and goes on", async (_, job) => {
  await using pool = openThreadPool("pictures", { threads: 1 });
  expect(draw(pool, job)).rejects.toThrow();
  const next = draw(pool, { view: "head", type: "skin", size: 8, skin });
  expect(await next).toBeInstanceOf(Uint8Array);
});

function openFaultyPool(options: Partial<ThreadPoolOptions> = {}): ThreadPool {
  const entry = new URL("./faulty-worker.ts", import.meta.url);
  return openThreadPool("pictures", { threads: 1, entry, ...options });
}

/** What the stand-in answers: how many tasks its thread has had. */
async function tasksOfThread(
  pool: ThreadPool,
  deed: "count" | "refuse" | "crash" | "exit" | "hang" = "count",
): Promise<number | undefined> {
  const png = new TextEncoder().encode(deed);
  const job = { view: "head", type: "skin", size: 8, skin: { png, model: "classic" } } as const;
  return (await draw(pool, job))[0];
}

afterEach(() => {
  jest.useRealTimers();
});

test("one thread takes one picture after the other", async () => {
  await using pool = openFaultyPool();
  expect(await Promise.all([tasksOfThread(pool), tasksOfThread(pool), tasksOfThread(pool)])).toEqual([
    1, 2, 3,
  ]);
});

test("two threads share two pictures", async () => {
  await using pool = openFaultyPool({ threads: 2 });
  expect(await Promise.all([tasksOfThread(pool), tasksOfThread(pool)])).toEqual([1, 1]);
});

test("large pictures leave a thread to the small", async () => {
  await using pool = openFaultyPool({ threads: 2 });
  const draw = (expectedMilliseconds: number, deed: string) => {
    const png = new TextEncoder().encode(deed);
    const job = { view: "head", type: "skin", size: 8, skin: { png, model: "classic" } } as const;
    return pool.run({ waiters: waitingFor(), expectedMilliseconds }, "drawPicture", () => [job]);
  };
  const drawn: string[] = [];
  const large = ["hang", "count"].map((deed) =>
    draw(1000, deed).then(() => void drawn.push("large"), String),
  );
  for (let n = 0; n < 3; n++) await draw(10, "count");
  expect(drawn).toEqual([]);
  await pool[Symbol.asyncDispose]();
  expect((await Promise.all(large)).every((refusal) => refusal?.includes("stopping"))).toBe(true);
});

test("a picture that is refused leaves its thread alone", async () => {
  await using pool = openFaultyPool();
  expect(tasksOfThread(pool, "refuse")).rejects.toThrow("the texture is torn");
  expect(await tasksOfThread(pool)).toBe(2);
});

const hugePng = encodePng({ width: 1024, height: 1024, data: new Uint8Array(1024 * 1024 * 4).fill(200) });

/** The order of a picture of these textures. */
function orderOf(job: PictureJob): PictureOrder {
  const { view, type, size } = job;
  const read = async () => job;
  if (job.skin === undefined) return { view, type, size, read };
  const { width, height } = decodeStoredPng(job.skin.png);
  return { view, type, size, skin: { width, height, model: job.skin.model }, read };
}

test.each<[string, string, PictureJob]>([
  ["a small picture", "on the spot", { view: "head", type: "skin", size: 100, skin }],
  ["a large picture", "in a thread", { view: "body", type: "player", size: 1024, skin }],
  [
    "a small picture of a huge texture",
    "in a thread",
    { view: "body", type: "skin", size: 16, skin: { png: hugePng, model: "classic" } },
  ],
  [
    "the head of a huge texture",
    "on the spot",
    { view: "head", type: "skin", size: 16, skin: { png: hugePng, model: "classic" } },
  ],
])("makes %s %s", async (_, place, job) => {
  await using pool = openFaultyPool();
  const madeByStandIn = (await createPictureRenderer(pool)(orderOf(job), waitingFor())).length === 1;
  expect(madeByStandIn).toBe(place === "in a thread");
});

test("makes small pictures in a thread for a client that asks for many, and on the spot for others", async () => {
  await using pool = openFaultyPool();
  const render = createPictureRenderer(pool, () => 0);
  const order = orderOf({ view: "head", type: "skin", size: 256, skin });
  const madeByStandIn = async (client: string) => (await render(order, waitingFor(client))).length === 1;
  let times = 0;
  while (times < 10_000 && !(await madeByStandIn("many"))) times++;
  expect(times).toBe(Math.floor(50 / expectedMilliseconds(order)));
  expect(await madeByStandIn("other")).toBe(false);
});

test("reads no textures before the picture's turn", async () => {
  await using pool = openFaultyPool();
  const render = createPictureRenderer(pool);
  const order = orderOf({ view: "body", type: "skin", size: 16, skin: { png: hugePng, model: "classic" } });
  let reads = 0;
  const read = () => {
    reads++;
    return order.read();
  };
  const all = Array.from({ length: 3 }, () => render({ ...order, read }, waitingFor()));
  expect(reads).toBe(1);
  await Promise.all(all);
  expect(reads).toBe(3);
});

test("makes no picture for a client that is gone", async () => {
  await using pool = openFaultyPool();
  const waiters = new Waiters({ client: "somebody", gone: AbortSignal.abort() });
  const order = orderOf({ view: "head", type: "skin", size: 100, skin });
  const made = createPictureRenderer(pool)(order, waiters).catch((error: unknown) => error);
  expect(await made).toMatchObject({ name: "AbortError" });
});

test.each([
  ["crash", "the thread stumbles"],
  ["exit", "ended"],
] as const)(
  "a thread's %s fails the picture it had, and the next one gets a new thread",
  async (deed, message) => {
    await using pool = openFaultyPool();
    const [lost, next] = await Promise.allSettled([tasksOfThread(pool, deed), tasksOfThread(pool)]);
    expect(lost).toMatchObject({ status: "rejected", reason: { message: expect.stringContaining(message) } });
    expect(next).toEqual({ status: "fulfilled", value: 1 });
  },
);

test("a thread that cannot start fails the picture", async () => {
  await using pool = openFaultyPool({ entry: new URL("./no-such-worker.ts", import.meta.url) });
  expect(tasksOfThread(pool)).rejects.toThrow("crashed");
});

test("refuses a picture more than may wait, and serves those before it", async () => {
  await using pool = openFaultyPool({ waitingMax: 2 });
  const accepted = [tasksOfThread(pool), tasksOfThread(pool), tasksOfThread(pool)];
  expect(tasksOfThread(pool)).rejects.toMatchObject({ name: "AppError", kind: "limited" });
  expect(await Promise.all(accepted)).toEqual([1, 2, 3]);
  expect(await tasksOfThread(pool)).toBe(4);
});

test("an idle thread is stopped, and a new one started at need", async () => {
  jest.useFakeTimers();
  await using pool = openFaultyPool({ idleMilliseconds: 1000 });
  expect(await tasksOfThread(pool)).toBe(1);
  jest.advanceTimersByTime(999);
  expect(await tasksOfThread(pool)).toBe(2);
  jest.advanceTimersByTime(999);
  expect(await tasksOfThread(pool)).toBe(3);
  jest.advanceTimersByTime(1000);
  expect(await tasksOfThread(pool)).toBe(1);
});

test("a picture without end is given up, and the next one gets a new thread", async () => {
  jest.useFakeTimers();
  await using pool = openFaultyPool({ taskMilliseconds: 1000 });
  const pending = Promise.allSettled([tasksOfThread(pool, "hang"), tasksOfThread(pool)]);
  // By then the thread has the task.
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  jest.advanceTimersByTime(1000);
  const [lost, next] = await pending;
  expect(lost).toMatchObject({ status: "rejected", reason: { message: "The task took too long" } });
  expect(next).toEqual({ status: "fulfilled", value: 1 });
});

test("closing refuses what runs, what waits and what comes later, and is no fault", async () => {
  const pool = openFaultyPool();
  const pending = Promise.allSettled([tasksOfThread(pool), tasksOfThread(pool)]);
  await pool[Symbol.asyncDispose]();
  const refused = { status: "rejected", reason: { name: "AppError", kind: "limited" } };
  expect(await pending).toMatchObject([refused, refused]);
  expect(tasksOfThread(pool)).rejects.toThrow("The server is stopping");
});
