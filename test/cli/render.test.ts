import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createCanvas } from "../../src/render/bitmap.ts";
import { decodeStoredPng } from "../../src/render/png-decode.ts";
import { encodePng } from "../../src/render/png-encode.ts";
import { drawScout } from "../../tools/art/scout.ts";
import { run, runProcess, temporaryFolder } from "./run-program.ts";
import { writeTexture } from "./textures.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let skin: string;
let cape: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  skin = await writeTexture(folder.path, "skin.png", { width: 64, height: 64 });
  cape = await writeTexture(folder.path, "cape.png", { width: 22, height: 17, colour: 0xff00ff00 });
});
afterAll(() => folder[Symbol.asyncDispose]());

const place = (name: string) => join(folder.path, name);

async function picture(args: readonly string[]) {
  const out = place("out.png");
  const outcome = await run(["render", ...args, "--out", out]);
  expect(outcome.error).toBe("");
  return decodeStoredPng(await Bun.file(out).bytes());
}

test("an example skin, which can be rendered as it is", async () => {
  const { code, out, error } = await run(["render", "--example", place("example.png")]);
  const { size } = Bun.file(place("example.png"));
  const text = `${place("example.png")}: an example skin with slim arms, ${size} bytes\n`;
  expect({ code, out, error }).toEqual({ code: 0, out: text, error: "" });
  expect(encodePng(drawScout())).toEqual(await Bun.file(place("example.png")).bytes());
  const drawn = await picture([place("example.png")]);
  expect([drawn.width, drawn.height]).toEqual([256, 512]);
});

describe("draws", () => {
  test.each([
    ["head", "skin", 16, 16, 16],
    ["head", "player", 16, 16, 16],
    ["body", "skin", 16, 16, 32],
    ["body", "player", 16, 16, 32],
  ] as const)("%s %s at %i", async (...row) => {
    const [view, type, size, width, height] = row;
    const drawn = await picture([skin, "--view", view, "--type", type, "--size", String(size)]);
    expect([drawn.width, drawn.height]).toEqual([width, height]);
  });

  test("a flat cape from the cape's file", async () => {
    const drawn = await picture([cape, "--view", "cape", "--type", "skin", "--size", "64"]);
    expect([drawn.width, drawn.height]).toEqual([64, 32]);
    expect(drawn.data.subarray(4, 8)).toEqual(new Uint8Array([0, 255, 0, 255]));
  });

  test("a player from behind with the cape on", async () => {
    const drawn = await picture([skin, "--view", "cape", "--type", "player", "--size", "32", "--cape", cape]);
    const greens = new Uint32Array(drawn.data.slice().buffer).filter(
      (word) => (word & 0xffff00ff) >>> 0 === 0xff000000,
    );
    expect([drawn.width, drawn.height]).toEqual([32, 64]);
    expect(greens.length).toBeGreaterThan(50);
  });
});

const flatBody = (file: string, ...more: string[]) =>
  picture([file, "--view", "body", "--type", "skin", "--size", "16", ...more]);
/** Alpha of the outermost column at the height of the arms. */
const arm = ({ data }: { data: Uint8Array }) => data[10 * 16 * 4 + 3];

test("finds the model from the pixels unless --slim is given", async () => {
  const canvas = createCanvas(64, 64);
  canvas.words.fill(0xff3366cc); // every pixel is opaque, so the pixels say classic
  await Bun.write(place("full.png"), encodePng(canvas));
  expect(arm(await flatBody(place("full.png")))).toBe(255);
  expect(arm(await flatBody(place("full.png"), "--slim"))).toBe(0);
});

test("prints what it wrote, as text or as JSON", async () => {
  const args = [
    "render",
    skin,
    "--view",
    "body",
    "--type",
    "skin",
    "--size",
    "8",
    "--out",
    place("written.png"),
  ];
  const bytes = async () => Bun.file(place("written.png")).size;
  expect((await run(args)).out).toBe(`${place("written.png")}: 8x16, ${await bytes()} bytes\n`);
  expect(JSON.parse((await run([...args, "--json"])).out)).toEqual({
    file: place("written.png"),
    width: 8,
    height: 16,
    bytes: await bytes(),
  });
});

const attempt = async (file: string, out = place("none.png")) => {
  const {
    code,
    error,
    out: printed,
  } = await run(["render", file, "--view", "head", "--type", "skin", "--size", "8", "--out", out]);
  expect({ code, printed, exists: await Bun.file(place("none.png")).exists() }).toEqual({
    code: 1,
    printed: "",
    exists: false,
  });
  return error;
};

describe("fails with 1, names the file, and writes nothing", () => {
  test("for a file that is not there", async () => {
    expect(await attempt(place("nix.png"))).toBe(`cloakroom: ${place("nix.png")}: no such file or folder\n`);
  });

  test("for a folder", async () => {
    expect(await attempt(folder.path)).toBe(`cloakroom: ${folder.path}: it is a folder\n`);
  });

  test("for a file that is no PNG", async () => {
    await Bun.write(place("text.png"), "hello");
    const error = await attempt(place("text.png"));
    expect(error).toStartWith(`cloakroom: ${place("text.png")}: `);
    expect(error).toContain("not a PNG");
    expect(error).not.toContain("    at ");
  });

  test("for a picture that is no skin", async () => {
    const odd = await writeTexture(folder.path, "odd.png", { width: 65, height: 64 });
    expect(await attempt(odd)).toContain("65 x 64");
  });

  test("for a place that cannot be written", async () => {
    await mkdir(place("folder"), { recursive: true });
    expect(await attempt(skin, place("folder"))).toBe(`cloakroom: ${place("folder")}: it is a folder\n`);
  });
});

test("works as a process of its own", async () => {
  const args = [
    "render",
    "skin.png",
    "--view",
    "head",
    "--type",
    "player",
    "--size",
    "64",
    "--out",
    "head.png",
  ];
  const { code, out, error } = await runProcess(args, { folder: folder.path });
  expect({ code, error }).toEqual({ code: 0, error: "" });
  expect(out).toContain("head.png: 64x64, ");
  expect(decodeStoredPng(await Bun.file(place("head.png")).bytes()).width).toBe(64);
});
