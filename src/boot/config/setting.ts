/**
 * Rows of the table of `settings.ts`: options that are marked as shared by the nodes of a community, or as
 * each machine's own.
 */
import { limits } from "../../kernel/limits.ts";
import { readPlainFile } from "../../kernel/plain-files.ts";
import type { Kind } from "./kinds.ts";
import { optional, withDefault, type Option } from "./options.ts";

/** What nodes compare of a value. Undefined: it cannot be read here, so it is not compared. */
type Compared<T> = (value: T | null) => unknown;

export type Setting<T> = Option<T> & {
  /** Null: each machine has its own value. */
  readonly compared: ((value: T) => unknown) | null;
};

/** Each machine has its own value. */
export const perMachine = marked<unknown>(null);

/** All nodes need the same value: with each request a person may reach another one. */
export const shared = sharedAs<unknown>((value) => value);

/** The same, where equal values may be written differently. */
export function sharedAs<T>(compared: Compared<T>) {
  return marked<T>(compared);
}

function marked<T>(compared: Compared<T> | null) {
  return {
    /** As `optional` of `options.ts`. */
    optional: <V extends T>(kind: Kind<V>, meaning: string, fallback?: string): Setting<V | null> => ({
      ...optional(kind, meaning, fallback),
      compared,
    }),
    /** As `withDefault` of `options.ts`. */
    withDefault: <V extends T>(kind: Kind<V>, fallback: string, meaning: string): Setting<V> => ({
      ...withDefault(kind, fallback, meaning),
      compared,
    }),
  };
}

/** A list whose order means nothing. */
export function unordered(list: readonly string[] | null): readonly string[] | null {
  return list === null ? null : [...new Set(list)].toSorted();
}

/** A file, which may lie elsewhere on each machine. */
export async function fileContent(path: string | null): Promise<string | null | undefined> {
  if (path === null) return null;
  try {
    return Buffer.from(await readPlainFile(path, limits.operatorFileBytesMax)).toString("base64");
  } catch {
    // A start names the fault.
    return undefined;
  }
}
