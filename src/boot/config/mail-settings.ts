/** The settings of mail: where it leaves, and whom it is from. */
import { parseMail } from "../../domain/model/mail-address.ts";
import type { Sender } from "../../domain/ports/mailer.ts";
import { AppError } from "../../kernel/errors.ts";
import { secretOf, type Secret } from "../secrets.ts";

/** What SMTP_URL says. */
export type SmtpSetting = {
  readonly host: string;
  readonly port: number;
  /** smtps: TLS from the first byte. */
  readonly secure: boolean;
  readonly credentials: { readonly user: string; readonly password: Secret } | null;
};

/** Submission and submission over TLS (RFC 8314 3). */
const defaultPorts = { "smtp:": 587, "smtps:": 465 } as const;

/** `smtp://user:password@host:587` or `smtps://…`. Throws `invalid` with what it must be. */
export function parseSmtpUrl(given: string): SmtpSetting {
  const url = URL.canParse(given) ? new URL(given) : null;
  const protocol = url?.protocol;
  if (url === null || (protocol !== "smtp:" && protocol !== "smtps:")) {
    return refuse("must be an address like smtp://user:password@host:587 or smtps://…");
  }
  if (!/^\/?$/.test(url.pathname) || url.search !== "" || url.hash !== "") {
    return refuse("must end after host and port");
  }
  const host = url.hostname.replaceAll(/^\[|\]$/g, "");
  if (!/^[A-Za-z0-9._:-]{1,253}$/.test(host)) return refuse("must name a host");
  const port = url.port === "" ? defaultPorts[protocol] : Number(url.port);
  return { host, port, secure: protocol === "smtps:", credentials: credentialsOf(url) };
}

function credentialsOf({ username, password }: URL): SmtpSetting["credentials"] {
  if (username === "" && password === "") return null;
  if (username === "" || password === "") return refuse("must have both a user and a password, or neither");
  try {
    return { user: decodeURIComponent(username), password: secretOf(decodeURIComponent(password)) };
  } catch {
    return refuse("must have a % in user or password written as %25");
  }
}

/** `name@example.org` or `Name <name@example.org>`. Throws `invalid` with what it must be. */
export function parseSender(given: string): Sender {
  const [, quoted = "", within] = /^([^<>]*)<([^<>]+)>$/.exec(given.trim()) ?? [];
  const name = quoted.trim().replaceAll(/^"|"$/g, "");
  try {
    if (/\p{Cc}/u.test(given)) throw new AppError("invalid", "control characters");
    return { name, address: parseMail(within ?? given.trim()) };
  } catch {
    return refuse("must be an address like name@example.org or Name <name@example.org>");
  }
}

function refuse(rule: string): never {
  throw new AppError("invalid", rule);
}
