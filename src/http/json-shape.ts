import { AppError } from "../kernel/errors.ts";
import { limits } from "../kernel/limits.ts";

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Refuses JSON that is deeper or wider than a body of ours can be, by its brackets, commas and colons. It takes a millisecond for
 * a megabyte, where parsing takes thirty times as long for arrays in arrays or for fields of many names. Whether it is JSON at
 * all the parser says. Fails with invalid.
 */
export function checkJsonShape(bytes: Uint8Array, valuesMax: number): void {
  const { jsonLevelsMax, jsonFieldsMax } = limits;
  const fields = new Uint32Array(jsonLevelsMax + 1);
  let level = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === comma) values += 1;
    else if (byte === colon) {
      fields[level] = (fields[level] ?? 0) + 1;
      if ((fields[level] ?? 0) > jsonFieldsMax) refuse(`An object may have ${jsonFieldsMax} fields at most`);
    } else if (byte === openList || byte === openObject) {
      values += 1;
      level += 1;
      if (level > jsonLevelsMax) refuse(`The body may be ${jsonLevelsMax} levels deep at most`);
      fields[level] = 0;
    } else if ((byte === closeList || byte === closeObject) && level > 0) level -= 1;
  }
  if (values > valuesMax) refuse(`The body may hold ${valuesMax} values at most`);
}

/** Where the text that begins here ends. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

function refuse(rule: string): never {
  throw new AppError("invalid", rule);
}
