/** The figure in a real browser: what it shows is what the server's pictures show. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Bitmap, Canvas } from "../../src/render/bitmap.ts";
import { decodePng } from "../../src/render/png-decode.ts";
import { renderPicture } from "../../src/render/render.ts";
import { expectAlike } from "../render/alike.ts";
import { fill, paintSkin, variedSkin, type SkinOptions } from "../render/paint.ts";
import { pngOf } from "../render/png-fixtures.ts";
import { readPng } from "../render/png-reader.ts";
import { openConsole, type Console, type Visitor } from "../support/console-browser.ts";
import { skinBitmap } from "../support/textures.ts";

const width = 200;
const defaults = new URL("../../src/domain/textures/defaults/", import.meta.url);

let console: Console;
let visitor: Visitor;
beforeAll(async () => {
  console = await openConsole();
  // The viewer comes into the page by itself here; the pages' tests hold it to their policy.
  visitor = await console.visit({ bypassCSP: true });
  await visitor.open("/login");
  await visitor.page.addScriptTag({ content: await viewerScript() });
});
afterAll(async () => {
  await visitor[Symbol.asyncDispose]();
  await console[Symbol.asyncDispose]();
});

async function viewerScript(): Promise<string> {
  const path = Bun.fileURLToPath(new URL("../../src/web/viewer/viewer.ts", import.meta.url));
  const built = await Bun.build({ entrypoints: [path], target: "browser", format: "esm" });
  const code = await built.outputs[0]!.text();
  return `(() => { ${code.replace(/export\s*\{\s*createViewer\s*\};?/, "window.createViewer = createViewer;")} })()`;
}

type Look = { skin: Bitmap; model: "classic" | "slim"; cape?: Bitmap; elytra?: Bitmap };
type Moment = { animation: string | null; seconds: number; yaw: number; pitch: number };
const still: Moment = { animation: null, seconds: 0, yaw: 24, pitch: 10 };

const file = (bitmap?: Bitmap) => (bitmap ? Buffer.from(pngOf(bitmap)).toString("base64") : null);

/** Shows a look in one moment, and returns what the canvas shows. */
async function shoot(page: Page, look: Look, moment: Moment): Promise<Bitmap> {
  const { model } = look;
  const files = { skin: file(look.skin), cape: file(look.cape), elytra: file(look.elytra) };
  const address = await page.evaluate<string>(`(async () => {
    const { files, model, moment } = ${JSON.stringify({ files, model, moment })};
    document.querySelector("#shot")?.remove();
    const canvas = Object.assign(document.createElement("canvas"), { id: "shot" });
    Object.assign(canvas.style, { position: "fixed", inset: "0 auto auto 0", width: "${width}px", height: "${2 * width}px" });
    document.body.append(canvas);
    const viewer = window.createViewer(canvas, () => { throw new Error("the viewer failed"); });
    const load = (file) => file === null ? null : createImageBitmap(
      new Blob([Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0))], { type: "image/png" }),
      { premultiplyAlpha: "none", colorSpaceConversion: "none" });
    const look = { model, skin: await load(files.skin), cape: await load(files.cape), elytra: await load(files.elytra) };
    // It draws only what is in view, which the browser says after a frame.
    await new Promise((seen) => new IntersectionObserver((all, own) => all[0].isIntersecting && (own.disconnect(), seen())).observe(canvas));
    viewer.show(look);
    const { width, height } = canvas;
    const blank = Object.assign(document.createElement("canvas"), { width, height }).toDataURL();
    let picture = blank;
    // A busy browser may take the context away; the viewer then draws some frames later.
    for (let frames = 0; picture === blank && frames < 60; frames++) {
      viewer.pose(moment);
      picture = await new Promise((drawn) => requestAnimationFrame(() => drawn(canvas.toDataURL())));
    }
    viewer.dispose();
    return picture;
  })()`);
  return readPng(new Uint8Array(Buffer.from(address.split(",")[1]!, "base64")));
}

/** Opaque everywhere: an export that has merged the layers. */
function flattened(options: SkinOptions): Canvas {
  const sheet = variedSkin(options);
  sheet.words.forEach((word, i) => (sheet.words[i] = (word | 0xff000000) >>> 0));
  return sheet;
}

/** The first layer's colours lie under alpha 0. */
function hollow(): Bitmap {
  const sheet = flattened({});
  sheet.words.forEach((word, i) => (sheet.words[i] = word & 0x00ffffff));
  return sheet;
}

