/*
 * The long form of `api.test.ts`: 200,000 requests that are made from the API's document.
 *
 *   bun run test:faults            SEED=<number> makes others, REQUESTS=<number> fewer or more
 */
import { expect, test } from "bun:test";
import { playRequests } from "./play.ts";

const requests = Number(process.env["REQUESTS"] ?? 200_000);
const seed = Number(process.env["SEED"] ?? 1);

test(
  `answers ${requests} generated requests as the document says (SEED=${seed})`,
  async () => {
    const { faults, answers, statuses } = await playRequests(requests, seed);
    console.log({ requests, seed, statuses, answers: answers.size });
    expect(faults).toEqual([]);
  },
  60 * 60_000,
);
