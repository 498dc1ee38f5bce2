/** The middle of the values, which one disturbed round in three does not move. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Takes two measurements in turn, so that the machine's other work meets both alike. */
export async function inTurn(
  rounds: number,
  first: () => Promise<number>,
  second: () => Promise<number>,
): Promise<{ readonly first: number; readonly second: number; readonly ratio: number }> {
  await first(); // until the code is compiled and the caches are full
  await second();
  const firsts: number[] = [];
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    firsts.push(await first());
    seconds.push(await second());
  }
  const ratios = firsts.map((value, round) => value / (seconds[round] ?? Number.NaN));
  return { first: median(firsts), second: median(seconds), ratio: median(ratios) };
}
