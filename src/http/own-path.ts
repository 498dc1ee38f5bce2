/** The longest address of a page of ours that is kept through a sign-in. */
const pathLengthMax = 512;

/**
 * A path of ours, with query and fragment, in the form in which browsers send it; null for everything else.
 * Browsers take `//host` and `/\host` for other hosts, and leave out some control characters before they
 * look.
 */
export function readOwnPath(text: string): string | null {
  if (text.length > pathLengthMax || !/^\/(?![/\\])[^\p{Cc}]*$/u.test(text)) return null;
  const base = "http://ours.invalid";
  if (!URL.canParse(text, base)) return null;
  const { origin, pathname, search, hash } = new URL(text, base);
  // "/.//host" becomes "//host".
  if (origin !== base || pathname.startsWith("//")) return null;
  return pathname + search + hash;
}
