import type { Coded, Values } from "../kernel/coded.ts";

/**
 * A refusal as clients learn of it: its stable code, the field in the words of the route, and what the
 * sentence names.
 */
export type ShownCode = Coded & { readonly field: string | null };

/**
 * The header of a refusal (docs/contract/errors.md): an item with parameters (RFC 9651),
 * `name_taken; field="username"`.
 */
export function xError({ code, field, values }: ShownCode): string {
  const parameters = field === null ? values : { field, ...values };
  return [code, ...Object.entries(parameters).map(([name, value]) => `${name}=${bareItem(value)}`)].join(
    "; ",
  );
}

/** Values may be texts of people. A header of many kilobytes would meet the bounds of proxies. */
const textLengthMax = 256;

const ascii = /^[\x20-\x7e]*$/;

function bareItem(value: Values[string]): string {
  if (typeof value === "boolean") return value ? "?1" : "?0";
  if (typeof value === "number" && Number.isSafeInteger(value) && Math.abs(value) < 1e15)
    return String(value);
  const text = Array.from(
    String(value)
      .slice(0, 2 * textLengthMax)
      .toWellFormed(),
  )
    .slice(0, textLengthMax)
    .join("");
  return ascii.test(text) ? `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"` : displayString(text);
}

/** Section 3.3.8 of RFC 9651: UTF-8, in which all but printable ASCII is percent-encoded. */
function displayString(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x25;
    return isPlain ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, "0")}`;
  });
  return `%"${bytes.join("")}"`;
}
