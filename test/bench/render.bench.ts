/*
 * Pictures of textures that were never seen: from the stored file to the finished PNG. Run directly it prints
 * its own table: `bun test/bench/render.bench.ts`.
 */
import { Resvg } from "@resvg/resvg-js";
import * as upng from "upng-js";
import { decodeStoredPng } from "../../src/render/png-decode.ts";
import { encodePng } from "../../src/render/png-encode.ts";
import { renderPicture, renderPng } from "../../src/render/render.ts";
import { forgetTables, recordDueTables } from "../../src/render/tables.ts";
import { bodyView, headView } from "../../src/render/views.ts";
import { copyOf } from "../../src/render/bitmap.ts";
import { rectOf } from "../render/facts.ts";
import { oracleSvg } from "../render/svg-oracle.ts";
import { describeMachine, type Line, tableOf } from "./report.ts";
import { median } from "./statistics.ts";
import { paintedSkinFile } from "./textures.ts";

type Case = {
  readonly name: string;
  readonly view: "head" | "body";
  readonly type: "skin" | "player";
  readonly size: number;
  readonly goalMilliseconds: number;
  readonly goalFaster: number;
  /** Pictures that are measured, each of another texture. */
  readonly rounds: number;
};

const cases: readonly Case[] = [
  {
    name: "flat head, 100 px",
    view: "head",
    type: "skin",
    size: 100,
    goalMilliseconds: 0.5,
    goalFaster: 10,
    rounds: 200,
  },
  {
    name: "3D head, 100 px",
    view: "head",
    type: "player",
    size: 100,
    goalMilliseconds: 1,
    goalFaster: 5,
    rounds: 200,
  },
  {
    name: "body, 256x512",
    view: "body",
    type: "player",
    size: 256,
    goalMilliseconds: 5,
    goalFaster: 5,
    rounds: 60,
  },
  {
    name: "body, 512x1024",
    view: "body",
    type: "player",
    size: 512,
    goalMilliseconds: 16,
    goalFaster: 5,
    rounds: 40,
  },
];
/** Rounds before the measured ones, until the code is compiled. */
const warmUpRounds = 30;
const resvgRounds = 9;

/** For each picture: its time, how much faster than resvg, and its bytes. */
export function benchRender(): readonly Line[] {
  return cases.flatMap(measureCase);
}

let nextTexture = 1;

function measureCase(wanted: Case): Line[] {
  const { name, goalMilliseconds, goalFaster, rounds } = wanted;
  for (let i = 0; i < warmUpRounds; i++) drawNew(wanted);
  const cold = median(
    times(rounds, () => {
      forgetTables();
      return timeNew(wanted);
    }),
  );
  const recording = measureRecording(wanted);
  const later = median(times(rounds, () => timeNew(wanted)));
  const throughResvg = median(times(resvgRounds, () => timeResvg(wanted)));
  return [
    {
      measure: `cold ${name}`,
      goal: { atMost: goalMilliseconds },
      measured: cold,
      unit: "ms",
      detail: "decode to PNG, the first picture of its size",
    },
    {
      measure: "  later ones of its size",
      measured: later,
      unit: "ms",
      detail: recording === 0 ? "" : `by a table, recorded in ${recording.toFixed(1)} ms after an answer`,
    },
    {
      measure: "  these, against resvg-js",
      goal: { atLeast: goalFaster },
      measured: throughResvg / later,
      unit: "times faster",
      detail: `resvg-js takes ${throughResvg.toFixed(1)} ms for the texels as polygons, building the SVG left out`,
    },
    {
      measure: "  bytes against upng-js",
      goal: { atMost: 1.3 },
      measured: bytesRatio(wanted),
      unit: "times as much",
      detail: "lossless, same pixels",
    },
  ];
}

/** How long the table of a size takes; 0 for flat pictures, which have none. */
function measureRecording(wanted: Case): number {
  const recordings = times(resvgRounds, () => {
    forgetTables();
    drawNew(wanted);
    drawNew(wanted);
    const start = performance.now();
    recordDueTables();
    return performance.now() - start;
  });
  return wanted.type === "skin" ? 0 : median(recordings);
}

function drawNew({ view, type, size }: Case): Uint8Array {
  const file = paintedSkinFile(nextTexture++);
  return renderPng({ view, type, size, skin: { bitmap: decodeStoredPng(file), model: "classic" } });
}

function timeNew({ view, type, size }: Case): number {
  const file = paintedSkinFile(nextTexture++);
  const start = performance.now();
  renderPng({ view, type, size, skin: { bitmap: decodeStoredPng(file), model: "classic" } });
  return performance.now() - start;
}

function timeResvg(wanted: Case): number {
  const svg = svgOf(wanted);
  const start = performance.now();
  new Resvg(svg).render().asPng();
  return performance.now() - start;
}

function svgOf({ view, type, size }: Case): string {
  const skin = copyOf(decodeStoredPng(paintedSkinFile(nextTexture++)));
  if (type === "skin") return flatHeadSvg(skin.words, size);
  const parts = view === "head" ? ["head"] : ["rightArm", "rightLeg", "leftLeg", "torso", "leftArm", "head"];
  const order = parts.flatMap(
    (part) =>
      [
        [part, "second", "inside"],
        [part, "first", "outside"],
        [part, "second", "outside"],
      ] as const,
  );
  const scene = {
    view: view === "head" ? headView : bodyView,
    width: size,
    skin,
    arms: "classic",
    order,
  } as const;
  return oracleSvg(scene).replace(' shape-rendering="crispEdges"', "");
}

function flatHeadSvg(words: Uint32Array, size: number): string {
  const rects = (["first", "second"] as const).flatMap((layer) => {
    const [left, top] = rectOf("classic", "head", layer, "front");
    return Array.from({ length: 64 }, (_, i) => {
      const [x, y] = [i % 8, i >> 3];
      const texel = words[(top + y) * 64 + left + x]!;
      const colour = [texel & 255, (texel >>> 8) & 255, (texel >>> 16) & 255].join();
      return `<rect x="${x}" y="${y}" width="1" height="1" fill="rgb(${colour})" fill-opacity="${(texel >>> 24) / 255}"/>`;
    });
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 8 8" shape-rendering="crispEdges">${rects.join("")}</svg>`;
}

function bytesRatio({ view, type, size }: Case): number {
  const bitmap = decodeStoredPng(paintedSkinFile(nextTexture++));
  const picture = renderPicture({ view, type, size, skin: { bitmap, model: "classic" } });
  const theirs = upng.encode([new Uint8Array(picture.data).buffer], picture.width, picture.height, 0);
  return encodePng(picture).length / theirs.byteLength;
}

function times(count: number, measure: () => number): number[] {
  return Array.from({ length: count }, measure);
}

if (import.meta.main) {
  const machine = Object.entries(await describeMachine()).map(([name, value]) => `${name}: ${value}`);
  console.log(`${machine.join("\n")}\n\n${tableOf(benchRender())}`);
}
