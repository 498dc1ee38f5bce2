/** What a server does before its first picture is asked for. */
import { expect, test } from "bun:test";
import { warmUp } from "../../src/boot/warm-up.ts";
import { openHarness } from "../support/harness.ts";

test("pictures are prepared for a player who does not exist, and nothing is wrong with that", async () => {
  await using harness = await openHarness();
  const { services, log, listen } = harness;
  const { prepare } = listen();
  const prepared: string[] = [];
  const noting = async (path: string) => {
    await prepare(path);
    prepared.push(path.replace(/\/0.*/, ""));
  };
  await warmUp({ ...services, prepare: noting, log }, new AbortController().signal);
  expect(prepared).toEqual(["/api/skin/head", "/api/skin/body"]);
  expect(harness.takeComplaints()).toEqual([]);
});

const broken = async () => {
  throw new Error("broken");
};

test("what goes wrong meanwhile is a warning", async () => {
  await using harness = await openHarness();
  await warmUp({ ...harness.services, prepare: broken, log: harness.log }, new AbortController().signal);
  expect(harness.takeComplaints()).toMatchObject([{ level: "warn", error: { message: "broken" } }]);
});
