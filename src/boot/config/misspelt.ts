/** Names of the environment that were probably meant as settings: a start would pass over them without a word. */

/** Shorter names (HOST, PORT, S3_KEY of others) have too many neighbours. */
const lengthMin = 7;

/** A name that is given, and the setting that it nearly is. */
export type Misspelt = { readonly name: string; readonly setting: string };

/**
 * The names that are one edit away from a setting that is not given: a letter too many, too few or another, two that changed
 * places, small letters, or one thing instead of several (TRUSTED_PROXY).
 */
export function findMisspelt(
  names: readonly string[],
  settings: readonly string[],
  isGiven: (setting: string) => boolean,
): readonly Misspelt[] {
  const wanted = settings.filter((setting) => setting.length >= lengthMin && !isGiven(setting));
  return names.flatMap((name) => {
    if (settings.includes(name)) return [];
    const setting = wanted.find((one) => isNearly(name.toUpperCase(), one));
    return setting === undefined ? [] : [{ name, setting }];
  });
}

function isNearly(name: string, setting: string): boolean {
  return isWithinOneEdit(name, setting) || singular(name) === singular(setting);
}

function singular(name: string): string {
  return name.replace(/IES$/, "Y").replace(/S$/, "");
}

/** Damerau and Levenshtein's edits: one letter more, less or changed, or two neighbours that changed places. */
function isWithinOneEdit(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  const [rest, longRest] = [short.slice(at), long.slice(at)];
  if (short.length < long.length) return rest === longRest.slice(1);
  const swapped = `${rest[1] ?? ""}${rest[0] ?? ""}${rest.slice(2)}`;
  return rest.slice(1) === longRest.slice(1) || swapped === longRest;
}
