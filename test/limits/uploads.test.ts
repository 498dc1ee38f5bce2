/* How much of the service's work on textures one account gets. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import type { TextureImporter } from "../../src/domain/ports/pictures.ts";
import { uploadSkin } from "../../src/domain/textures/wardrobe.ts";
import { onBehalfOf } from "../../src/kernel/on-behalf.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { capeForm } from "../support/capes.ts";
import { openGate, type ThreadGate } from "../support/gated-threads.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addSkin, playerOf, upload, uploadForm, type Member } from "../support/members.ts";
import { skinPng } from "../support/textures.ts";

const wardrobeMax = 3;
/** Takes a thread. */
const hdSkin = skinPng(1, { width: 192 });

let gate: ThreadGate;
let harness: Harness;
beforeAll(async () => {
  gate = openGate();
  harness = await openHarness({
    settings: { WARDROBE_MAX: String(wardrobeMax) },
    threads: { ...gate.threads, now: () => 0 },
  });
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  gate[Symbol.dispose]();
});

let people = 0;
async function someone(level: 1 | 3 = 1): Promise<Member> {
  const member = await addMember(harness, `Someone${people++}`, { level });
  const { authorization } = member;
  // A token that was seen before is looked at without a wait, so requests go on in the order in which they
  // are made.
  await harness.fetch("/api/home", { headers: { authorization } });
  return member;
}

const skins = "/api/home/edit/upload";
const capes = "/api/admin/user/cape/upload";

/** An upload whose body does not come: an answer to it is one that was given before the body was read. */
function uploadSlowly({ authorization }: Member, path: string) {
  const began = Promise.withResolvers<void>();
  const broken = Promise.withResolvers<void>();
  let pulls = 0;
  const body = new ReadableStream({
    pull: async (controller) => {
      // The first comes before anybody reads.
      if (pulls++ === 0) return controller.enqueue(new Uint8Array(1));
      began.resolve();
      await broken.promise;
      controller.error(new Error("gone"));
    },
  });
  const headers = { authorization, "content-type": "multipart/form-data; boundary=b" };
  return {
    answer: harness.fetch(path, { method: "POST", headers, body }),
    /** The service waits for its body. */
    began: began.promise,
    /** The client goes away. */
    breakOff: () => broken.resolve(),
  };
}

test.each([
  ["skin", skins, (member: Member) => upload(harness, member, {})],
  ["cape", capes, uploadCape],
])(
  "a third %s of an account is refused before its body is read, until one is done",
  async (_, path, send) => {
    const [alice, bob] = [await someone(3), await someone(3)];
    const underway = [uploadSlowly(alice, path), uploadSlowly(alice, path)];
    for (const { began } of underway) await began;
    const refused = await uploadSlowly(alice, path).answer;
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("2");
    const { msg } = await readJson<Envelope<object>>(refused);
    expect(msg).toBe("You have 2 uploads under way: try again when one of them is done");
    expect((await send(bob)).status).toBe(200);
    underway[0]?.breakOff();
    await underway[0]?.answer;
    expect((await send(alice)).status).toBe(200);
    expect((await send(alice)).status).toBe(200);
    underway[1]?.breakOff();
    await underway[1]?.answer;
  },
);

test("an upload that fails, however it does, gives its place back", async () => {
  const alice = await someone();
  const headers = { authorization: alice.authorization };
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
  const type = "multipart/form-data; boundary=b";
  const failing: readonly (readonly [RequestInit, number])[] = [
    [{ headers: { ...headers, "content-type": "application/json" }, body: "{}" }, 415],
    [{ headers: { ...headers, "content-type": type }, body: broken }, 400],
    [{ headers, body: new FormData() }, 400],
    [{ headers, body: uploadForm({ file: new Uint8Array(9) }) }, 400],
    [{ headers, body: uploadForm({ file: new Uint8Array(2_000_000) }) }, 413],
    [{ headers, body: uploadForm({ slim: "true", file: skinPng(1, { width: 64, height: 32 }) }) }, 400],
  ];
  for (const [init, status] of failing) {
    expect((await harness.fetch(skins, { method: "POST", ...init })).status).toBe(status);
  }
  const both = [upload(harness, alice, { file: skinPng(2) }), upload(harness, alice, { file: skinPng(3) })];
  for (const one of both) expect((await one).status).toBe(200);
});

