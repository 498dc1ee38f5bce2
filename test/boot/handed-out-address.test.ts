/**
 * What a server for all addresses hands out without PUBLIC_URL: `http://0.0.0.0` opens on no other machine
 * (docs/guide/settings.md).
 */
import { expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import { openableAddresses } from "../../src/boot/setup-links.ts";
import { openHarness } from "../support/harness.ts";

test("is the first address that the links of the set-up name, everywhere", async () => {
  await using harness = await openHarness({ settings: { HOST: "0.0.0.0", PUBLIC_URL: "", SITE_URL: "" } });
  const { address, publicUrl } = harness.listen();
  const { port } = new URL(address);
  expect(address).toBe(`http://0.0.0.0:${port}`);
  const [first = ""] = openableAddresses({ host: "0.0.0.0", publicUrl: null }, address, networkInterfaces);
  expect(publicUrl).toBe(first);
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  const { skinDomains, meta } = JSON.parse(await read("/api/yggdrasil"));
  expect([meta.links.homepage, skinDomains[0]]).toEqual([first, new URL(first).hostname]);
  expect(await read("/play")).toContain(`${first}/api/yggdrasil`);
  expect(await read("/")).toContain(`content="${first}/"`);
});
