/**
 * The kinds of value that settings and command-line options take. A kind parses a text, or throws `invalid`
 * with what the text must be; the caller puts the name before that.
 */
import { resolve } from "node:path";
import { parseMail } from "../../domain/model/mail-address.ts";
import type { Mailbox } from "../../domain/ports/mailer.ts";
import type { CapeKey } from "../../domain/ports/texture-store.ts";
import { PlainError } from "../../kernel/errors.ts";
import {
  parseRowNumber,
  parseTextureHash,
  parseUuid,
  type CapeId,
  type TextureHash,
  type Uuid,
} from "../../kernel/ids.ts";
import { parseInstant } from "../../kernel/instant.ts";
import { isInNetwork, isMappedIpv4, parseIpNetwork, type IpNetwork } from "../../kernel/ip-address.ts";
import { secretOf, type Secret } from "../secrets.ts";
import { parseUsernamePattern } from "./username-pattern.ts";

export type Kind<T> = {
  /** The value in help texts: `N`, `FILE`, `debug|info`. */
  readonly placeholder: string;
  /** A secret is not repeated in messages. */
  readonly secret: boolean;
  readonly parse: (text: string) => T;
};

export function text(placeholder: string): Kind<string> {
  return kind(placeholder, (given) => (given === "" ? refuse("must not be empty") : given));
}

export function integer(least: number, most: number): Kind<number> {
  return kind("N", (given) => {
    const value = /^-?\d{1,15}$/.test(given) ? Number(given) : NaN;
    return value >= least && value <= most
      ? value
      : refuse(`must be a whole number from ${least} to ${most}`);
  });
}

/** A number that may have a fraction: `0.5`, `2`. */
export function decimal(least: number, most: number): Kind<number> {
  return kind("N", (given) => {
    const value = /^\d{1,9}(?:\.\d{1,9})?$/.test(given) ? Number(given) : NaN;
    return value >= least && value <= most ? value : refuse(`must be a number from ${least} to ${most}`);
  });
}

export function choice<const T extends string>(...choices: readonly T[]): Kind<T> {
  return kind(choices.join("|"), (given) => {
    return choices.find((one) => one === given) ?? refuse(`must be ${choices.join(" or ")}`);
  });
}

export const boolean: Kind<boolean> = {
  ...choice("true", "false"),
  parse: (given) => choice("true", "false").parse(given) === "true",
};

/** A path, made absolute from the working directory. */
export function path(placeholder: string): Kind<string> {
  return kind(placeholder, (given) => {
    return given === "" || given.includes("\0") ? refuse("must be a path") : resolve(given);
  });
}

/** A point in time, as whole Unix seconds. */
export const instant: Kind<number> = kind("TIME", (given) => {
  const seconds = parseInstant(/^\d+$/.test(given) ? Number(given) : given);
  return seconds ?? refuse("must be ISO 8601 with a zone, like 2030-01-31T18:00Z, or Unix seconds");
});

/** An address to listen on. Brackets around an IPv6 address are dropped: Bun wants it bare. */
export const host: Kind<string> = kind("ADDRESS", (given) => {
  const bare = /^\[[0-9a-fA-F:.]+\]$/.test(given) ? given.slice(1, -1) : given;
  return /^[A-Za-z0-9._:-]{1,253}$/.test(bare) ? bare : refuse("must be an IP address or a host name");
});

/**
 * An address that paths are appended to, so it has no trailing slash, and nothing that would come after a
 * path.
 */
export const baseUrl: Kind<string> = kind("URL", (given) => {
  const url = URL.canParse(given) ? new URL(given) : null;
  const plain = url !== null && /^https?:\/\//i.test(given) && url.username === "" && url.password === "";
  if (!plain || /[?#\s]/.test(given)) {
    return refuse("must be an http:// or https:// address without user name, query or fragment");
  }
  return url.href.replace(/\/+$/, "");
});

/** Longer names do not fit into subjects and senders. */
const communityNameLengthMax = 60;

/** Shown to people, on one line. */
export const communityName: Kind<string> = kind("NAME", (given) => {
  const name = given.trim();
  const isShown = /[\p{L}\p{N}]/u.test(name) && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name);
  return isShown && name.length <= communityNameLengthMax
    ? name
    : refuse(`must be one line of at most ${communityNameLengthMax} characters, with a letter or digit`);
});

/** The file of a socket. Systems limit its path (macOS to 104 bytes, Linux to 108, the last one is zero). */
export const socketFile: Kind<string> = kind("FILE", (given) => {
  const absolute = path("FILE").parse(given);
  return Buffer.byteLength(absolute) <= 103
    ? absolute
    : refuse("must have 103 bytes at most as a whole path");
});

/** Origins of web pages, as browsers send them, separated by commas; `*` stands for all. */
export const origins: Kind<readonly string[]> = kind("ORIGIN,…", (given) => {
  if (given === "*") return ["*"];
  return given.split(",").map((one) => {
    const text = one.trim();
    const url = URL.canParse(text) && !text.includes("*") ? new URL(text) : null;
    if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
    const rule = "must be * or origins like https://www.example.org, separated by commas";
    return refuse(`${rule}; ${JSON.stringify(text)} is none`);
  });
});