function oldSheet(hat: "whole" | "with a hole"): Bitmap {
  const sheet = paintSkin(({ rect: [x, y], column, row }) => [x + column, (y + row) * 3, 90], { height: 32 });
  fill(sheet, [32, 0, 32, 32], [200, 40, 40]);
  if (hat === "with a hole") fill(sheet, [40, 8, 2, 2], [0, 0, 0, 0]);
  return sheet;
}

function capeSheet(): Bitmap {
  const sheet = paintSkin(() => undefined, { height: 32 });
  sheet.words.forEach((_, i) => (sheet.words[i] = (0xff303030 + ((i * 2_654_435) & 0x7f7f7f)) >>> 0));
  return sheet;
}

async function defaultSkin(name: string): Promise<Bitmap> {
  const bytes = new Uint8Array(await Bun.file(new URL(`${name}.png`, defaults)).arrayBuffer());
  return decodePng(bytes, { widthMax: 64, heightMax: 64, bytesMax: 65_536 });
}

describe("the still figure is the server's picture", () => {
  test.each<readonly [string, () => Bitmap | Promise<Bitmap>, "classic" | "slim"]>([
    ["the classic default skin", () => defaultSkin("classic"), "classic"],
    ["the slim default skin", () => defaultSkin("slim"), "slim"],
    ["a flattened classic skin", () => flattened({}), "classic"],
    ["a flattened slim skin", () => flattened({ arms: "slim" }), "slim"],
    ["a second layer with translucent texels", () => variedSkin(), "classic"],
    ["the same with slim arms", () => variedSkin({ arms: "slim" }), "slim"],
    ["twice as fine", () => variedSkin({ scale: 2 }), "classic"],
    ["three times as fine", () => variedSkin({ scale: 3 }), "classic"],
    ["1024 pixels wide", () => variedSkin({ scale: 16 }), "classic"],
    ["colours under alpha 0", () => hollow(), "classic"],
    ["64x32, its hat with a hole", () => oldSheet("with a hole"), "classic"],
    ["64x32, its hat without one", () => oldSheet("whole"), "classic"],
    ["64x32, declared slim", () => variedSkin({ height: 32 }), "slim"],
    ["an opaque second layer", () => skinBitmap(9), "classic"],
  ])("%s", async (_, paint, model) => {
    const skin = await paint();
    const ours = await shoot(visitor.page, { skin, model }, still);
    expectAlike(
      ours,
      renderPicture({ view: "body", type: "player", size: width, skin: { bitmap: skin, model } }),
    );
  });

  test.each(["classic", "slim"] as const)("a cape on a %s skin, from behind", async (model) => {
    const [skin, cape] = [variedSkin({ arms: model }), capeSheet()];
    const theirs = renderPicture({
      view: "cape",
      type: "player",
      size: width,
      skin: { bitmap: skin, model },
      cape,
    });
    // The cape's sheet is opaque where wings would be; they are worn in flight alone.
    expectAlike(await shoot(visitor.page, { skin, model, cape }, { ...still, yaw: 204 }), theirs);
  });

  test("an elytra, from behind", async () => {
    const [skin, elytra] = [variedSkin(), capeSheet()];
    const worn = { bitmap: skin, model: "classic" } as const;
    const theirs = renderPicture({ view: "elytra", type: "player", size: width, skin: worn, cape: elytra });
    expectAlike(
      await shoot(visitor.page, { skin, model: "classic", elytra }, { ...still, yaw: 204 }),
      theirs,
    );
  });
});

/** How many pixels show something. */
const shown = ({ data }: Bitmap) => data.filter((value, i) => i % 4 === 3 && value > 0).length;
/** Whether nothing touches the edge. */
const isEmptyAround = ({ data, width, height }: Bitmap) =>
  [...Array(width * height).keys()]
    .filter((i) => [0, width - 1].includes(i % width) || [0, height - 1].includes(Math.floor(i / width)))
    .every((i) => data[i * 4 + 3] === 0);

describe("a moving figure", () => {
  test.each(["idle", "walk", "run", "fly"])("is never cut off when it does this: %s", async (animation) => {
    const look = { skin: flattened({}), model: "classic", cape: capeSheet() } as const;
    for (const [seconds, yaw] of [
      [0.1, 0],
      [0.3, 90],
      [0.45, 225],
      [0.7, 315],
    ] as const) {
      const picture = await shoot(visitor.page, look, { animation, seconds, yaw, pitch: 10 });
      expect(shown(picture)).toBeGreaterThan(5000);
      expect([seconds, isEmptyAround(picture)]).toEqual([seconds, true]);
    }
  });
});
