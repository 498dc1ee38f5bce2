/**
 * How much work a hash of another system may ask for at a sign-in. `argon2id m=4194304` held a thread for 41
 * s.
 */

/** KiB, and KiB times passes. */
const argon2MemoryMax = 262_144;
const argon2WorkMax = 1_048_576;
const argon2LanesMax = 64;
const bcryptCostMax = 14;

/** The cost of Argon2, in a wrapped hash too. */
const argon2 = /\$argon2(?:id|i|d)\$(?:v=19\$)?m=(\d+),t=(\d+),p=(\d+)\$$/;
const bcrypt = /^\$2\w\$(\d\d)\$$/;

/** Of PBKDF2, scrypt and phpass, hashes beyond the bounds cannot be read at all. */
export function isWithinBounds(effort: string): boolean {
  const [, memory, passes = 0, lanes] = (argon2.exec(effort) ?? []).map(Number);
  const [, cost] = (bcrypt.exec(effort) ?? []).map(Number);
  if (cost !== undefined) return isBounded(cost, bcryptCostMax);
  if (memory === undefined) return true;
  return (
    isBounded(memory, argon2MemoryMax) &&
    isBounded(memory * passes, argon2WorkMax) &&
    isBounded(lanes, argon2LanesMax)
  );
}

function isBounded(value: number | undefined, most: number): boolean {
  return value !== undefined && value > 0 && value <= most;
}
