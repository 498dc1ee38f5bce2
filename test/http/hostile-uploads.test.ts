/** What bad input gets: 400, 413 or 415 in the envelope, nothing stored, nothing logged as a fault. */
import { afterAll, describe, expect, test } from "bun:test";
import { bitmapHash, capePng, skinBitmap, skinPng } from "../support/textures.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { addCape } from "../../src/domain/textures/capes.ts";
import { AppError } from "../../src/kernel/errors.ts";
import type { AccountId } from "../../src/kernel/ids.ts";
import { colourShapes, concat, expectedBitmap, joinChunks, makePng, pngOf } from "../render/png-fixtures.ts";
import { readPng } from "../render/png-reader.ts";
import { openHarness } from "../support/harness.ts";
import {
  legalShape,
  pngOfLength,
  soundData,
  soundEnd,
  soundHeader,
  soundShape,
} from "../support/hostile-pngs.ts";
import { bytesMax, hostileFiles, part, text } from "../support/hostile-files.ts";
import { addMember, addSkin, upload } from "../support/members.ts";
import { chunk, sendRaw } from "../support/raw-http.ts";
import { expectError, play, type Scenario } from "../support/scenario.ts";

const harness = await openHarness({ settings: { WARDROBE_MAX: "1000" } });
afterAll(() => harness[Symbol.asyncDispose]());
const alice = await addMember(harness, "Alice");
const server = harness.listen();

test("a sound picture in 4,096 pieces is taken", async () => {
  const pieces = Array.from({ length: 4094 }, () => part("teXt"));
  const file = joinChunks([soundHeader, ...pieces, soundData, soundEnd]);
  expect((await upload(harness, alice, { file })).status).toBe(200);
});

test.each(hostileFiles)("a file is refused: %s", async (_, file, status = 400, msg = /./) => {
  const before = await stored();
  await expectError(await upload(harness, alice, { file }), status, /^Skin upload failed: ./);
  await expectError(await upload(harness, alice, { file, slim: "false" }), status, msg);
  expect(await stored()).toEqual(before);
  expect(harness.takeComplaints()).toEqual([]);
});

describe("a form is refused", () => {
  const forms: readonly (readonly [what: string, body: FormData, msg: RegExp])[] = [
    ["with nothing in it", form(), /skin: /],
    ["without the file", form(["slim", "true"]), /skin: /],
    ["with the file under another name", form(["file", file()]), /skin: /],
    ["with a text for a file", form(["skin", "not a file"]), /skin: /],
    ["with two files", form(["skin", file()], ["skin", file()]), /skin: /],
    ["with a file and a text of one name", form(["skin", file()], ["skin", "x"]), /skin: /],
    ["with a part called toString", form(["skin", file()], ["toString", "x"]), /toString: is not a field/],
    ["with a part called __proto__", form(["skin", file()], ["__proto__", "x"]), /__proto__: is not a field/],
    ["with slim=maybe", form(["skin", file()], ["slim", "maybe"]), /slim: must be true or false/],
    ["with slim=TRUE", form(["skin", file()], ["slim", "TRUE"]), /slim: must be true or false/],
    ["with slim=1", form(["skin", file()], ["slim", "1"]), /slim: must be true or false/],
    ["with an empty slim", form(["skin", file()], ["slim", ""]), /slim: must be true or false/],
    ["with two of slim", form(["skin", file()], ["slim", "true"], ["slim", "true"]), /slim: /],
    ["with a file for slim", form(["skin", file()], ["slim", file()]), /slim: /],
    ["with two names", form(["skin", file()], ["name", "a"], ["name", "b"]), /name: /],
    ["with a file for a name", form(["skin", file()], ["name", file()]), /name: /],
    ["with an empty name", form(["skin", file()], ["name", ""]), /name: /],
    ["with a name of 65 characters", form(["skin", file()], ["name", "a".repeat(65)]), /name: /],
    ["with a name of 10 kB", form(["skin", file()], ["name", "a".repeat(10_000)]), /name: /],
    ["with a line end in the name", form(["skin", file()], ["name", "a\r\nb"]), /name: /],
    [
      "with slim arms on 64x32",
      form(["skin", file(skinPng(1, { width: 64, height: 32 }))], ["slim", "true"]),
      /slim: .*64x32/,
    ],
  ];
  test.each(forms)("%s", async (_, body, msg) => {
    const before = await stored();
    await play(harness, { ...uploading(body), status: 400, msg });
    await play(harness, { ...uploading(body), status: 400, msg: /^Skin upload failed: / });
    expect(await stored()).toEqual(before);
  });

  const boundary = "multipart/form-data; boundary=x";
  const opening = `--x\r\nContent-Disposition: form-data; name="skin"; filename="a.png"\r\n\r\n`;
  const bodies: readonly (readonly [what: string, type: string, body: string, status: number])[] = [
    ["without a boundary", "multipart/form-data", "--x--", 400],
    ["with an empty boundary", "multipart/form-data; boundary=", "--x--", 400],
    ["with another boundary", "multipart/form-data; boundary=y", `${opening}x\r\n--x--\r\n`, 400],
    ["that ends too soon", boundary, opening, 400],
    ["without a byte", boundary, "", 400],
    ["that is noise", boundary, "\0\x01\x02".repeat(1000), 400],
    [
      "of 5,000 parts",
      boundary,
      `${`--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n`.repeat(5_000)}--x--\r\n`,
      400,
    ],
    [
      "with a part without a name",
      boundary,
      `--x\r\nContent-Disposition: form-data\r\n\r\nx\r\n--x--\r\n`,
      400,
    ],
    [
      "with a heading of 10 kB",
      boundary,
      `--x\r\nContent-Disposition: form-data; name="${"a".repeat(10_000)}"\r\n\r\nx\r\n--x--\r\n`,
      400,
    ],
    ["that is JSON", "application/json", `{"skin":"x"}`, 415],
    ["that is a picture", "image/png", "x", 415],
    ["that is a form of the old kind", "application/x-www-form-urlencoded", "skin=x", 415],
    ["of no type", "", "x", 415],
    ["of a mixed kind", "multipart/mixed; boundary=x", `${opening}x\r\n--x--\r\n`, 415],
  ];
  test.each(bodies)("%s", async (_, type, body, status) => {
    const before = await stored();
    const headers = { "content-type": type };
    await play(harness, { ...uploading(text(body)), headers, status, msg: /^Skin upload failed: ./ });
    expect(await stored()).toEqual(before);
  });

  test("whose body breaks off", async () => {
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(text(opening));
        controller.error(new DOMException("The connection was closed.", "AbortError"));
      },
    });
    await play(harness, { ...uploading(broken), headers: { "content-type": boundary }, status: 400 });
  });

  test("and its files' names lead nowhere", async () => {
    const before = await stored();
    const body = form(["skin", file(skinPng(900), "../../../evil.png")]);
    await play(harness, { ...uploading(body), status: 200 });
    expect(await stored()).toEqual({
      skins: before.skins + 1,
      textures: before.textures + 1,
      files: before.files + 1,
    });
  });
});

