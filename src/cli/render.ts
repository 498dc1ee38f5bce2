import { choice, integer, path } from "../boot/config/kinds.ts";
import { flag, optional, withDefault } from "../boot/config/options.ts";
import { limits } from "../kernel/limits.ts";
import type { Bitmap } from "../render/bitmap.ts";
import { detectModel } from "../render/detect-model.ts";
import { decodePng } from "../render/png-decode.ts";
import { renderPng, pictureSize, type PictureKind, type PictureRequest } from "../render/render.ts";
import { json } from "./arguments.ts";
import { command, UsageError } from "./command.ts";
import exampleSkin from "./example-skin.png" with { type: "file" };
import { aboutFile, readInput, writeOutput } from "./faults.ts";

const name = "render";

/**
 * `render`: writes a picture and prints its path, size and bytes. Needs no data folder. Exits with 1 for a
 * file that is no skin or cape.
 */
export const render = command({
  name,
  summary: "renders one picture from a texture file, without a server",
  details:
    "The file is a skin; for --view cape --type skin it is a cape, and for --view cape --type player the cape comes" +
    " from --cape. A head is square, a flat cape half as high as wide, everything else twice as high. With --example" +
    " it renders nothing: it writes a skin with slim arms, to upload or to render.",
  settings: "none",
  positionals: { file: optional(path("FILE"), "PNG file of a skin or cape", "none, with --example") },
  options: {
    view: withDefault(choice("head", "body", "cape"), "body", "what to show"),
    type: withDefault(choice("skin", "player"), "player", "skin: flat from the front; player: 3D"),
    size: withDefault(integer(limits.pictureSizeMin, limits.pictureSizeMax), "256", "width in pixels"),
    slim: flag("the skin has slim arms; without it, found from the pixels"),
    cape: optional(path("FILE"), "PNG file of the cape to put on"),
    out: optional(path("FILE"), "where the PNG goes", "none, with --example"),
    example: optional(path("FILE"), "where to write an example skin"),
    json,
  },
  run: async ({ file, view, type, size, slim, cape, out, example }) => {
    if (example !== null) {
      if (file !== null || out !== null || cape !== null)
        throw new UsageError(["--example FILE stands alone"], name);
      return writeExample(example);
    }
    if (file === null || out === null) throw new UsageError(missing({ file, out }), name);
    const wearsCape = view === "cape" && type === "player";
    if (wearsCape && cape === null)
      throw new UsageError(["--view cape --type player needs --cape FILE"], name);
    if (!wearsCape && cape !== null)
      throw new UsageError(["--cape goes with --view cape --type player"], name);
    const first = await readTexture(file);
    const png = renderPng(
      request({ view, type, size }, first, { slim, cape: cape === null ? first : await readTexture(cape) }),
    );
    await writeOutput(out, png);
    const facts = { file: out, ...pictureSize({ view, type, size }), bytes: png.length };
    return { record: facts, text: `${out}: ${facts.width}x${facts.height}, ${facts.bytes} bytes\n` };
  },
});

function missing({ file, out }: { readonly file: string | null; readonly out: string | null }) {
  const names = [file === null ? "<file>" : "", out === null ? "--out" : ""].filter((name) => name !== "");
  return names.map((name) => `${name} must be given`);
}

/** Writes the scout of `tools/art`. */
async function writeExample(path: string) {
  const png = await Bun.file(exampleSkin).bytes();
  await writeOutput(path, png);
  const facts = { file: path, width: 64, height: 64, bytes: png.length };
  return { record: facts, text: `${path}: an example skin with slim arms, ${facts.bytes} bytes\n` };
}

/** The most that the settings could allow: the operator chooses these files. */
const fileBytesMax = 67_108_864;
const widthMax = 4096;

async function readTexture(path: string): Promise<Bitmap> {
  const bytes = await readInput(path, fileBytesMax);
  return decodePng(bytes, { widthMax, heightMax: widthMax, bytesMax: fileBytesMax }).catch(aboutFile(path));
}

function request(
  { view, type, size }: PictureKind & { readonly view: "head" | "body" | "cape" },
  first: Bitmap,
  extra: { readonly slim: boolean; readonly cape: Bitmap },
): PictureRequest {
  if (view === "cape" && type === "skin") return { view, type, size, cape: first };
  const skin = { bitmap: first, model: extra.slim ? ("slim" as const) : detectModel(first) };
  return view === "cape"
    ? { view, type: "player", size, skin, cape: extra.cape }
    : { view, type, size, skin };
}
