import { readdir, readFile } from "node:fs/promises";

/**
 * Processor time of all threads of a process, in microseconds, as Linux's scheduler counts it. NaN on other
 * systems.
 */
export async function processorMicroseconds(pid: number): Promise<number> {
  const folder = `/proc/${pid}/task`;
  const threads = await readdir(folder).catch(() => []);
  if (threads.length === 0) return Number.NaN;
  const statistics = threads.map((thread) =>
    readFile(`${folder}/${thread}/schedstat`, "utf8").catch(() => "0"),
  );
  const nanoseconds = (await Promise.all(statistics)).map((text) => Number(text.split(" ")[0]));
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1000;
}
