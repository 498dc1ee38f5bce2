/**
 * Settings that are valid, but hardly what the operator wants: a start logs warnings about them, and doctor
 * shows them.
 */
import { networkInterfaces } from "node:os";
import { found, type CodedFinding } from "../../domain/health/finding.ts";
import { isLoopbackHost } from "../../kernel/ip-address.ts";
import type { LoadedConfig } from "../config.ts";
import { openableAddresses } from "../setup-links.ts";
import { takesRefusedNames } from "./username-pattern.ts";

export function settingTraps({
  config,
  withoutEffect,
  misspelt,
  unread,
}: Pick<LoadedConfig, "config" | "withoutEffect" | "misspelt" | "unread">): readonly CodedFinding[] {
  const traps: CodedFinding[] = [
    ...(unread === null ? [] : [found("settings_file_unread", { file: unread })]),
    ...misspelt.map(({ name, setting }) => found("setting_misspelt", { name, setting })),
    ...withoutEffect.map((setting) => found("setting_without_provider", { setting })),
    ...addressTraps(config),
    ...databaseTraps(config),
  ];
  if (takesRefusedNames(config.rules.names.pattern))
    traps.push(found("username_pattern_wide", { pattern: config.rules.names.pattern.source }));
  if (config.rateLimitFactor === 0) traps.push(found("limits_off"));
  return traps;
}

function addressTraps(config: LoadedConfig["config"]): CodedFinding[] {
  const { host, publicUrl, socketFile, tls, trustedProxies, console } = config;
  if (publicUrl === null) {
    if (trustedProxies.length > 0 && console !== null) return [found("public_url_unset_behind_proxy")];
    if (isLoopbackHost(host)) return [];
    return [found("public_url_unset", { address: addressWithout(config) })];
  }
  const { protocol, hostname } = new URL(publicUrl);
  const speaksPlainly = tls === null && socketFile === null;
  // A server that listens on this machine alone is reached through a proxy, and so is a plain one with an
  // https address.
  const isBehindProxy =
    speaksPlainly && (protocol === "https:" || (isLoopbackHost(host) && !isLoopbackHost(hostname)));
  return isBehindProxy && trustedProxies.length === 0 ? [found("trusted_proxies_unset")] : [];
}

/** What is handed out without PUBLIC_URL. A port that the start chooses is left out. */
function addressWithout(config: LoadedConfig["config"]): string {
  const { host, port, tls } = config;
  const name = host.includes(":") ? `[${host}]` : host;
  const base = `${tls === null ? "http" : "https"}://${name}${port === 0 ? "" : `:${port}`}`;
  return openableAddresses(config, base, networkInterfaces)[0] ?? base;
}

function databaseTraps({ database, drainSeconds, publicUrl }: LoadedConfig["config"]): CodedFinding[] {
  if (database === null) return [];
  const traps: CodedFinding[] = [];
  const { tls: mode } = database.address;
  if (mode === "require" || mode === "verify-ca") traps.push(found("database_unverified", { mode }));
  if (publicUrl !== null && drainSeconds === 0) traps.push(found("drain_seconds_zero"));
  return traps;
}
