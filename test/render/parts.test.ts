import { describe, expect, test } from "bun:test";
import { cape, faceRects, type Layer, playerParts, type Rect } from "../../src/render/parts.ts";
import { capeFacts, faceFacts, faceNames } from "./facts.ts";

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

type Box = {
  name: string;
  arms: "classic" | "slim";
  from: number[];
  size: number[];
  pivot: number[];
  grow: number;
};
const boxes: readonly Box[] = [
  { name: "head", arms: "slim", from: [-4, 24, -4], size: [8, 8, 8], pivot: [0, 24, 0], grow: 0.5 },
  { name: "torso", arms: "slim", from: [-4, 12, -2], size: [8, 12, 4], pivot: [0, 24, 0], grow: 0.25 },
  { name: "rightArm", arms: "classic", from: [-8, 12, -2], size: [4, 12, 4], pivot: [-5, 22, 0], grow: 0.25 },
  { name: "rightArm", arms: "slim", from: [-7, 12, -2], size: [3, 12, 4], pivot: [-5, 22, 0], grow: 0.25 },
  { name: "leftArm", arms: "classic", from: [4, 12, -2], size: [4, 12, 4], pivot: [5, 22, 0], grow: 0.25 },
  { name: "leftArm", arms: "slim", from: [4, 12, -2], size: [3, 12, 4], pivot: [5, 22, 0], grow: 0.25 },
  { name: "rightLeg", arms: "classic", from: [-4, 0, -2], size: [4, 12, 4], pivot: [-2, 12, 0], grow: 0.25 },
  { name: "leftLeg", arms: "classic", from: [0, 0, -2], size: [4, 12, 4], pivot: [2, 12, 0], grow: 0.25 },
];
test.each(boxes)("the $name ($arms) stands at $from", ({ name, arms, from, size, pivot, grow }) => {
  const part = playerParts(arms).find((candidate) => candidate.name === name)!;
  expect({ ...part, first: [], second: part.second?.inflation as unknown }).toMatchObject({
    from,
    size,
    pivot,
    second: grow,
  });
});
