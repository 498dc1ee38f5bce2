import { choice, integer, path } from "../boot/config/kinds.ts";
import { flag, optional, required } from "../boot/config/options.ts";
import { limits } from "../kernel/limits.ts";
import type { Bitmap } from "../render/bitmap.ts";
import { detectModel } from "../render/detect-model.ts";
import { decodePng } from "../render/png-decode.ts";
import { renderPng, pictureSize, type PictureKind, type PictureRequest } from "../render/render.ts";
import { json } from "./arguments.ts";
import { command, UsageError } from "./command.ts";
import { aboutFile, readInput, writeOutput } from "./faults.ts";

const name = "render";

export const render = command({
  name,
  summary: "renders one picture from a texture file, without a server",
  details:
    "The file is a skin; for --view cape --type skin it is a cape, and for --view cape --type player the cape comes" +
    " from --cape. A head is square, a flat cape half as high as wide, everything else twice as high.",
  settings: "none",
  positionals: { file: required(path("FILE"), "PNG file of a skin or cape") },
  options: {
    view: required(choice("head", "body", "cape"), "what to show"),
    type: required(choice("skin", "player"), "skin: flat from the front; player: 3D"),
    size: required(integer(limits.pictureSizeMin, limits.pictureSizeMax), "width in pixels"),
    slim: flag("the skin has slim arms; without it, found from the pixels"),
    cape: optional(path("FILE"), "PNG file of the cape to put on"),
    out: required(path("FILE"), "where the PNG goes"),
    json,
  },
  run: async ({ file, view, type, size, slim, cape, out }) => {
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
