import { expect, test } from "bun:test";
import { leadAlone } from "../../src/adapters/sqlite/leadership.ts";
import { loadMailTexts } from "../../src/boot/mail.ts";
import { secretOf } from "../../src/boot/secrets.ts";
import type { Reads } from "../../src/domain/ports/stores.ts";
import { startJobs } from "../../src/operate/jobs.ts";
import { jwtSecret, openHarness, publicUrl, siteUrl } from "../support/harness.ts";
import { openOtherEngine } from "../support/other-engine.ts";

/** The same reads, and the names of the stores that were asked. */
function noted(reads: Reads): { readonly reads: Reads; readonly asked: Set<string> } {
  const asked = new Set<string>();
  const names = Object.keys(reads) as (keyof Reads)[];
  const properties = names.map((name) => [name, { get: () => (asked.add(name), reads[name]) }] as const);
  return { reads: Object.defineProperties({}, Object.fromEntries(properties)) as Reads, asked };
}

test("the leader's jobs read apart from requests, which they would otherwise wait for", async () => {
  await using harness = await openHarness({ settings: { WEBHOOK_URLS: "http://127.0.0.1:9/events" } });
  const { config, log, services } = harness;
  await using other = await openOtherEngine(harness);
  const [ofRequests, ofJobs] = [noted(services.reads), noted(services.backgroundReads)];
  const jobs = startJobs({
    config,
    services: {
      ...services,
      reads: ofRequests.reads,
      backgroundReads: ofJobs.reads,
      leadership: leadAlone(other.atomically),
    },
    secrets: { jwt: secretOf(jwtSecret), serviceToken: null },
    texts: await loadMailTexts(config),
    webhookSecret: secretOf("a webhook's secret that is long enough"),
    publicUrl,
    siteUrl,
    log,
    environment: () => ({}),
  });
  const wanted = ["outbox", "webhooks", "events", "accounts"];
  while (!wanted.every((name) => ofJobs.asked.has(name))) await Bun.sleep(1);
  await jobs[Symbol.asyncDispose]();
  expect([...ofRequests.asked]).toEqual([]);
  harness.takeComplaints();
});
