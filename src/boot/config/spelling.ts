/** Finds the name that a mistyped one was probably meant to be. */

/** A name that is given, and the setting that it resembles. */
export type Misspelt = { readonly name: string; readonly setting: string };

/** Shorter names (HOST, PORT) resemble too many variables of other programs. */
const lengthMin = 7;

/**
 * Variables of the environment that are one edit away from a setting that is not given, in lower case, or
 * singular instead of plural (TRUSTED_PROXY). A start would ignore them without a word.
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

/**
 * Every variable is compared with every setting at each start, so it looks for the one edit where the texts
 * begin and end to differ: counting edits took 30 ms beside 60 variables.
 */
function isNearly(name: string, setting: string): boolean {
  if (Math.abs(name.length - setting.length) > 3) return false;
  return isOneEdit(name, setting) || singular(name) === singular(setting);
}

/** As `editDistance` counts them: at most one letter more, less or changed, or two neighbours swapped. */
function isOneEdit(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) [endA, endB] = [endA - 1, endB - 1];
  const [restA, restB] = [a.slice(start, endA), b.slice(start, endB)];
  if (restA.length <= 1 && restB.length <= 1) return true;
  return restA.length === 2 && restB === `${restA[1]}${restA[0]}`;
}

function singular(name: string): string {
  return name.replace(/IES$/, "Y").replace(/S$/, "");
}

/** Longer than every name: the rest of a text cannot make it more similar, only cost time. */
const typedLengthMax = 64;

/** `; did you mean "x"?` for the end of a message; empty if no name is similar enough. */
export function didYouMean(typed: string, names: Iterable<string>, prefix = ""): string {
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(typed.length / 3)) + 1;
  for (const name of names) {
    const distance = editDistance(typed.slice(0, typedLengthMax), name);
    if (distance >= bestDistance || distance >= name.length) continue;
    best = name;
    bestDistance = distance;
  }
  return best === null ? "" : `; did you mean ${prefix}${best}?`;
}

/**
 * Damerau's and Levenshtein's edits: one letter more, less or changed, or two neighbours swapped. Row by row.
 */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const change = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const removal = (previous[column] ?? 0) + 1;
      const insertion = (current[column - 1] ?? 0) + 1;
      const isSwapped = row > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swap = isSwapped ? (beforePrevious[column - 2] ?? 0) + 1 : Infinity;
      current.push(Math.min(change, removal, insertion, swap));
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
