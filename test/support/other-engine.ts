import { dataFolder } from "../../src/boot/data-folder.ts";
import { openEngine } from "../../src/boot/engines.ts";
import type { Engine } from "../../src/domain/ports/engine.ts";
import type { Harness } from "./harness.ts";

/** The harness's database, opened once more, as a command that runs beside the service opens it. */
export async function openOtherEngine({ config, clock }: Harness): Promise<Engine> {
  const opened = await openEngine(config, dataFolder(config.dataDir), { clock, serving: null });
  return { ...opened.engine, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}
