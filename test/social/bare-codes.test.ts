/** Callbacks without a state, and SOCIAL_BARE_CODES (docs/contract/social.md#callback). */
import { afterAll, describe, expect, test } from "bun:test";
import { expectError } from "../support/scenario.ts";
import { meet, openSocialWorld, redirectUri, signInSocially } from "../support/social/social-world.ts";

const world = await openSocialWorld({ settings: { SOCIAL_BARE_CODES: "false" } });
afterAll(() => world[Symbol.asyncDispose]());
const { harness, provider } = world;

describe("where codes that were begun elsewhere are not taken", () => {
  test.each([
    ["a code", () => `?code=${provider.giveCode(redirectUri)}`],
    ["a code beside an empty state", () => `?code=${provider.giveCode(redirectUri)}&state=`],
    ["a provider's no", () => "?error=access_denied"],
    ["nothing", () => ""],
  ])("%s without a state is refused, and the provider not asked", async (_, query) => {
    const before = { rows: harness.database.everything(), asked: provider.asked.length };
    const response = await harness.fetch(`/auth/social/callback${query()}`);
    await expectError(response, 400, /^state: .*begin (?:again$|at GET \/auth\/social\/login)/);
    expect({ rows: harness.database.everything(), asked: provider.asked.length }).toEqual(before);
  });

  test("a login that was begun here goes on as ever", async () => {
    await meet(world);
    expect((await signInSocially(world)).status).toBe(404);
  });
});

test("unless the operator says so they are taken", async () => {
  await using plain = await openSocialWorld();
  const code = plain.provider.giveCode(redirectUri);
  expect((await plain.harness.fetch(`/auth/social/callback?code=${code}`)).status).toBe(404);
});
