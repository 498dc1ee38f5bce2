/** Below this a secret falls to anybody who tries out texts like it; 32 random digits have 90 and more. */
const bitsMin = 64;

/** What stands behind is not looked at: this much is enough. */
const countedMax = 1024;

/**
 * Whether a text of sufficient length is too regular for a secret: one letter again and again, a word written until it was long
 * enough. Counted is the shortest part whose repetition gives the whole text, by how often each letter stands in it (Shannon's
 * entropy). What a person made up of many words passes: nobody can count how they were chosen.
 */
export function isTooRegular(secret: string): boolean {
  const counted = secret.slice(0, countedMax);
  return bitsOf(counted.slice(0, periodOf(counted))) < bitsMin;
}

/** The length of the shortest part whose repetition, the last one perhaps cut off, gives the whole text. */
function periodOf(text: string): number {
  let period = 1;
  while (!text.startsWith(text.slice(period))) period += 1;
  return period;
}

function bitsOf(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const perLetter = [...counts.values()].map(
    (count) => -(count / text.length) * Math.log2(count / text.length),
  );
  return text.length * perLetter.reduce((sum, bits) => sum + bits, 0);
}
