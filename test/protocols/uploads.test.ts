/** What launchers and games upload: every file that the intake refuses, in the form of the protocol. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readJson } from "../support/answers.ts";
import type { Harness } from "../support/harness.ts";
import { bombPng, headerOf, lyingPng, pngOfLength, rowsPng } from "../support/hostile-pngs.ts";
import { soundData, soundEnd, soundHeader } from "../support/hostile-pngs.ts";
import { addMember, type Member } from "../support/members.ts";
import { joinChunks } from "../render/png-fixtures.ts";
import { bitmapHash, capePng, skinBitmap, skinPng } from "../support/textures.ts";
import { openProtocols, type ProtocolWorld } from "./protocol-world.ts";

const root = "/api/yggdrasil";
let world: ProtocolWorld;
let harness: Harness;
let anna: Member;
let token: string;
beforeAll(async () => {
  world = await openProtocols({ settings: { WARDROBE_MAX: "1000" } });
  ({ harness } = world);
  anna = await addMember(harness, "Anna");
  const signedIn = await harness.fetch(`${root}/authserver/authenticate`, {
    method: "POST",
    body: JSON.stringify({ username: "Anna", password: anna.password }),
  });
  token = (await readJson<{ accessToken: string }>(signedIn)).accessToken;
});
afterAll(() => world[Symbol.asyncDispose]());

type Way = {
  readonly way: string;
  readonly request: () => string;
  readonly done: number;
  readonly model: string;
};

const ways: readonly Way[] = [
  {
    way: "authlib-injector's upload",
    request: () => `PUT ${root}/api/user/profile/${anna.uuid.replaceAll("-", "")}/skin`,
    done: 204,
    model: "model",
  },
  {
    way: "the game's upload",
    request: () => `POST ${root}/minecraftservices/minecraft/profile/skins`,
    done: 200,
    model: "variant",
  },
];

const text = (content: string) => new Uint8Array(Buffer.from(content));
const sound = joinChunks([soundHeader, soundData, soundEnd]);

const hostile: readonly (readonly [what: string, file: Uint8Array, status: number])[] = [
  ["an empty file", new Uint8Array(0), 400],
  ["a text", text("not a picture"), 400],
  [
    "a JPEG that is called .png",
    Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1),
    400,
  ],
  ["an SVG", text(`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>`), 400],
  ["a web page", text("<!doctype html><script>alert(1)</script>"), 400],
  ["a PNG cut in half", sound.subarray(0, sound.length / 2), 400],
  ["a PNG without its end", joinChunks([soundHeader, soundData]), 400],
  ["a size that is no skin's", lyingPng(63, 64), 400],
  ["a size of zero", joinChunks([headerOf(0, 0), soundData, soundEnd]), 400],
  ["the largest size of a PNG", lyingPng(2 ** 31 - 1, 2 ** 31 - 1), 400],
  ["a picture that inflates to 64 MiB", bombPng(64), 400],
  ["too few rows", rowsPng((rows) => rows.subarray(0, -10)), 400],
  ["a file of more than a megabyte", pngOfLength(1024 * 1024 + 1), 413],
];

async function upload(
  { request, model }: Way,
  file: Uint8Array | string | undefined,
  { slim = "slim", name = "skin.png", type = "image/png", bearer = token } = {},
) {
  const [method = "", path = ""] = request().split(" ");
  const form = new FormData();
  form.set(model, slim);
  if (typeof file === "string") form.set("file", file);
  else if (file !== undefined) form.set("file", new File([new Uint8Array(file)], name, { type }));
  const headers = { authorization: `Bearer ${bearer}` };
  const response = await harness.fetch(path, { method, headers, body: form });
  return { status: response.status, text: await response.text() };
}

const refusal = (answer: string): readonly string[] => {
  const body: unknown = JSON.parse(answer);
  return Object.keys(Object(body)).toSorted();
};

describe.each([...ways])("$way", (way) => {
  test.each([...hostile])("refuses %s", async (_, file, status) => {
    const files = await harness.countFiles();
    const answer = await upload(way, file);
    expect(answer.status).toBe(status);
    expect(refusal(answer.text)).toEqual(["error", "errorMessage"]);
    if (status === 400) expect(JSON.parse(answer.text).error).toBe("IllegalArgumentException");
    expect(await harness.countFiles()).toBe(files);
  });

  test("refuses a form without a file, a file that is a field, and no form at all", async () => {
    for (const file of [undefined, "text", ""]) {
      const answer = await upload(way, file);
      expect(answer.status).toBe(400);
      expect(refusal(answer.text)).toEqual(["error", "errorMessage"]);
    }
    const [method = "", path = ""] = way.request().split(" ");
    const broken: readonly (readonly [type: string | null, body: string])[] = [
      [null, ""],
      ["application/json", "{}"],
      ["multipart/form-data", "x"],
      ["multipart/form-data; boundary=x", "--y\r\n\r\n--y--"],
      ["text/plain", "x"],
    ];
    for (const [type, body] of broken) {
      const headers = { authorization: `Bearer ${token}`, ...(type !== null && { "content-type": type }) };
      const response = await harness.fetch(path, { method, headers, body });
      expect([400, 415]).toContain(response.status);
      expect(refusal(await response.text())).toEqual(["error", "errorMessage"]);
    }
  });

  test("goes by the bytes, whatever the file is called and said to be", async () => {
    const odd = [
      { name: "Steve.png", type: "image/png" },
      { name: "skin", type: "image/file" },
      { name: "skin.exe", type: "application/octet-stream" },
      { name: "../../etc/passwd", type: "text/html" },
      { name: "skin.jpg", type: "image/jpg" },
    ];
    for (const [at, options] of odd.entries()) {
      const answer = await upload(way, skinPng(100 + at), options);
      expect({ ...options, status: answer.status }).toEqual({ ...options, status: way.done });
    }
  });

  test.each(["", "classic", "CLASSIC", "steve", "default", "alex", "null", "SLIM ", "slim\u0000"])(
    "takes the model %j as classic",
    async (slim) => {
      expect((await upload(way, skinPng(200), { slim })).status).toBe(way.done);
      expect(await shownSkin()).toEqual({ hash: bitmapHash(skinBitmap(200)), model: undefined });
    },
  );

  test("takes slim as slim", async () => {
    expect((await upload(way, skinPng(200), { slim: "slim" })).status).toBe(way.done);
    expect(await shownSkin()).toEqual({ hash: bitmapHash(skinBitmap(200)), model: "slim" });
  });

  test.each(["", "x".repeat(32)])("asks for a token, which %j is not", async (bearer) => {
    expect((await upload(way, skinPng(1), { bearer })).status).toBe(401);
    expect((await upload(way, skinPng(1), { bearer: anna.jwt })).status).toBe(401);
  });
});

async function shownSkin() {
  const id = anna.uuid.replaceAll("-", "");
  const response = await harness.fetch(`${root}/sessionserver/session/minecraft/profile/${id}`);
  const { properties } = await readJson<{ properties: readonly { name: string; value: string }[] }>(response);
  const value = properties.find(({ name }) => name === "textures")?.value ?? "";
  const { SKIN } = JSON.parse(Buffer.from(value, "base64").toString()).textures;
  return { hash: SKIN.url.split("/").at(-1), model: SKIN.metadata?.model };
}

test("a cape that was not granted is refused, and so is what is no cape", async () => {
  const [skins] = ways;
  if (skins === undefined) throw new Error("no way");
  const capes = { ...skins, request: () => skins.request().replace(/skin$/, "cape") };
  const strange = await upload(capes, capePng(9));
  expect({ status: strange.status, keys: refusal(strange.text) }).toEqual({
    status: 403,
    keys: ["error", "errorMessage"],
  });
  for (const file of [text("not a picture"), new Uint8Array(0)]) {
    const answer = await upload(capes, file);
    expect([400, 403]).toContain(answer.status);
    expect(refusal(answer.text)).toEqual(["error", "errorMessage"]);
  }
});
