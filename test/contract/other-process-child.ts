/**
 * Another process on a service's database, as the command line is: each message is one call of a store,
 * answered once it is committed.
 */
import { loadConfig } from "../../src/boot/config.ts";
import { dataFolder } from "../../src/boot/data-folder.ts";
import { openEngine } from "../../src/boot/engines.ts";
import type { Stores } from "../../src/domain/ports/stores.ts";

export type Call = {
  readonly store: keyof Stores;
  readonly method: string;
  readonly input: readonly unknown[];
};

const { config } = await loadConfig({
  flags: {},
  environment: process.env,
  file: null,
  logsToTerminal: false,
  serving: false,
});
const { engine } = await openEngine(config, dataFolder(config.dataDir), { clock: null, serving: null });
process.on("message", async ({ store, method, input }: Call) => {
  const result: unknown = await engine.atomically((stores) => Reflect.get(stores[store], method)(...input));
  process.send?.({ result: result ?? null });
});
process.on("disconnect", () => process.exit());
