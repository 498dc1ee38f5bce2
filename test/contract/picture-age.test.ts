/** How long a CDN may keep pictures (docs/contract/delivery.md#caching). */
import { expect, test } from "bun:test";
import { openHarness } from "../support/harness.ts";
import { addMember, addSkin } from "../support/members.ts";

const usual = "public, max-age=60, stale-while-revalidate=600";

async function cacheControls(PICTURE_MAX_AGE: string) {
  await using harness = await openHarness({ settings: { PICTURE_MAX_AGE } });
  const member = await addMember(harness, "Alice");
  const { uuid } = member;
  await addSkin(harness, member, {});
  const of = async (path: string) => (await harness.fetch(path)).headers.get("cache-control");
  return {
    head: await of(`/api/skin/head/${uuid}?size=32`),
    remembered: await of(`/api/skin/head/${uuid}?size=32`),
    body: await of(`/api/skin/body/${uuid}`),
    file: await of(`/api/skin/standart/${uuid}`),
  };
}

test("with PICTURE_MAX_AGE a CDN may keep heads and bodies for longer than browsers, and nothing else", async () => {
  const shared = "public, max-age=60, s-maxage=600, stale-while-revalidate=600";
  expect(await cacheControls("600")).toEqual({ head: shared, remembered: shared, body: shared, file: usual });
});

test("without it they keep pictures as browsers do", async () => {
  expect(await cacheControls("0")).toEqual({ head: usual, remembered: usual, body: usual, file: usual });
});
