import type { TextureIntake } from "../../domain/ports.ts";
import { checkFile, intakeCape, intakeSkin, type TextureRules } from "../../domain/textures/intake.ts";
import { createGate, type GateOptions } from "../../kernel/gate.ts";
import type { ThreadPool } from "./thread-pool.ts";

/** Up to this size a texture takes about a millisecond, which is less than the way to a thread and back. */
const smallPixelsMax = 128 * 128;

const refusal = "Too many textures are being taken in right now: try again in a few seconds";
/** Between its steps a small one waits for the image decoder, so a few together lose no time. */
const smallLimits: GateOptions = { atOnceMax: 4, waitingMax: 256, refusal };
/**
 * While it is worked on, a 1024x1024 texture takes some 40 MB, so one is at work at a time: it also leaves the next turn
 * to a picture that waits for a thread. Those that wait hold their files; the last waits for some five seconds.
 */
const largeLimits: GateOptions = { atOnceMax: 1, waitingMax: 32, refusal };

/** Takes textures in without holding the event loop: small ones on the spot, large ones in a thread. */
export function createTextureIntake(pool: ThreadPool, rules: TextureRules): TextureIntake {
  const small = createGate(smallLimits);
  const large = createGate(largeLimits);
  const isSmall = (file: Uint8Array): boolean => {
    const { width, height } = checkFile(file, rules);
    return width * height <= smallPixelsMax;
  };

  return {
    skin: async (file, declared) =>
      isSmall(file)
        ? small(() => intakeSkin(file, declared, rules))
        : large(() => pool.run("intakeSkin", file, declared, rules)),
    cape: async (file) =>
      isSmall(file) ? small(() => intakeCape(file, rules)) : large(() => pool.run("intakeCape", file, rules)),
  };
}
