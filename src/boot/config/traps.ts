/** Settings that are valid, but hardly what the operator wants: a start logs warnings about them, and doctor shows them. */
import { isLoopbackHost } from "../../kernel/ip-address.ts";
import type { LoadedConfig } from "../config.ts";
import { unnamedProviderText } from "./social-settings.ts";
import { takesRefusedNames } from "./username-pattern.ts";

/** What is wrong, and what to do about it. It contains no secret. */
export type SettingTrap = { readonly message: string; readonly remedy: string };

export function settingTraps({
  config,
  withoutEffect,
  misspelt,
  unread,
}: Pick<LoadedConfig, "config" | "withoutEffect" | "misspelt" | "unread">): readonly SettingTrap[] {
  const traps: SettingTrap[] = [
    ...(unread === null ? [] : [unreadTrap(unread)]),
    ...misspelt.map(({ name, setting }) => ({
      message: `${name} (environment) is no setting; did you mean ${setting}?`,
      remedy: "give it that name, or take it out",
    })),
    ...withoutEffect.map((name) => ({
      message: unnamedProviderText(name),
      remedy: "name it there, or take this out",
    })),
    ...addressTraps(config),
    ...databaseTraps(config),
  ];
  if (takesRefusedNames(config.usernamePattern)) {
    traps.push({
      message: `USERNAME_PATTERN ${config.usernamePattern.source} takes names with blanks, invisible characters or service: before them`,
      remedy: "leave them out of it: no player may have such a name, whatever the pattern",
    });
  }
  if (config.rateLimitFactor === 0) {
    traps.push({
      message: "RATE_LIMIT_FACTOR is 0: password and code guessing is not limited",
      remedy: "take it out, except for tests",
    });
  }
  return traps;
}

function unreadTrap(file: string): SettingTrap {
  return {
    message: `${file} is not read, because --config names another file`,
    remedy:
      "put all settings into one of the two, and start without --config if that is the one in the data folder",
  };
}

function addressTraps({
  host,
  publicUrl,
  socketFile,
  tls,
  trustedProxies,
  console,
}: LoadedConfig["config"]): SettingTrap[] {
  if (publicUrl === null) {
    if (trustedProxies.length > 0 && console !== null) {
      return [
        {
          message:
            "PUBLIC_URL is not set although a proxy stands before this server: behind one that speaks TLS the console refuses to sign people in",
          remedy: "set it to the address that players reach",
        },
      ];
    }
    if (isLoopbackHost(host)) return [];
    return [
      {
        message: `PUBLIC_URL is not set: texture addresses begin with ${tls === null ? "http" : "https"}://${host}`,
        remedy: "set it to the address that players reach",
      },
    ];
  }
  const { protocol, hostname } = new URL(publicUrl);
  const speaksPlainly = tls === null && socketFile === null;
  // A server that listens on this machine alone is reached through a proxy, and so is a plain one with an https address.
  const isBehindProxy =
    speaksPlainly && (protocol === "https:" || (isLoopbackHost(host) && !isLoopbackHost(hostname)));
  if (!isBehindProxy || trustedProxies.length > 0) return [];
  return [
    {
      message:
        "TRUSTED_PROXIES is not set although a proxy stands before this server: all clients count as one",
      remedy: "set it to the proxy's address, 127.0.0.1 when it runs on this machine",
    },
  ];
}

function databaseTraps({ database, drainSeconds, publicUrl }: LoadedConfig["config"]): SettingTrap[] {
  if (database === null) return [];
  const traps: SettingTrap[] = [];
  if (database.address.tls === "require" || database.address.tls === "verify-ca")
    traps.push({
      message: `DATABASE_URL has sslmode=${database.address.tls}: another machine may answer in the database's place`,
      remedy: "take sslmode=verify-full, with sslrootcert for an authority of your own",
    });
  if (publicUrl !== null && drainSeconds === 0)
    traps.push({
      message:
        "DRAIN_SECONDS is 0: a balancer sends requests to this node until its next look finds it closed",
      remedy: "set it to a few seconds more than the balancer's interval of looks at /health/ready",
    });
  return traps;
}
