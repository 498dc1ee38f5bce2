/** Which connections are closed, and in which order. */
import { describe, expect, test } from "bun:test";
import { clientNetworks } from "../../src/domain/limits/address-limit.ts";
import {
  surplusConnections,
  type Connection,
  type Demand,
  type SurplusReason,
} from "../../src/domain/limits/surplus-connections.ts";

/** `name address state silentSeconds`, with `proxy` at the end for a trusted one. */
function connection(text: string) {
  const [name = "", address = "", state = "", seconds = "", proxy] = text.split(" ");
  return {
    name,
    networks: clientNetworks({ address }),
    state: state as Connection["state"], // the table below writes it
    silentMs: Number(seconds) * 1000,
    isTrusted: proxy === "proxy",
  };
}

const many = (count: number, text: (number: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at));

const nothing: Demand = { perAddress: 0, files: 0, filesAtAnyCost: 0 };
type Closed = Partial<Record<SurplusReason, string[]>>;

const cases: readonly (readonly [string, readonly string[], Partial<Demand>, Closed])[] = [
  ["nothing without a demand", ["a 1.1.1.1 idle 50", "b 1.1.1.1 busy 9"], {}, {}],
  [
    "the longest idle ones beyond an address's share",
    ["a 1.1.1.1 idle 5", "b 1.1.1.1 idle 9", "c 1.1.1.1 idle 2", "d 1.1.1.1 idle 7", "e 2.2.2.2 idle 99"],
    { perAddress: 2 },
    { address: ["d", "b"] },
  ],
  [
    "of one address none that was used a moment ago, is busy, has a stream, or is a proxy's",
    [
      "a 1.1.1.1 idle 5",
      "b 1.1.1.1 idle 0.5",
      "c 1.1.1.1 busy 9",
      "d 1.1.1.1 kept 30",
      "e 3.3.3.3 idle 30 proxy",
      "f 3.3.3.3 idle 31 proxy",
    ],
    { perAddress: 1 },
    {},
  ],
  [
    "an IPv6 /64 as one address",
    ["a 2001:db8::1 idle 1", "b 2001:db8::2 idle 2", "c 2001:db8:0:1::1 idle 3"],
    { perAddress: 1 },
    { address: ["b"] },
  ],
  [
    "beyond four shares of an IPv6 /48",
    many(6, (at) => `n${at} 2001:db8:0:${at}::1 idle ${at + 1}`),
    { perAddress: 1 },
    { address: ["n4", "n5"] },
  ],
  [
    "for files the longest idle one of the address that has most, busy ones included, in turn",
    [
      "a 1.1.1.1 idle 1",
      "b 1.1.1.1 idle 9",
      "c 1.1.1.1 busy 60",
      "d 2.2.2.2 idle 40",
      "e 2.2.2.2 idle 30",
      "f 3.3.3.3 idle 50",
    ],
    { files: 3 },
    { idle: ["b", "d", "a"] },
  ],
  [
    "for files a proxy's as well",
    ["a 1.1.1.1 idle 1 proxy", "b 1.1.1.1 idle 2 proxy"],
    { perAddress: 1, files: 1 },
    { idle: ["b"] },
  ],
  [
    "what goes beyond a share counts for the files that are needed",
    ["a 1.1.1.1 idle 1", "b 1.1.1.1 idle 2", "c 1.1.1.1 idle 3", "d 2.2.2.2 idle 9"],
    { perAddress: 1, files: 3 },
    { address: ["b", "c"], idle: ["d"] },
  ],
  [
    "busy ones only where idle ones are not enough, and never streams",
    ["a 1.1.1.1 idle 1", "b 1.1.1.1 busy 9", "c 1.1.1.1 busy 5", "d 2.2.2.2 busy 60", "e 3.3.3.3 kept 90"],
    { files: 5, filesAtAnyCost: 2 },
    { idle: ["a"], busy: ["b"] },
  ],
  [
    "no busy one to get room that idle ones could only have given",
    ["a 1.1.1.1 busy 1"],
    { files: 50, filesAtAnyCost: 0 },
    {},
  ],
];

describe("closes", () => {
  test.each(cases)("%s", (_, connections, demand, closed) => {
    const surplus = surplusConnections(connections.map(connection), { ...nothing, ...demand });
    const names = (reason: SurplusReason) => surplus[reason].map(({ name }) => name);
    const { address = [], idle = [], busy = [] } = closed;
    expect([names("address"), names("idle"), names("busy")]).toEqual([address, idle, busy]);
  });
});
