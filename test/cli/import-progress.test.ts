import { expect, test } from "bun:test";
import { showImportProgress } from "../../src/cli/import-progress.ts";

type Step = readonly [at: number, step: string, done: number, total: number | null];

const shownBy = (errorIsTerminal: boolean, steps: readonly Step[]): readonly string[] => {
  const written: string[] = [];
  let time = 0;
  {
    const io = { error: (text: string) => void written.push(text), errorIsTerminal };
    using shown = showImportProgress(io, () => time);
    for (const [at, ...step] of steps) {
      time = at;
      shown.progress(...step);
    }
  }
  return written;
};

const steps: readonly Step[] = [
  [0, "reading accounts", 0, null],
  [50, "reading accounts", 10, null],
  [2_000, "reading accounts", 500, null],
  [9_000, "importing accounts", 0, 1_000],
  [14_000, "importing accounts", 500, 1_000],
  [14_050, "importing accounts", 510, 1_000],
  [26_000, "importing accounts", 1_000, 1_000],
];

test("a terminal shows rate and time left in one line, which disappears", () => {
  expect(shownBy(true, steps)).toEqual([
    "\r\x1b[Kreading accounts: 0",
    "\r\x1b[Kreading accounts: 500, 250 a second",
    "\r\x1b[Kimporting accounts: 0 of 1000",
    "\r\x1b[Kimporting accounts: 500 of 1000, 100 a second, 5 seconds left",
    "\r\x1b[Kimporting accounts: 1000 of 1000, 59 a second, 0 seconds left",
    "\r\x1b[K",
  ]);
});

test("elsewhere there is a line every ten seconds", () => {
  expect(shownBy(false, steps)).toEqual([
    "importing accounts: 500 of 1000, 100 a second, 5 seconds left\n",
    "importing accounts: 1000 of 1000, 59 a second, 0 seconds left\n",
  ]);
});