describe("a body over the limit", () => {
  const upload = "POST /api/home/edit/upload";
  const signedIn = `Authorization: ${alice.authorization}`;
  const multipart = "Content-Type: multipart/form-data; boundary=x";
  const json = "Content-Type: application/json";
  const chunked = "Transfer-Encoding: chunked";
  const large = concat(chunk(new Uint8Array(1.5 * 1024 * 1024)), chunk(new Uint8Array(0)));

  test.each([
    ["an upload in chunks", head(upload, signedIn, multipart, chunked), large, 413],
    [
      "an upload whose length says too much already",
      head(upload, signedIn, multipart, "Content-Length: 9999999999"),
      null,
      413,
    ],
    ["an upload by a stranger", head(upload, multipart, chunked), large, 401],
    ["an upload of another type", head(upload, signedIn, json, chunked), large, 415],
    ["a login", head("POST /api/auth/login", json, chunked), large, 413],
    [
      "a login whose length says too much already",
      head("POST /api/auth/login", json, "Content-Length: 9999999999"),
      null,
      413,
    ],
    ["an edit: every failure is 400", head("PUT /api/home/edit/skin", signedIn, json, chunked), large, 400],
    ["an unknown address", head("POST /nothing", chunked), large, 404],
    ["a wrong method", head("PUT /api/auth/login", chunked), large, 405],
  ])("%s", async (_, request, body, status) => {
    const before = await stored();
    const answer = await sendRaw(server.address, request, body);
    expect(answer).toStartWith(`HTTP/1.1 ${status} `);
    const [, envelope = ""] = answer.split("\r\n\r\n");
    expect(JSON.parse(envelope)).toEqual({ error: true, msg: expect.any(String), url: null, data: {} });
    expect(await stored()).toEqual(before);
    expect(harness.takeComplaints()).toEqual([]);
  });

  test("requests that are no HTTP leave the service answering", async () => {
    for (const noise of [
      "\x16\x03\x01\0\r\n\r\n",
      "GET\r\n\r\n",
      head("GET /%", "Content-Length: -1"),
      "POST / HTTP/1.1\r\nHost",
    ]) {
      await sendRaw(server.address, `${noise}\r\n\r\n`);
    }
    expect((await fetch(`${server.address}/api/skin/head/Alice`)).status).toBe(200);
    expect(harness.takeComplaints()).toEqual([]);
  });

  test.each([
    "/api/skin/head/..",
    "/../../etc/passwd",
    "/api/skin/../../secrets/jwt-secret",
    "/textures/../../cloakroom.db",
  ])("a path with dots is not followed: %s", async (path) => {
    const answer = await sendRaw(server.address, head(`GET ${path}`));
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(answer).toContain(`"error":true`);
  });
});

