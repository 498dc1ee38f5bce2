/** Runs work with the same key one at a time, in order of arrival. Work with other keys does not wait. */
export type OneByOne = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Holds no key without work. */
export function createOneByOne(): OneByOne {
  const last = new Map<string, Promise<unknown>>();

  return async (key, work) => {
    const before = last.get(key);
    const own = before === undefined ? work() : before.then(work, work);
    last.set(key, own);
    try {
      return await own;
    } finally {
      if (last.get(key) === own) last.delete(key);
    }
  };
}
