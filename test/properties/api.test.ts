import { expect, test } from "bun:test";
import { playRequests } from "./play.ts";

const requests = 2000;
const seed = Number(process.env["SEED"] ?? 1);

/** `bun run test:faults` makes a hundred times as many. */
test(`answers ${requests} generated requests as the document says (SEED=${seed})`, async () => {
  const { faults, answers } = await playRequests(requests, seed);
  expect(faults).toEqual([]);
  // Neither all refused nor all alike.
  expect(answers.size).toBeGreaterThan(80);
}, 120_000);
