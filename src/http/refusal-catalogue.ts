import { refusals } from "../domain/model/refusals.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { pictureRefusals } from "../render/refusals.ts";
import { httpRefusals } from "./refusals.ts";
import { rules } from "./rules.ts";

const tables = [refusals, pictureRefusals, httpRefusals, rules] as const;

type Table = (typeof tables)[number];

/** Every code that `X-Error` can have. */
export type ErrorCode = { [Each in Table as string]: Each[keyof Each] }[string] extends infer One
  ? One extends { readonly code: infer Code }
    ? Code
    : never
  : never;

/** Every refusal of the API, by its code (docs/contract/errors.md). */
export const catalogue: ReadonlyMap<string, Pick<Refusal, "kind" | "code" | "sentence" | "field">> = new Map(
  tables.flatMap((table) => Object.values(table)).map((one) => [one.code, one]),
);
