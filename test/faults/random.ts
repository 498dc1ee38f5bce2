/** Numbers from 0 to below 1 that follow from the seed alone, so that a run can be repeated. */
export function randomFrom(seed: number): () => number {
  let drawn = 0;
  return () => {
    drawn += 1;
    return Number(Bun.hash.wyhash(`${seed}:${drawn}`)) / 2 ** 64;
  };
}
