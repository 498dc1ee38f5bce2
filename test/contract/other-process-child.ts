/** Another process on a service's database, as the command line is: each message is one call of a store, answered once it is committed. */
import { openDatabase } from "../../src/adapters/sqlite/database.ts";
import type { Stores } from "../../src/domain/ports/stores.ts";

export type Call = {
  readonly store: keyof Stores;
  readonly method: string;
  readonly input: readonly unknown[];
};

const [path = ""] = process.argv.slice(2);
const database = openDatabase(path);
process.on("message", async ({ store, method, input }: Call) => {
  const result: unknown = await database.atomically((stores) => Reflect.get(stores[store], method)(...input));
  process.send?.({ result: result ?? null });
});
process.on("disconnect", () => process.exit());
