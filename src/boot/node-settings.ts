/** Compares the settings that the nodes of a community share. */
import { aliveSeconds, type Node } from "../adapters/postgres/cluster/nodes.ts";
import { found, type CodedFinding } from "../domain/health/finding.ts";
import { sameSettings } from "../domain/health/node-texts.ts";
import { PlainError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/log.ts";
import type { SettingDigests } from "./config/setting-digests.ts";
import type { SettingName } from "./config/settings.ts";

/**
 * It is in session tokens: a node with another one takes those of the others for forged, and signs people
 * out. Nodes without it have one word there in its place, wherever they listen, so it is the setting that
 * counts and not the address that it falls back to.
 */
const refusedSetting: SettingName = "PUBLIC_URL";
/** The key of all digests is made of it. */
const keySetting: SettingName = "JWT_SECRET";

type Settled = Pick<Node, "name" | "isAlive" | "settings">;

/** A setting in which running nodes differ. */
export type SettingDifference = {
  readonly setting: string;
  /** The names of nodes that agree, the fewest first. */
  readonly groups: readonly (readonly string[])[];
};

/** What running nodes differ in. A setting that a node's release does not know is not compared there. */
export function settingDifferences(nodes: readonly Settled[]): readonly SettingDifference[] {
  const running = nodes.filter(({ isAlive }) => isAlive);
  const names = new Set(running.flatMap(({ settings }) => Object.keys(settings ?? {})));
  const found = [...names].toSorted().flatMap((setting): readonly SettingDifference[] => {
    const groups = Map.groupBy(running, ({ settings }) => settings?.[setting]);
    groups.delete(undefined);
    if (groups.size < 2) return [];
    const named = [...groups.values()].map((group) => group.map(({ name }) => name));
    return [{ setting, groups: named.toSorted((one, other) => one.length - other.length) }];
  });
  const key = found.filter(({ setting }) => setting === keySetting);
  return key.length > 0 ? key : found;
}

/** `PUBLIC_URL of node3 is not that of node1, node2`. */
function differenceText({ setting, groups }: SettingDifference): string {
  const [fewest = [], ...others] = groups.map((names) => names.join(", "));
  return `${setting} of ${String(fewest)} is not that of ${others.join(", nor that of ")}`;
}

/**
 * The settings in which a node differs from most of the others, or from any where no value has most of them;
 * null: not known.
 */
export function oddSettings(
  differences: readonly SettingDifference[],
  { name, settings }: Settled,
): readonly string[] | null {
  if (settings === null) return null;
  return differences
    .filter(({ groups }) => {
      const [most = [], next = []] = groups.toReversed();
      return !(most.length > next.length && most.includes(name));
    })
    .filter(({ groups }) => groups.some((names) => names.includes(name)))
    .map(({ setting }) => setting);
}

/** The settings of this machine that are not those of running nodes, with the names of these. */
export function differencesFrom(own: SettingDigests, nodes: readonly Settled[]): ReadonlyMap<string, string> {
  const comparable = nodes.filter(
    ({ isAlive, settings }) => isAlive && settings?.[keySetting] === own[keySetting],
  );
  const found = Object.entries(own).map(([setting, digest]): [string, string] => {
    const others = comparable.filter(({ settings }) => (settings?.[setting] ?? digest) !== digest);
    return [setting, others.map(({ name }) => name).join(", ")];
  });
  return new Map(found.filter(([, names]) => names !== ""));
}

/** Fails with conflict where one of these nodes has another PUBLIC_URL. */
export function refuseOtherUrl(own: SettingDigests, others: readonly Settled[]): void {
  const names = differencesFrom(own, others).get(refusedSetting);
  if (names !== undefined) throw new PlainError("conflict", otherUrlFinding(names).message);
}

/** Whether no node starts with another value than those that run. */
export function isRefused(setting: string): boolean {
  return setting === refusedSetting;
}

/** What is found where this node's PUBLIC_URL is not that of these nodes. */
export function otherUrlFinding(nodes: string): CodedFinding {
  return found("nodes_public_url_other", { nodes, seconds: aliveSeconds });
}

export type SettingsWatch = {
  /** Logs what running nodes differ in, when it begins, changes and ends. */
  readonly look: (nodes: readonly Settled[]) => void;
  /** The number of settings in which they differed at the last look. */
  readonly differing: () => number;
};

export function watchSettings(log: Pick<Logger, "info" | "warn">): SettingsWatch {
  let last: readonly string[] = [];
  return {
    look: (nodes) => {
      const differences = settingDifferences(nodes).map(differenceText);
      if (differences.join() === last.join()) return;
      last = differences;
      if (differences.length === 0) return log.info("all nodes have the same settings again");
      log.warn("nodes differ in settings that all of them need alike", {
        differences,
        remedy: sameSettings,
      });
    },
    differing: () => last.length,
  };
}
