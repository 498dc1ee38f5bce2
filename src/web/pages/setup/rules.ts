/**
 * What the next start accepts, so a field says it before the line is in the file. A test holds both to the
 * same rules.
 */

const nameLengthMax = 60;

/** Whether a start takes a text as COMMUNITY_NAME. */
export function isCommunityName(text: string): boolean {
  const name = text.trim();
  const isShown = /[\p{L}\p{N}]/u.test(name) && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name);
  return isShown && name.length <= nameLengthMax;
}

/**
 * PUBLIC_URL from what a person typed; null: a start would refuse it. An address without a scheme is one of
 * https, unless it is `here`, the page's own place, which is known.
 */
export function publicAddressOf(
  typed: string,
  here: { readonly host: string; readonly protocol: string },
): string | null {
  const text = typed.trim();
  const scheme = text.toLowerCase() === here.host ? here.protocol : "https:";
  const address = /^https?:/i.test(text) || text.includes("://") ? text : `${scheme}//${text}`;
  const url = /^https?:\/\/[^/\s]/i.test(address) && URL.canParse(address) ? new URL(address) : null;
  const isPlain = url !== null && url.username === "" && url.password === "" && !/[?#\s]/.test(address);
  return isPlain ? address : null;
}