/** Addresses and networks, separated by commas. */
export const ipNetworks: Kind<readonly IpNetwork[]> = kind("CIDR,…", (given) => {
  return given.split(",").map((one) => {
    const rule = "must be addresses or networks like 10.0.0.0/8, separated by commas";
    const network = parseIpNetwork(one.trim()) ?? refuse(`${rule}; ${JSON.stringify(one.trim())} is none`);
    if (!isTooWide(network)) return network;
    return refuse(
      `must name the proxies alone; ${JSON.stringify(one.trim())} lets any stranger choose the address that counts as the client's`,
    );
  });
});

/** Networks that are wide by definition: IPv6's private and link-local addresses. */
const wideNetworks = ["fc00::/7", "fe80::/10"].map((text) => parseIpNetwork(text));
/** All of IPv4, as a network of IPv6. */
const mappedRange = parseIpNetwork("::ffff:0:0/96");
const mappedPrefix = 96;

/** As large as the range of a continent. No proxy needs that, except in private networks. */
function isTooWide({ first, prefix }: IpNetwork): boolean {
  if (wideNetworks.some((wide) => wide !== null && wide.prefix <= prefix && isInNetwork(first, wide)))
    return false;
  const holdsIpv4 =
    mappedRange !== null && prefix <= mappedPrefix && isInNetwork(mappedRange.first, { first, prefix });
  return holdsIpv4 || prefix < 16 || (isMappedIpv4(first) && prefix < mappedPrefix + 8);
}

export const usernamePattern: Kind<RegExp> = kind("REGEXP", parseUsernamePattern);

/** SMTP_URL in parts. */
export type SmtpSetting = {
  readonly host: string;
  readonly port: number;
  /** smtps: TLS from the first byte. */
  readonly secure: boolean;
  readonly credentials: { readonly user: string; readonly password: Secret } | null;
};

/** Submission and submission over TLS (RFC 8314 3). */
const defaultPorts = { "smtp:": 587, "smtps:": 465 } as const;

/** `smtp://user:password@host:587` or `smtps://…`. */
export const smtpUrl: Kind<SmtpSetting> = hidden("URL", (given) => {
  const url = URL.canParse(given) ? new URL(given) : null;
  const protocol = url?.protocol;
  if (url === null || (protocol !== "smtp:" && protocol !== "smtps:"))
    return refuse("must be an address like smtp://user:password@host:587 or smtps://…");
  if (!/^\/?$/.test(url.pathname) || url.search !== "" || url.hash !== "")
    return refuse("must end after host and port");
  const host = url.hostname.replaceAll(/^\[|\]$/g, "");
  if (!/^[A-Za-z0-9._:-]{1,253}$/.test(host)) return refuse("must name a host");
  const port = url.port === "" ? defaultPorts[protocol] : Number(url.port);
  return { host, port, secure: protocol === "smtps:", credentials: credentialsOf(url) };
});

function credentialsOf({ username, password }: URL): SmtpSetting["credentials"] {
  if (username === "" && password === "") return null;
  if (username === "" || password === "") return refuse("must have both a user and a password, or neither");
  try {
    return { user: decodeURIComponent(username), password: secretOf(decodeURIComponent(password)) };
  } catch {
    return refuse("must have a % in user or password written as %25");
  }
}

/** `name@example.org` or `Name <name@example.org>`. */
export const sender: Kind<Mailbox> = kind("SENDER", (given) => {
  const [, quoted = "", within] = /^([^<>]*)<([^<>]+)>$/.exec(given.trim()) ?? [];
  const name = quoted.trim().replaceAll(/^"|"$/g, "");
  try {
    if (/\p{Cc}/u.test(given)) throw new PlainError("invalid", "control characters");
    return { name, address: parseMail(within ?? given.trim()) };
  } catch {
    return refuse("must be an address like name@example.org or Name <name@example.org>");
  }
});

/** A UUID, dashed or not, in any case. */
export const uuid: Kind<Uuid> = kind("UUID", (given) => parseUuid(given) ?? refuse("must be a UUID"));

/** A cape's UUID or id. */
export const capeKey: Kind<CapeKey> = kind("CAPE", (given) => {
  const id = parseRowNumber(given);
  if (id !== null) return { by: "id", value: id as CapeId }; // the store knows whether it is some cape's
  const value = parseUuid(given);
  return value === null ? refuse("must be a cape's UUID or id") : { by: "uuid", value };
});

/** The hash of a bitmap. */
export const textureHash: Kind<TextureHash> = kind("HASH", (given) => {
  return parseTextureHash(given.toLowerCase()) ?? refuse("must be 64 hexadecimal digits");
});

/** A SHA-256 in hexadecimal digits. */
export const hexHash: Kind<string> = kind("HASH", (given) => {
  return /^[0-9a-f]{64}$/i.test(given) ? given.toLowerCase() : refuse("must be 64 hexadecimal digits");
});

/** Any text that must not be shown. */
export const hiddenText: Kind<Secret> = hidden("SECRET", (given) => secretOf(text("").parse(given)));

/** The domain has its rules; this kind keeps it out of messages. */
export const password: Kind<string> = hidden("PASSWORD", text("PASSWORD").parse);

export function kind<T>(placeholder: string, parse: (text: string) => T): Kind<T> {
  return { placeholder, parse, secret: false };
}

/** A kind whose values must not be shown. */
export function hidden<T>(placeholder: string, parse: (text: string) => T): Kind<T> {
  return { placeholder, parse, secret: true };
}

/** Throws `invalid` with what a value must be. */
export function refuse(rule: string): never {
  throw new PlainError("invalid", rule);
}
