/** The name that was probably meant: the nearest one by edit distance, null when none is near enough to be worth naming. */
function nearest(typed: string, names: Iterable<string>): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(typed.length / 3)) + 1;
  for (const name of names) {
    const distance = editDistance(typed.slice(0, typedLengthMax), name);
    if (distance >= bestDistance || distance >= name.length) continue;
    best = name;
    bestDistance = distance;
  }
  return best;
}

/** `; did you mean "x"?` to end a message with, or nothing. */
export function didYouMean(typed: string, names: Iterable<string>, prefix = ""): string {
  const name = nearest(typed, names);
  return name === null ? "" : `; did you mean ${prefix}${name}?`;
}

/** Longer than every name of ours: the rest cannot bring a text nearer, only cost time. */
const typedLengthMax = 64;

/** Levenshtein's distance, row by row. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const change = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const removal = (previous[column] ?? 0) + 1;
      const insertion = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(change, removal, insertion));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
