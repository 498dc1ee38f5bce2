import type { Command } from "./command.ts";
import { render } from "./render.ts";
import { versionCommand } from "./version.ts";

/** Every command, in the order of help. */
export const commands: readonly Command[] = [render, versionCommand];
