import {
  cameraFor,
  type Camera,
  type Frame,
  frameOf,
  type Framing,
  framingOf,
  project,
} from "../../render/camera.ts";
import type { Triple } from "../../render/parts.ts";
import { radians } from "../../render/vector.ts";
import { bodyView, type View } from "../../render/views.ts";
import { type AnimationName, between, samplePoses, stillPose } from "./animations.ts";
import { cornersOf, placeBoxes, type Pose } from "./placed-boxes.ts";

/** Directions from which a turning figure is looked at when its room is measured. */
const sides = 16;

const known = new WeakMap<View, Map<AnimationName | null, Frame>>();

/**
 * What a picture of an animation has to have room for, from whatever side: at least what the server's picture
 * of the view shows. It is the same for every skin.
 */
export function roomFor(view: View, animation: AnimationName | null): Frame {
  const rooms = known.get(view) ?? new Map<AnimationName | null, Frame>();
  known.set(view, rooms);
  const room = rooms.get(animation) ?? measureRoom(view, animation);
  rooms.set(animation, room);
  return room;
}

function measureRoom(view: View, animation: AnimationName | null): Frame {
  const camera = cameraFor(view);
  const still = cornersIn(view, stillPose).map((corner) => project(camera, corner));
  const moving = samplePoses(animation).flatMap((pose) => cornersIn(view, pose));
  return frameOf([...still, ...turned(moving, camera, view)]);
}

function cornersIn(view: View, pose: Pose): Triple[] {
  return placeBoxes(view, "classic", pose).flatMap(cornersOf);
}

/**
 * The points after turns all the way round, as the camera sees them; of a ring only its farthest points
 * matter.
 */
function turned(points: readonly Triple[], camera: Camera, { yaw }: View) {
  return points.flatMap(([x, y, z]) => {
    const reach = Math.hypot(x, z);
    return Array.from({ length: sides }, (_, i) => {
      const angle = radians(yaw) + (2 * Math.PI * i) / sides;
      return project(camera, [reach * Math.sin(angle), y, reach * Math.cos(angle)]);
    });
  });
}

/** The room on the way from one to another. */
export function roomBetween(from: Frame, to: Frame, share: number): Frame {
  return {
    left: between(from.left, to.left, share),
    right: between(from.right, to.right, share),
    top: between(from.top, to.top, share),
    bottom: between(from.bottom, to.bottom, share),
  };
}

/**
 * How a room lies on a canvas: in its middle, as the server's picture of the view would, fitted in whole. A
 * room that is wider than the still figure's takes as much more of the canvas.
 */
export function frameInside(room: Frame, still: Frame, { width, height }: Size): Framing {
  const breadth = (proportionOf(room) / proportionOf(still)) * (height / bodyView.aspect);
  const inner = Math.min(width, breadth);
  const framing = framingOf(room, inner, height);
  return { ...framing, centreX: framing.centreX + (width - inner) / 2 };
}

type Size = { readonly width: number; readonly height: number };

function proportionOf({ left, right, top, bottom }: Frame): number {
  return (right - left) / (bottom - top);
}
