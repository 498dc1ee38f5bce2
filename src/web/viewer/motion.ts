import type { Frame } from "../../render/camera.ts";
import { bodyView } from "../../render/views.ts";
import { type AnimationName, between, poseBetween, poseOf, stillPose } from "./animations.ts";
import type { Pose } from "./placed-boxes.ts";
import { roomBetween } from "./room.ts";

/** How a figure stands at a moment, and from where it is seen: degrees as in the table of views. */
export type Stance = {
  readonly animation: AnimationName | null;
  /** Since the animation began. */
  readonly seconds: number;
  readonly yaw: number;
  readonly pitch: number;
};

/** How the server's pictures show a player. */
export const stillStance: Stance = { animation: null, seconds: 0, yaw: bodyView.yaw, pitch: bodyView.pitch };

/** What changes while a figure moves. */
export type Motion = {
  stance: Stance;
  isPlaying: boolean;
  /** Where it turns to. */
  yaw: number;
  pitch: number;
  /** The pose that it leaves, and how much of the way to the new one is done. */
  from: Pose;
  share: number;
  /** What the picture has room for now. */
  room: Frame | null;
};

/** A figure that stands still. */
export function createMotion(): Motion {
  return {
    stance: stillStance,
    isPlaying: false,
    yaw: stillStance.yaw,
    pitch: stillStance.pitch,
    from: stillPose,
    share: 1,
    room: null,
  };
}

/** Seconds from one animation to another. */
const changeSeconds = 0.25;
/** How fast a figure turns to its target: the exponent of the share of the rest that a second leaves. */
const haste = 12;
/** The camera never goes below the ground or straight above. */
const pitches = { least: -30, most: 50 } as const;

/** The pose of the moment. */
export function currentPose({ stance, from, share }: Motion): Pose {
  const pose = poseOf(stance.animation, stance.seconds);
  return share < 1 ? poseBetween(from, pose, smooth(share)) : pose;
}

/** Begins another animation, or lets the figure stand still; goes on with one that was stopped. */
export function play(motion: Motion, animation: AnimationName | null): void {
  motion.isPlaying = animation !== null;
  if (motion.stance.animation === animation) return;
  motion.from = currentPose(motion);
  motion.share = 0;
  motion.stance = { ...motion.stance, animation, seconds: 0 };
}

/** Shows one moment and stops there. */
export function freeze(motion: Motion, stance: Stance): void {
  Object.assign(motion, { ...createMotion(), stance, yaw: stance.yaw, pitch: stance.pitch });
}

/** Turns the figure further, by degrees. */
export function turnBy(motion: Motion, yaw: number, pitch: number): void {
  motion.yaw += yaw;
  motion.pitch = Math.min(pitches.most, Math.max(pitches.least, motion.pitch + pitch));
}

/** Does what is due at once: for a person who wants less motion, and while a hand turns the figure. */
export function settle(motion: Motion): void {
  motion.stance = { ...motion.stance, yaw: motion.yaw, pitch: motion.pitch };
  motion.share = 1;
  motion.room = null;
}

/** Advances the time. `room` is the space that the picture needs. Returns whether something still moves. */
export function advance(motion: Motion, seconds: number, room: Frame): boolean {
  const { stance, isPlaying } = motion;
  const step = 1 - Math.exp(-haste * seconds);
  const yaw = approach(stance.yaw, motion.yaw, step);
  const pitch = approach(stance.pitch, motion.pitch, step);
  motion.stance = { ...stance, yaw, pitch, seconds: stance.seconds + (isPlaying ? seconds : 0) };
  motion.share = Math.min(1, motion.share + seconds / changeSeconds);
  const isRoomy = motion.room === null || furthest(motion.room, room) < 1e-4;
  motion.room = motion.room === null || isRoomy ? room : roomBetween(motion.room, room, step);
  return isPlaying || yaw !== motion.yaw || pitch !== motion.pitch || motion.share < 1 || !isRoomy;
}

function furthest(a: Frame, b: Frame): number {
  return Math.max(
    ...(["left", "right", "top", "bottom"] as const).map((side) => Math.abs(a[side] - b[side])),
  );
}

function approach(from: number, to: number, step: number): number {
  return Math.abs(to - from) < 0.05 ? to : between(from, to, step);
}

function smooth(share: number): number {
  return share * share * (3 - 2 * share);
}
