import type { PartName } from "../../render/parts.ts";
import type { Turn } from "../../render/vector.ts";
import { capeView, elytraView } from "../../render/views.ts";
import type { Pose } from "./placed-boxes.ts";

/** The animations, in the order in which they are offered. */
export const animationNames = ["idle", "walk", "run", "fly"] as const;
/** What a figure can be seen doing. */
export type AnimationName = (typeof animationNames)[number];

/** How the server's pictures show a player, with a cape and with an elytra at rest. */
export const stillPose: Pose = { parts: { ...elytraView.pose, ...capeView.pose }, whole: {}, lift: 0 };

type Animation = {
  /** Seconds until it begins again. */
  readonly seconds: number;
  /** The pose after this share of it. */
  readonly at: (share: number) => Pose;
};

const wave = (share: number, times = 1, ahead = 0) => Math.sin(2 * Math.PI * (share * times + ahead));

/** Arms and legs that swing against each other, in degrees. */
function stride(share: number, arms: number, legs: number): Pose["parts"] {
  const swing = wave(share);
  return {
    rightArm: { pitch: arms * swing, roll: -3 },
    leftArm: { pitch: -arms * swing, roll: 3 },
    rightLeg: { pitch: -legs * swing },
    leftLeg: { pitch: legs * swing },
  };
}

function foldedWings(back: number, apart: number): Pose["parts"] {
  return { leftWing: { pitch: back, roll: apart }, rightWing: { pitch: back, roll: -apart } };
}

const animations: Readonly<Record<AnimationName, Animation>> = {
  idle: {
    seconds: 4,
    at: (share) => ({
      parts: {
        head: { pitch: wave(share, 1, 0.1), yaw: 2 * wave(share) },
        rightArm: { pitch: wave(share, 1, 0.2), roll: -4 - 1.5 * wave(share, 2) },
        leftArm: { pitch: -wave(share, 1, 0.2), roll: 4 + 1.5 * wave(share, 2) },
        cape: { pitch: -7 - 1.5 * wave(share, 2), yaw: 180 },
        ...foldedWings(15 + wave(share, 2), 15),
      },
      whole: {},
      lift: 0,
    }),
  },
  walk: {
    seconds: 1.1,
    at: (share) => ({
      parts: {
        ...stride(share, 32, 32),
        head: { yaw: 3 * wave(share) },
        cape: { pitch: -14 - 4 * wave(share, 2), yaw: 180 },
        ...foldedWings(20 + 2 * wave(share, 2), 15),
      },
      whole: {},
      lift: 0.3 * wave(share, 2, 0.25),
    }),
  },
  run: {
    seconds: 0.62,
    at: (share) => ({
      parts: {
        ...stride(share, 68, 58),
        head: { pitch: -8, yaw: 4 * wave(share) },
        cape: { pitch: -48 - 7 * wave(share, 2), yaw: 180 },
        ...foldedWings(35 + 3 * wave(share, 2), 20),
      },
      whole: { pitch: 8 },
      lift: 0.6 * wave(share, 2, 0.25),
    }),
  },
  fly: {
    seconds: 3,
    at: (share) => ({
      parts: {
        head: { pitch: -38 + 2 * wave(share) },
        rightArm: { pitch: 8 + 3 * wave(share), roll: -14 - 3 * wave(share) },
        leftArm: { pitch: 8 + 3 * wave(share), roll: 14 + 3 * wave(share) },
        rightLeg: { pitch: 6 + 4 * wave(share, 2), roll: -3 },
        leftLeg: { pitch: 6 - 4 * wave(share, 2), roll: 3 },
        cape: { pitch: -12 - 4 * wave(share, 2), yaw: 180 },
        ...foldedWings(24 + 4 * wave(share), 54 + 8 * wave(share)),
      },
      whole: { pitch: 46 + 2 * wave(share) },
      lift: 0.8 * wave(share),
    }),
  },
};

/** The pose of an animation after so many seconds; without one that of the server's pictures. */
export function poseOf(name: AnimationName | null, seconds: number): Pose {
  if (name === null) return stillPose;
  const animation = animations[name];
  return animation.at((seconds / animation.seconds) % 1);
}

/** Poses from all over an animation: what a picture of it has to have room for. */
export function samplePoses(name: AnimationName | null): readonly Pose[] {
  if (name === null) return [];
  return Array.from({ length: 12 }, (_, i) => animations[name].at(i / 12));
}

/** The pose on the way from one to another, after this share of the way. */
export function poseBetween(from: Pose, to: Pose, share: number): Pose {
  const names = new Set([...Object.keys(from.parts), ...Object.keys(to.parts)] as PartName[]); // Keys of a pose.
  const parts = [...names].map(
    (name) => [name, turnBetween(from.parts[name], to.parts[name], share)] as const,
  );
  return {
    parts: Object.fromEntries(parts),
    whole: turnBetween(from.whole, to.whole, share),
    lift: between(from.lift, to.lift, share),
  };
}

function turnBetween(from: Turn = {}, to: Turn = {}, share: number): Turn {
  const angle = (name: keyof Turn) => between(from[name] ?? 0, to[name] ?? 0, share);
  return { pitch: angle("pitch"), yaw: angle("yaw"), roll: angle("roll") };
}

/** The number on the way from one to another. */
export function between(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}
