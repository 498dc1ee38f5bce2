import { cameraFor } from "../../render/camera.ts";
import type { AnimationName } from "./animations.ts";
import { type Back, backOf, type Dress, type Look, prepareLook, viewOfBack } from "./look.ts";
import { createMesh, fillMesh } from "./mesh.ts";
import { advance, createMotion, currentPose, freeze, play, settle, type Stance, turnBy } from "./motion.ts";
import { createPainter, paint, type Painter, readPixels, setSheet } from "./painter.ts";
import { placeBoxes } from "./placed-boxes.ts";
import { frameInside, roomFor } from "./room.ts";
import { type Actor, enterStage, isInFront, leaveStage } from "./stage.ts";
import { type Surface, watchSurface } from "./surface.ts";

/**
 * A player in three dimensions on a canvas. It draws when something has changed and the canvas can be seen.
 */
export type Viewer = {
  /**
   * Shows a look from now on. Fails with an Error when a texture has a size that no skin or cape can have.
   */
  readonly show: (look: Look<ImageBitmap>) => void;
  /** Plays an animation, or goes on with it; null: the figure stands still, as in the server's pictures. */
  readonly animate: (name: AnimationName | null) => void;
  /** Stops the animation where it is. */
  readonly pause: () => void;
  /**
   * Turns the figure by degrees: to its right, and up. `smoothly`: within a moment, unless the user wants
   * less motion.
   */
  readonly turn: (yaw: number, pitch: number, how: "smoothly" | "at once") => void;
  /** Shows one moment of an animation, seen from this side, and stops there. */
  readonly pose: (stance: Stance) => void;
  /**
   * Draws the figure as it is now on another canvas. Browsers print nothing of a canvas that a graphics card
   * draws.
   */
  readonly copyTo: (paper: HTMLCanvasElement) => void;
  /** Frees what it holds. The viewer must not be used after that. */
  readonly dispose: () => void;
};

/** The nearest and the farthest that a figure comes to the camera, in model units. */
const reach = [45, 135] as const;
/** A longer pause between two frames counts as this much. */
const stepSecondsMax = 0.2;
/**
 * Between two frames of a browser that draws without a graphics card, so that the page beside the figure
 * stays quick.
 */
const restMilliseconds = 120;
/** A context that is lost for longer does not come back. */
const restoreMilliseconds = 5000;

/**
 * Makes a viewer; null in a browser without WebGL 2. A lost context is rebuilt once; `failed` is called when
 * that does not help.
 */
export function createViewer(canvas: HTMLCanvasElement, failed: () => void): Viewer | null {
  const gl = canvas.getContext("webgl2", { antialias: true, powerPreference: "low-power" });
  if (gl === null) return null;
  try {
    return new LiveViewer(canvas, gl, { rest: isSoftware(gl) ? restMilliseconds : 0, failed });
  } catch {
    return null;
  }
}

/** Whether the processor draws instead of a graphics card: one figure would keep two cores busy. */
function isSoftware(gl: WebGL2RenderingContext): boolean {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(info?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER));
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

class LiveViewer implements Viewer, Actor {
  readonly #gl: WebGL2RenderingContext;
  readonly #failed: () => void;
  /** Milliseconds between two frames beside those that the browser takes. */
  readonly #rest: number;
  readonly #surface: Surface;
  readonly #motion = createMotion();
  readonly #mesh = createMesh();
  readonly #calm = matchMedia("(prefers-reduced-motion: reduce)");
  #painter: Painter | null;
  #dress: Dress | null = null;
  /** Came while there was no context to read it with. */
  #waiting: Look<ImageBitmap> | null = null;
  #back: Back = "nothing";
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastTime = 0;
  #losses = 0;
  #deadline: ReturnType<typeof setTimeout> | undefined;

