import { refusals } from "../domain/model/refusals.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { httpRefusals } from "./refusals.ts";
import { rules } from "./rules.ts";

const tables = [refusals, httpRefusals, rules] as const;

/** Every refusal of the API, by its code (docs/contract/errors.md). */
export const catalogue: ReadonlyMap<string, Pick<Refusal, "kind" | "code" | "sentence" | "field">> = new Map(
  tables.flatMap((table) => Object.values(table)).map((one) => [one.code, one]),
);
