/** The address to go to after signing in: a path of ours, or else the wardrobe. Whatever could lead to another host is dropped. */
export function nextPath(asked: string | undefined): string {
  return asked !== undefined && /^\/(?![/\\])[!-[\]-~]*$/.test(asked) ? asked : "/home";
}
