/** The memory of ready answers by itself, over a real feed of changes. */
import { afterAll, describe, expect, test } from "bun:test";
import { createAnswers } from "../../src/http/answers.ts";
import { answerWith } from "../../src/http/console/representation.ts";
import { createResponseCache, type CachedResponse } from "../../src/http/response-cache.ts";
import type { ChangeFeed, Subject } from "../../src/domain/ports/change-feed.ts";
import { limits } from "../../src/kernel/limits.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, addSkin, edit } from "../support/members.ts";
import { skinPng } from "../support/textures.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const { services } = harness;
const alice = await addMember(harness, "Alice");
await addSkin(harness, alice, { file: skinPng(1), slim: "false" });
const skins = [await addSkin(harness, alice, { file: skinPng(2), slim: "false" })];

const waiterOf = () => ({ client: "", gone: null });

function openMemory({ changes }: { readonly changes: ChangeFeed } = services) {
  const counted: number[] = [];
  const count = (status: number) => void counted.push(status);
  const observer = { ofReady: () => ({ GET: count, HEAD: count }), observe: () => Promise.reject() };
  const responseCache = createResponseCache({
    changes,
    observer,
    complete: () => undefined,
  });
  const answers = createAnswers({ ...services, responseCache, waiterOf, pictureMaxAge: 0 });
  const remember = (request: Request, subjects: readonly Subject[], body: CachedResponse["body"] = "body") =>
    responseCache.remember(request, services.changes.position(), {
      etag: '"1"',
      headers: new Headers(),
      body,
      subjects,
      holds: () => true,
    });
  return { responseCache, answers, remember, counted };
}

const at = (path: string, init?: RequestInit) => new Request(`http://localhost${path}`, init);
const select = (skinid = skins[0]) => edit(harness, alice, "POST /api/home/edit/skin/select", { skinid });
const aliceShown = () => services.reads.textures.findAppearance({ by: "uuid", value: alice.account.uuid });

test("nothing is given from memory while the feed has had no news for too long, and all of it afterwards", () => {
  let isFresh = true;
  const { changes } = services;
  const feed: ChangeFeed = {
    subscribe: (listener) => changes.subscribe(listener),
    position: (now) => changes.position(now),
    isFresh: () => isFresh,
    version: () => null,
  };
  const { responseCache, remember } = openMemory({ changes: feed });
  const request = at("/alice");
  remember(request, []);
  expect(responseCache.answer(request)?.status).toBe(200);
  isFresh = false;
  expect(responseCache.answer(request)).toBeUndefined();
  isFresh = true;
  expect(responseCache.answer(request)?.status).toBe(200);
});

test("an answer whose data was read before a change is not remembered after it", async () => {
  const { responseCache, answers } = openMemory();
  const request = at("/alice");
  const subjects = [`player:${alice.uuid}`] as const;
  const find = async (meanwhile: () => Promise<unknown>) => {
    const body = { skin: (await aliceShown())?.skin?.uuid };
    await meanwhile();
    return { body, subjects };
  };
  await answers.json(request, () => find(select));
  expect(responseCache.answer(request)).toBeUndefined();
  const answer = await answers.json(request, () => find(async () => undefined));
  expect(await answer.json()).toEqual({ skin: skins[0] });
  expect(await responseCache.answer(request)?.json()).toEqual({ skin: skins[0] });
});

test("a picture whose player changes while it is drawn is not remembered", async () => {
  const { responseCache, answers } = openMemory();
  const request = at("/alice/head");
  const { defaults } = services;
  const picture = { view: "head", type: "skin", size: 16 } as const;
  const worn = { file: defaults.classic, model: "classic" } as const;
  const shown = {
    what: { picture: { ...picture, skin: worn } },
    caching: "follows",
    subjects: [`player:${alice.uuid}`],
  } as const;
  const drawing = answers.image(request, async () => shown);
  await select();
  await drawing;
  expect(responseCache.answer(request)).toBeUndefined();
});

test("an answer goes with any of its subjects, and with no other", async () => {
  const { responseCache, remember } = openMemory();
  const [both, one, other] = [at("/both"), at("/one"), at("/other")];
  remember(both, [`skin:unknown`, `player:${alice.uuid}`]);
  remember(one, [`skin:unknown`]);
  remember(other, [`player:unknown`, `cape:${alice.uuid}`]);
  await select();
  expect(responseCache.answer(both)).toBeUndefined();
  expect(await responseCache.answer(one)?.text()).toBe("body");
  expect(await responseCache.answer(other)?.text()).toBe("body");
});

test("an address that is remembered again goes with its new subjects alone", async () => {
  const { responseCache, remember } = openMemory();
  const request = at("/again");
  remember(request, [`player:${alice.uuid}`]);
  remember(request, ["player:unknown"], "second");
  await select();
  expect(await responseCache.answer(request)?.text()).toBe("second");
});

test("memory is bounded by bytes: the oldest answers go first", () => {
  const { responseCache, remember } = openMemory();
  const body = "x".repeat(100_000);
  const fitting = Math.floor(limits.responseCacheBytesMax / (body.length + 4_000));
  const requests = Array.from({ length: 2 * fitting }, (_, number) => at(`/${number}`));
  for (const [number, request] of requests.entries()) remember(request, [`player:${number % 7}`], body);
  const kept = requests.map((request) => responseCache.answer(request) !== undefined);
  expect(kept.lastIndexOf(false)).toBe(kept.indexOf(true) - 1);
  const keptCount = kept.filter(Boolean).length;
  expect(keptCount).toBeGreaterThanOrEqual(fitting);
  expect(keptCount * body.length).toBeLessThanOrEqual(limits.responseCacheBytesMax);
});

test("an address that is too long is not remembered, nor is another method answered", () => {
  const { responseCache, remember, counted } = openMemory();
  const long = at(`/${"x".repeat(300)}`);
  remember(long, []);
  expect(responseCache.answer(long)).toBeUndefined();
  remember(at("/short"), []);
  expect(responseCache.answer(at("/short", { method: "POST" }))).toBeUndefined();
  expect(counted).toEqual([]);
});

describe("a page or a file of the console", () => {
  const page = { etag: '"1"', headers: new Headers(), body: new Blob(["page"]) };
  const keep = (memory: ReturnType<typeof openMemory>, request: Request) =>
    answerWith(memory, request, page, { position: services.changes.position(), subjects: [] });

  test("is remembered at its address, and not with a query, of which there is no end", () => {
    const memory = openMemory();
    for (const path of ["/page", "/page?", "/page?1", "/page?2"]) keep(memory, at(path));
    const isKept = (path: string) => memory.responseCache.answer(at(path)) !== undefined;
    expect(["/page", "/page?", "/page?1", "/page?2"].map(isKept)).toEqual([true, false, false, false]);
  });

  test.each([
    ["another language", { "accept-language": "ru", "accept-encoding": "zstd" }, false],
    ["another coding", { "accept-language": "de", "accept-encoding": "gzip" }, false],
    ["no coding", { "accept-language": "de" }, false],
    ["no language", { "accept-encoding": "zstd" }, false],
    [
      "other words for the same",
      { "accept-language": "de-AT,de;q=0.9", "accept-encoding": "br, zstd" },
      true,
    ],
  ])("for one language and coding does not answer for %s", (_, headers, isSame) => {
    const memory = openMemory();
    keep(memory, at("/page", { headers: { "accept-language": "de", "accept-encoding": "zstd" } }));
    expect(memory.responseCache.answer(at("/page", { headers })) !== undefined).toBe(isSame);
  });
});