/**
 * An upload's use case with an importer that notes whose texture was imported, in the order in which it was.
 */
function notedImports() {
  const imported: string[] = [];
  const { services } = harness;
  const importer: TextureImporter = {
    ...services.importer,
    skin: async (file, model, client) => {
      const incoming = await services.importer.skin(file, model, client);
      imported.push(client);
      return incoming;
    },
  };
  const input = { file: hdSkin, model: null, name: null, select: false };
  return {
    imported,
    upload: (player: Awaited<ReturnType<typeof playerOf>>) =>
      uploadSkin({ ...services, importer }, commandLine, player, input),
  };
}

async function importOneByOne(uploads: readonly Promise<unknown>[]): Promise<void> {
  for (const _ of uploads) {
    expect(await gate.next()).toBe("texture");
    gate.letGo("texture");
  }
  await Promise.all(uploads);
}

test("accounts have their textures imported by turns", async () => {
  const [alice, bob] = [await playerOf(harness, await someone()), await playerOf(harness, await someone())];
  const { imported, upload } = notedImports();
  await importOneByOne([alice, alice, bob].map((player) => upload(player)));
  expect(imported).toEqual([alice, bob, alice].map(({ accountId }) => String(accountId)));
});

test("accounts of one address have their textures imported as four would", async () => {
  const crowd: Awaited<ReturnType<typeof playerOf>>[] = [];
  while (crowd.length < 8) crowd.push(await playerOf(harness, await someone()));
  const other = await playerOf(harness, await someone());
  const { imported, upload } = notedImports();
  const from = (client: string, player: typeof other) =>
    onBehalfOf({ client, gone: null }, () => upload(player));
  await importOneByOne([...crowd.map((player) => from("192.0.2.1", player)), from("198.51.100.2", other)]);
  expect(imported.indexOf(String(other.accountId))).toBeLessThanOrEqual(5);
});

test("a full wardrobe takes no more, before the body is read", async () => {
  const alice = await someone();
  for (let seed = 0; seed < wardrobeMax; seed++) await addSkin(harness, alice, { file: skinPng(seed) });
  const refused = await uploadSlowly(alice, skins).answer;
  expect(refused.status).toBe(400);
  const { msg } = await readJson<Envelope<object>>(refused);
  expect(msg).toBe(`Skin upload failed: the wardrobe holds ${wardrobeMax} skins already; delete one first`);
  // Nor does the command line look at the file.
  const input = { file: new Uint8Array(), model: null, name: null, select: false };
  const refusal = uploadSkin(harness.services, commandLine, await playerOf(harness, alice), input).catch(
    String,
  );
  expect(await refusal).toContain("the wardrobe holds 3 skins already");
});

test("a wardrobe that is filled while a skin is imported does not take it", async () => {
  const member = await someone();
  for (let seed = 1; seed < wardrobeMax; seed++) await addSkin(harness, member, { file: skinPng(seed) });
  const [alice, { services }] = [await playerOf(harness, member), harness];
  const input = { file: skinPng(9), model: null, name: null, select: false } as const;
  const importer: TextureImporter = {
    ...services.importer,
    skin: async (...texture) => {
      await uploadSkin(services, commandLine, alice, input);
      return services.importer.skin(...texture);
    },
  };
  const late = await uploadSkin({ ...services, importer }, commandLine, alice, input).catch(String);
  expect(late).toContain("the wardrobe holds 3 skins already");
  expect(await services.reads.textures.countSkins(alice.accountId)).toBe(wardrobeMax);
});

test("an account uploads thirty times a minute, and then waits", async () => {
  await using limited = await openHarness({ settings: { RATE_LIMIT_FACTOR: "1", WARDROBE_MAX: "100" } });
  const [alice, bob] = [await addMember(limited, "Alice"), await addMember(limited, "Bob")];
  for (let n = 0; n < 30; n++) await addSkin(limited, alice, {});
  const refused = await upload(limited, alice, {});
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("60");
  expect((await upload(limited, bob, {})).status).toBe(200);
  limited.clock.advance(60);
  expect((await upload(limited, alice, {})).status).toBe(200);
});

function uploadCape({ authorization }: Member): Promise<Response> {
  return harness.fetch(capes, { method: "POST", headers: { authorization }, body: capeForm() });
}
