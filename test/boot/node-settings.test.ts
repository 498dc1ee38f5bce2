/* What running nodes differ in, by the digests in their rows. */
import { expect, test } from "bun:test";
import {
  differencesFrom,
  oddSettings,
  refuseOtherUrl,
  settingDifferences,
  watchSettings,
} from "../../src/boot/node-settings.ts";

const base = { JWT_SECRET: "key", PUBLIC_URL: "url", CONSOLE: "on", PLAYERS_MAX: "one" };

function node(name: string, settings: Readonly<Record<string, string>> | null = {}, isAlive = true) {
  return { name, isAlive, settings: settings === null ? null : { ...base, ...settings } };
}

const three = [node("a"), node("b", { CONSOLE: "off" }), node("c")];

test("the node that differs from most is the odd one, and its setting is named", () => {
  const differences = settingDifferences(three);
  expect(differences).toEqual([{ setting: "CONSOLE", groups: [["b"], ["a", "c"]] }]);
  expect(three.map((one) => oddSettings(differences, one))).toEqual([[], ["CONSOLE"], []]);
});

test("where no value has most of the nodes, each of them is odd", () => {
  const nodes = [...three, node("d", { CONSOLE: "off" })];
  expect(nodes.map((one) => oddSettings(settingDifferences(nodes), one))).toEqual(
    Array.from(nodes, () => ["CONSOLE"]),
  );
});

test("nodes that have ended, and those without digests, are not compared", () => {
  const nodes = [node("a"), node("b", { CONSOLE: "off" }, false), node("c", null)];
  expect(settingDifferences(nodes)).toEqual([]);
  expect(oddSettings([], node("c", null))).toBeNull();
  expect(differencesFrom({ ...base, CONSOLE: "other" }, nodes)).toEqual(new Map([["CONSOLE", "a"]]));
});

test("a setting that a node's release does not know is compared among the others", () => {
  const nodes = [node("a", { NEXT: "x" }), node("b"), node("c", { NEXT: "y" })];
  expect(settingDifferences(nodes)).toEqual([{ setting: "NEXT", groups: [["a"], ["c"]] }]);
  expect(oddSettings(settingDifferences(nodes), node("b"))).toEqual([]);
  expect(differencesFrom({ ...base, LATER: "z" }, nodes).size).toBe(0);
});

test("with another JWT_SECRET all digests are others, and only that is named", () => {
  const other = { JWT_SECRET: "k", PUBLIC_URL: "u", CONSOLE: "o", PLAYERS_MAX: "1" };
  const nodes = [node("a"), node("b", other)];
  expect(settingDifferences(nodes).map(({ setting }) => setting)).toEqual(["JWT_SECRET"]);
  expect(differencesFrom(base, nodes).size).toBe(0);
});

test("another PUBLIC_URL than that of a running node is refused, any other setting is not", () => {
  expect(() => refuseOtherUrl({ ...base, CONSOLE: "off" }, three)).not.toThrow();
  const ended = [node("a", { PUBLIC_URL: "other" }, false), node("b", null)];
  expect(() => refuseOtherUrl(base, ended)).not.toThrow();
  expect(() => refuseOtherUrl({ ...base, PUBLIC_URL: "other" }, three)).toThrow(
    "PUBLIC_URL is another one than that of a, b, c",
  );
});

test("the log says it when it begins, changes and ends, and not with each look", () => {
  const lines: unknown[] = [];
  const watch = watchSettings({
    info: (message) => lines.push(message),
    warn: (_, fields) => lines.push(fields?.["differences"]),
  });
  const looks = [
    [node("a"), node("c")],
    three,
    three,
    [...three, node("d", { CONSOLE: "auto", PLAYERS_MAX: "two" })],
    [node("a")],
    [node("a")],
  ];
  const counts = looks.map((nodes) => {
    watch.look(nodes);
    return watch.differing();
  });
  expect(counts).toEqual([0, 1, 1, 2, 0, 0]);
  expect(lines).toEqual([
    ["CONSOLE of b is not that of a, c"],
    ["CONSOLE of b is not that of d, nor that of a, c", "PLAYERS_MAX of d is not that of a, b, c"],
    "all nodes have the same settings again",
  ]);
});
