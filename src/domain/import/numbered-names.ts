import { AppError } from "../../kernel/errors.ts";
import { parseUsername } from "../model/username.ts";

/**
 * The longest beginning of a name that fits with a number: `Ada_2`, else `Ada2`. Null: the pattern allows no
 * number.
 */
export function withNumber(name: string, number: number, pattern: RegExp): string | null {
  for (const suffix of [`_${number}`, `${number}`]) {
    for (let { length } = name; length > 0; length--) {
      const numbered = name.slice(0, length) + suffix;
      if (isUsername(numbered, pattern)) return numbered;
    }
  }
  return null;
}

/** Whether a player may have this name. */
export function isUsername(name: string, pattern: RegExp): boolean {
  try {
    return parseUsername(name, pattern) === name;
  } catch (cause) {
    if (cause instanceof AppError) return false;
    throw cause;
  }
}
