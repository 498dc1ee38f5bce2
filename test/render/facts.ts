/** The rectangles of the texture format, typed out by hand from its description: x, y, width, height. */
export type RectTuple = readonly [x: number, y: number, width: number, height: number];
export const faceNames = ["top", "bottom", "right", "front", "left", "back"] as const;
export type FaceName = (typeof faceNames)[number];
type SixRects = readonly [RectTuple, RectTuple, RectTuple, RectTuple, RectTuple, RectTuple];
export type Arms = "classic" | "slim";
export type LayerName = "first" | "second";
type Row = readonly [part: string, layer: LayerName, arms: Arms | "both", rects: SixRects];

const rows: readonly Row[] = [
  [
    "head",
    "first",
    "both",
    [
      [8, 0, 8, 8],
      [16, 0, 8, 8],
      [0, 8, 8, 8],
      [8, 8, 8, 8],
      [16, 8, 8, 8],
      [24, 8, 8, 8],
    ],
  ],
  [
    "torso",
    "first",
    "both",
    [
      [20, 16, 8, 4],
      [28, 16, 8, 4],
      [16, 20, 4, 12],
      [20, 20, 8, 12],
      [28, 20, 4, 12],
      [32, 20, 8, 12],
    ],
  ],
  [
    "rightArm",
    "first",
    "classic",
    [
      [44, 16, 4, 4],
      [48, 16, 4, 4],
      [40, 20, 4, 12],
      [44, 20, 4, 12],
      [48, 20, 4, 12],
      [52, 20, 4, 12],
    ],
  ],
  [
    "rightArm",
    "first",
    "slim",
    [
      [44, 16, 3, 4],
      [47, 16, 3, 4],
      [40, 20, 4, 12],
      [44, 20, 3, 12],
      [47, 20, 4, 12],
      [51, 20, 3, 12],
    ],
  ],
  [
    "leftArm",
    "first",
    "classic",
    [
      [36, 48, 4, 4],
      [40, 48, 4, 4],
      [32, 52, 4, 12],
      [36, 52, 4, 12],
      [40, 52, 4, 12],
      [44, 52, 4, 12],
    ],
  ],
  [
    "leftArm",
    "first",
    "slim",
    [
      [36, 48, 3, 4],
      [39, 48, 3, 4],
      [32, 52, 4, 12],
      [36, 52, 3, 12],
      [39, 52, 4, 12],
      [43, 52, 3, 12],
    ],
  ],
  [
    "rightLeg",
    "first",
    "both",
    [
      [4, 16, 4, 4],
      [8, 16, 4, 4],
      [0, 20, 4, 12],
      [4, 20, 4, 12],
      [8, 20, 4, 12],
      [12, 20, 4, 12],
    ],
  ],
  [
    "leftLeg",
    "first",
    "both",
    [
      [20, 48, 4, 4],
      [24, 48, 4, 4],
      [16, 52, 4, 12],
      [20, 52, 4, 12],
      [24, 52, 4, 12],
      [28, 52, 4, 12],
    ],
  ],
  [
    "head",
    "second",
    "both",
    [
      [40, 0, 8, 8],
      [48, 0, 8, 8],
      [32, 8, 8, 8],
      [40, 8, 8, 8],
      [48, 8, 8, 8],
      [56, 8, 8, 8],
    ],
  ],
  [
    "torso",
    "second",
    "both",
    [
      [20, 32, 8, 4],
      [28, 32, 8, 4],
      [16, 36, 4, 12],
      [20, 36, 8, 12],
      [28, 36, 4, 12],
      [32, 36, 8, 12],
    ],
  ],
  [
    "rightArm",
    "second",
    "classic",
    [
      [44, 32, 4, 4],
      [48, 32, 4, 4],
      [40, 36, 4, 12],
      [44, 36, 4, 12],
      [48, 36, 4, 12],
      [52, 36, 4, 12],
    ],
  ],
  [
    "rightArm",
    "second",
    "slim",
    [
      [44, 32, 3, 4],
      [47, 32, 3, 4],
      [40, 36, 4, 12],
      [44, 36, 3, 12],
      [47, 36, 4, 12],
      [51, 36, 3, 12],
    ],
  ],
  [
    "leftArm",
    "second",
    "classic",
    [
      [52, 48, 4, 4],
      [56, 48, 4, 4],
      [48, 52, 4, 12],
      [52, 52, 4, 12],
      [56, 52, 4, 12],
      [60, 52, 4, 12],
    ],
  ],
  [
    "leftArm",
    "second",
    "slim",
    [
      [52, 48, 3, 4],
      [55, 48, 3, 4],
      [48, 52, 4, 12],
      [52, 52, 3, 12],
      [55, 52, 4, 12],
      [59, 52, 3, 12],
    ],
  ],
  [
    "rightLeg",
    "second",
    "both",
    [
      [4, 32, 4, 4],
      [8, 32, 4, 4],
      [0, 36, 4, 12],
      [4, 36, 4, 12],
      [8, 36, 4, 12],
      [12, 36, 4, 12],
    ],
  ],
  [
    "leftLeg",
    "second",
    "both",
    [
      [4, 48, 4, 4],
      [8, 48, 4, 4],
      [0, 52, 4, 12],
      [4, 52, 4, 12],
      [8, 52, 4, 12],
      [12, 52, 4, 12],
    ],
  ],
];

export const capeFacts: SixRects = [
  [1, 0, 10, 1],
  [11, 0, 10, 1],
  [0, 1, 1, 16],
  [1, 1, 10, 16],
  [11, 1, 1, 16],
  [12, 1, 10, 16],
];

export type FaceFact = { part: string; layer: LayerName; face: FaceName; rect: RectTuple };

/** Every face of a model. */
export function faceFacts(arms: Arms): FaceFact[] {
  return rows
    .filter(([, , model]) => model === "both" || model === arms)
    .flatMap(([part, layer, , rects]) =>
      rects.map((rect, i) => ({ part, layer, face: faceNames[i]!, rect })),
    );
}

export function rectOf(arms: Arms, part: string, layer: LayerName, face: FaceName): RectTuple {
  return faceFacts(arms).find((fact) => fact.part === part && fact.layer === layer && fact.face === face)!
    .rect;
}

type Vector = readonly [x: number, y: number, z: number];
export type BoxFact = { name: string; arms: Arms; from: Vector; size: Vector; pivot: Vector; grow: number };

/** The boxes of the model; `grow` is how much larger the second layer is on every side. */
export const boxFacts: readonly BoxFact[] = (["classic", "slim"] as const).flatMap((arms): BoxFact[] => {
  const width = arms === "classic" ? 4 : 3;
  return [
    { name: "head", arms, from: [-4, 24, -4], size: [8, 8, 8], pivot: [0, 24, 0], grow: 0.5 },
    { name: "torso", arms, from: [-4, 12, -2], size: [8, 12, 4], pivot: [0, 24, 0], grow: 0.25 },
    {
      name: "rightArm",
      arms,
      from: [-4 - width, 12, -2],
      size: [width, 12, 4],
      pivot: [-5, 22, 0],
      grow: 0.25,
    },
    { name: "leftArm", arms, from: [4, 12, -2], size: [width, 12, 4], pivot: [5, 22, 0], grow: 0.25 },
    { name: "rightLeg", arms, from: [-4, 0, -2], size: [4, 12, 4], pivot: [-2, 12, 0], grow: 0.25 },
    { name: "leftLeg", arms, from: [0, 0, -2], size: [4, 12, 4], pivot: [2, 12, 0], grow: 0.25 },
  ];
});
