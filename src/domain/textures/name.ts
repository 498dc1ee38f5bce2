import { AppError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";

/** At least one visible character, and no control characters. */
export const textureNamePattern = /^\s*[^\s\p{C}]\P{C}*$/u;

/** A skin's or cape's name: 1 to 64 characters without control characters, blanks at the ends cut off. Fails with invalid. */
export function parseTextureName(text: string): string {
  const name = text
    .slice(0, limits.textureNameLengthMax * 8)
    .normalize("NFC")
    .trim();
  const length = Array.from(name).length;
  if (length > limits.textureNameLengthMax || !textureNamePattern.test(name)) {
    const rule = `must have 1 to ${limits.textureNameLengthMax} characters, without control characters`;
    throw new AppError("invalid", rule, { field: "name" });
  }
  return name;
}

/** The name of a new skin that was given none: `Skin 4` beside three others, or the next number that is free. */
export function freeSkinName(others: readonly { readonly name: string }[]): string {
  const taken = new Set(others.map(({ name }) => name));
  let number = others.length + 1;
  while (taken.has(`Skin ${number}`)) number += 1;
  return `Skin ${number}`;
}
