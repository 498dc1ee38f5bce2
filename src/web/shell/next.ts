/**
 * The address to go to after signing in: a path of ours, or else the wardrobe. Whatever could lead to another
 * host is dropped.
 */
export function nextPath(asked: string | undefined): string {
  if (asked === undefined || !/^\/(?![/\\])[!-[\]-~]*$/.test(asked)) return "/home";
  // "/.//host" becomes "//host".
  return new URL(asked, "http://ours.invalid").pathname.startsWith("//") ? "/home" : asked;
}
