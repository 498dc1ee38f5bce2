/**
 * Requests that wait for the next turn of the event loop are answered alternately by client: the one that the
 * limits count.
 */
import { afterAll, expect, test } from "bun:test";
import { openHarness } from "../support/harness.ts";
import { sendRaw } from "../support/raw-http.ts";

const harness = await openHarness({ settings: { TRUSTED_PROXIES: "127.0.0.1", LOG_REQUESTS: "none" } });
afterAll(() => harness[Symbol.asyncDispose]());
const { address } = harness.listen();

const connections = 200;
const head = (client: string) =>
  `GET /api/x HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${client}\r\n\r\n`;

test.each([
  ["one address", "198.51.100.7", () => "192.0.2.66"],
  ["one network of IPv6", "2001:db8:2::7", (at: number) => `2001:db8:1:2::${at.toString(16)}`],
])("200 connections of %s let another's request go before most of theirs", async (_, other, clientOf) => {
  const order: string[] = [];
  const ask = async (client: string): Promise<void> => {
    expect(await sendRaw(address, head(client))).toMatch(/^HTTP\/1\.1 404 /);
    order.push(client);
  };
  // Uses up the turn in which all others arrive.
  const first = sendRaw(address, head(clientOf(0)).repeat(500));
  const answers = Array.from({ length: connections }, (__, at) => ask(clientOf(at + 1)));
  await Promise.all([first, ...answers, ask(other)]);
  expect(order).toHaveLength(connections + 1);
  expect(order.indexOf(other)).toBeLessThan(connections / 2);
});