  constructor(
    canvas: HTMLCanvasElement,
    gl: WebGL2RenderingContext,
    { rest, failed }: { readonly rest: number; readonly failed: () => void },
  ) {
    this.#gl = gl;
    this.#rest = rest;
    this.#failed = failed;
    this.#painter = createPainter(gl);
    this.#surface = watchSurface(canvas, {
      // In the same moment, else an empty canvas would be seen.
      resized: () => this.#draw(0),
      shown: () => this.#wake(),
      lost: () => this.#lose(),
      restored: () => this.#restore(),
    });
    enterStage(this);
  }

  readonly show = (look: Look<ImageBitmap>): void => {
    const painter = this.#painter;
    if (painter === null) {
      this.#waiting = look;
      return;
    }
    const read = (picture: ImageBitmap) => readPixels(painter, picture);
    this.#dress = prepareLook({
      skin: read(look.skin),
      model: look.model,
      cape: look.cape ? read(look.cape) : null,
      elytra: look.elytra ? read(look.elytra) : null,
    });
    setSheet(painter, "skin", this.#dress.skin);
    this.#hang();
    this.#wake();
  };

  readonly animate = (name: AnimationName | null): void => {
    play(this.#motion, name);
    if (this.#calm.matches) settle(this.#motion);
    this.#hang();
    this.#wake();
  };

  readonly pause = (): void => {
    this.#motion.isPlaying = false;
  };

  readonly turn = (yaw: number, pitch: number, how: "smoothly" | "at once"): void => {
    turnBy(this.#motion, yaw, pitch);
    if (how === "at once" || this.#calm.matches) settle(this.#motion);
    this.#wake();
  };

  readonly pose = (stance: Stance): void => {
    freeze(this.#motion, stance);
    this.#hang();
    this.#wake();
  };

  readonly copyTo = (paper: HTMLCanvasElement): void => {
    // Read in the same moment: what was drawn before is no longer there.
    this.#draw(0);
    const { canvas } = this.#gl;
    Object.assign(paper, { width: canvas.width, height: canvas.height });
    paper.getContext("2d")?.drawImage(canvas, 0, 0);
  };

  readonly dispose = (): void => {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    clearTimeout(this.#deadline);
    this.#surface.stopWatching();
    this.#painter = null;
    this.#dress = null;
    this.#gl.getExtension("WEBGL_lose_context")?.loseContext();
    leaveStage(this);
  };

  readonly goOn = (): void => this.#wake();

  /** Shows the cape or wings that belong on the back now. */
  #hang(): void {
    if (this.#dress === null || this.#painter === null) return;
    this.#back = backOf(this.#dress, this.#motion.stance.animation);
    const sheet = this.#back === "nothing" ? undefined : this.#dress.sheets[this.#back];
    if (sheet) setSheet(this.#painter, "cape", sheet);
  }

  #wake(): void {
    if (this.#frame !== 0 || this.#dress === null || !this.#surface.isVisible()) return;
    clearTimeout(this.#timer);
    this.#lastTime = 0;
    this.#frame = requestAnimationFrame(this.#tick);
  }

  readonly #tick = (time: number): void => {
    this.#frame = 0;
    const seconds = this.#lastTime === 0 ? 0 : Math.min(stepSecondsMax, (time - this.#lastTime) / 1000);
    const isMoving = this.#draw(isInFront(this) ? seconds : 0);
    if (!isMoving || !isInFront(this) || !this.#surface.isVisible()) return;
    this.#lastTime = time;
    const goOn = () => (this.#frame = requestAnimationFrame(this.#tick));
    if (this.#rest === 0) goOn();
    else this.#timer = setTimeout(goOn, this.#rest);
  };

  /** Draws the figure after so many seconds more; returns whether it still moves. */
  #draw(seconds: number): boolean {
    if (this.#dress === null || this.#painter === null) return false;
    const motion = this.#motion;
    const known = viewOfBack[this.#back];
    const isMoving = advance(motion, seconds, roomFor(known, motion.stance.animation));
    const { yaw, pitch } = motion.stance;
    const view = { ...known, yaw, pitch };
    const boxes = placeBoxes(view, this.#dress.model, currentPose(motion));
    fillMesh(this.#mesh, boxes, { camera: cameraFor(view), view });
    const { drawingBufferWidth: width, drawingBufferHeight: height } = this.#gl;
    const framing = frameInside(motion.room ?? roomFor(known, null), roomFor(known, null), { width, height });
    paint(this.#painter, this.#mesh, framing, reach);
    return isMoving;
  }

  #lose(): void {
    this.#painter = null;
    this.#losses++;
    if (this.#losses > 1) this.#failed();
    else this.#deadline = setTimeout(this.#failed, restoreMilliseconds);
  }

  #restore(): void {
    clearTimeout(this.#deadline);
    if (this.#losses > 1) return;
    this.#painter = createPainter(this.#gl);
    if (this.#dress !== null) setSheet(this.#painter, "skin", this.#dress.skin);
    this.#hang();
    if (this.#waiting !== null) this.show(this.#waiting);
    this.#waiting = null;
    this.#wake();
  }
}
