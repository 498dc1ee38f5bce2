import { describe, expect, test } from "bun:test";
import { cape, faceRects, type Layer, playerParts, type Rect } from "../../src/render/parts.ts";
import { boxFacts, capeFacts, faceFacts, faceNames } from "./facts.ts";

const tuple = ({ x, y, width, height }: Rect) => [x, y, width, height];
const rectFor = (arms: "classic" | "slim", name: string, layer: Layer, face: (typeof faceNames)[number]) =>
  tuple(
    faceRects(
      playerParts(arms).find((part) => part.name === name)!,
      layer,
    )[face],
  );

describe.each(["classic", "slim"] as const)("the sheet of a %s skin", (arms) => {
  test.each(faceFacts(arms))("has the $layer layer's $part $face at $rect", ({ part, layer, face, rect }) => {
    expect(rectFor(arms, part, layer, face)).toEqual([...rect]);
  });

  test("has twelve boxes of six faces, and no more", () => {
    expect(playerParts(arms)).toHaveLength(6);
    expect(faceFacts(arms)).toHaveLength(72);
  });
});

test.each(faceNames.map((face, i) => [face, capeFacts[i]!] as const))(
  "the cape has its %s at %p",
  (face, rect) => {
    expect(tuple(faceRects(cape, "first")[face])).toEqual([...rect]);
  },
);

test.each(boxFacts)("the $name ($arms) stands at $from", ({ name, arms, from, size, pivot, grow }) => {
  const part = playerParts(arms).find((candidate) => candidate.name === name)!;
  const { from: corner, size: extent, pivot: centre, second } = part;
  expect({ corner, extent, centre, grow: second?.inflation }).toEqual({
    corner: from,
    extent: size,
    centre: pivot,
    grow,
  });
});