describe("a legal file is taken and its pixels are right", () => {
  const kinds = colourShapes.flatMap(({ colourType, depth }) =>
    [false, true].map((interlaced) => ({ colourType, depth, interlaced })),
  );
  test.each(kinds)("colour type $colourType, $depth bits, interlaced $interlaced", async (kind) => {
    const shape = legalShape(kind.colourType, kind.depth, kind.interlaced);
    const uuid = await addSkin(harness, alice, { file: makePng(shape) });
    const served = readPng(await (await harness.fetch(`/api/skin/public/${uuid}`)).bytes());
    const expected = expectedBitmap(shape);
    expect(Buffer.compare(visible(served.data), visible(expected.data))).toBe(0);
    expect(bitmapHash(served)).toBe(bitmapHash(expected));
  });

  test.each([
    ["exactly the greatest length", pngOfLength(bytesMax)],
    ["the greatest width", makePng({ ...soundShape, width: 1024, height: 1024, filter: 0, sample: () => 9 })],
    ["one wholly transparent", pngOf({ width: 64, height: 64, data: new Uint8Array(64 * 64 * 4) })],
    [
      "one with metadata",
      joinChunks([soundHeader, part("tEXt", text("Comment\0<script>")), soundData, soundEnd]),
    ],
  ])("%s", async (_, file) => {
    const uuid = await addSkin(harness, alice, { file });
    const served = await (await harness.fetch(`/api/skin/public/${uuid}`)).bytes();
    expect(Buffer.from(served).toString("latin1")).not.toContain("script");
    expect(served.length).toBeLessThan(20_000);
  });
});

describe("a cape is refused", () => {
  test.each([
    ["a skin's size", skinPng(1)],
    ["64x33", capePng(1, { height: 33 })],
    ["a crop of the wrong ratio", capePng(1, { width: 22, height: 16 })],
    ["1x1", capePng(1, { width: 1, height: 1 })],
    ["no PNG", text("cape")],
  ])("%s", async (_, file) => {
    const before = await stored();
    const input = { file, name: "Cape", owners: [], expiresAt: null };
    const refused = addCape(harness.services, commandLine, input);
    expect(await refused.catch((error: unknown) => error)).toBeInstanceOf(AppError);
    expect(await stored()).toEqual(before);
  });

  test("with an unknown owner, and nothing of it stays", async () => {
    const before = await stored();
    const refused = addCape(harness.services, commandLine, {
      file: capePng(77),
      name: "Cape",
      owners: [alice.account.id, 4711 as AccountId],
      expiresAt: null,
    });
    expect(await refused.catch((error: unknown) => error)).toMatchObject({ kind: "invalid" });
    expect(await stored()).toEqual(before);
  });
});

test("an upload that the database refuses leaves no file behind", async () => {
  await using small = await openHarness({ settings: { WARDROBE_MAX: "1" } });
  const member = await addMember(small, "Alice");
  await addSkin(small, member, { file: skinPng(1) });
  const files = await small.countFiles();
  expect((await upload(small, member, { file: skinPng(2) })).status).toBe(400);
  expect(await small.countFiles()).toBe(files);
  expect((await small.fetch(`/textures/${bitmapHash(skinBitmap(2))}`)).status).toBe(404);
});

function uploading(body: NonNullable<Scenario["body"]>): Scenario {
  return { name: "", request: "POST /api/home/edit/upload", actor: alice, body, status: 200 };
}

/** How much there is of everything that an upload adds to. */
async function stored() {
  return {
    skins: harness.countRows("skins"),
    textures: harness.countRows("textures"),
    files: await harness.countFiles(),
  };
}

/** The pixels with nothing under alpha 0: what lies hidden there is the encoder's choice. */
function visible(data: Uint8Array): Uint8Array {
  return data.map((byte, i) => (data[i | 3] === 0 ? 0 : byte));
}

function file(content: Uint8Array = skinPng(1), name = "skin.png"): File {
  return new File([new Uint8Array(content)], name);
}

/** A form of these parts, in which a name may come twice. */
function form(...parts: readonly (readonly [string, string | File])[]): FormData {
  const made = new FormData();
  for (const [name, value] of parts) made.append(name, value);
  return made;
}

/** The head of a request as it goes over the wire. */
function head(request: string, ...headers: readonly string[]): string {
  return [`${request} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n");
}
