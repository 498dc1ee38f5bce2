/*
 * Draws the two default skins and the example skin of `render --example`: `bun tools/draw-default-skins.ts`.
 * The drawings are in `tools/art`; the same drawing always gives the same bytes.
 */
import { encodePng } from "../src/render/png-encode.ts";
import { drawKeeper } from "./art/keeper.ts";
import { drawScout } from "./art/scout.ts";
import { drawUsher } from "./art/usher.ts";

const folder = `${import.meta.dir}/../src/domain/textures/defaults`;

await Bun.write(`${folder}/classic.png`, encodePng(drawUsher()));
await Bun.write(`${folder}/slim.png`, encodePng(drawKeeper()));
await Bun.write(`${import.meta.dir}/../src/cli/example-skin.png`, encodePng(drawScout()));
