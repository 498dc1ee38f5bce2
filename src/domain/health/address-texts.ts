import { refusalRemedy, type RefusedFor } from "./certificate-texts.ts";
import type { FindingText } from "./finding-text.ts";

type Address = { readonly address: string };
type Reason = { readonly reason: string };
type Status = { readonly status: number };

const isRunning = "is the server running, and do name and proxy lead to it?";
const forwardsPath = "is the server running, and does the proxy forward the whole path?";
const unreadable = ({ address, reason }: Address & Reason) =>
  `${address} cannot be read as launchers read it: ${reason}`;

/** The mail server, the public address, and what launchers read there. */
export const addressFindings = {
  mail_server_unset: { state: "ok", text: "no mail server is set" },
  mail_server_accepts: {
    state: "ok",
    text: ({ place, password }: { place: string; password: boolean }) =>
      `${place} accepts the connection${password ? " and the password" : ""}`,
  },
  mail_server_refuses: {
    state: "problem",
    text: ({ place, reason }: { place: string; reason: string }) => `${place}: ${reason}`,
    remedy: "check SMTP_URL: host, port, smtp or smtps, user and password",
  },

  address_unset: { state: "ok", text: "not set: players reach the server where it listens" },
  address_answers: { state: "ok", text: ({ address }: Address) => `${address} answers as cloakroom` },
  address_leads_here: { state: "ok", text: ({ address }: Address) => `${address} leads to this server` },
  address_silent: {
    state: "problem",
    text: ({ address, reason }: Address & Reason) => `${address} does not answer: ${reason}`,
    remedy: isRunning,
  },
  address_foreign: {
    state: "problem",
    text: ({ address, status }: Address & Status) =>
      `${address} answers, but not as cloakroom (status ${status})`,
    remedy: "set PUBLIC_URL to the address that the proxy forwards to this server, path included",
  },
  address_clock: {
    state: "warning",
    text: ({ seconds }: { seconds: number }) => `its clock and this machine's differ by ${seconds} seconds`,
    remedy: "set both with NTP",
  },
  address_other_data: {
    state: "problem",
    text: ({ address }: Address) =>
      `${address} leads to a cloakroom with other data: it does not know a texture that is here`,
    remedy: "check DATA_DIR or DATABASE_URL, and where the proxy leads",
  },
  texture_changed: {
    state: "warning",
    text: ({ address }: Address) => `${address} answers with another file than is here, or without its ETag`,
    remedy:
      "let no proxy or CDN change pictures or their headers; if nothing does, check where the proxy leads",
  },
  texture_refused: {
    state: "problem",
    text: ({ address, status }: Address & Status) =>
      `${address} answers with status ${status} for a texture that is here`,
    remedy: "the server's log says why, and so does what doctor says of textures and their bucket",
  },
  texture_foreign: {
    state: "problem",
    text: ({ address, status }: Address & Status) =>
      `${address} is answered by something else (status ${status})`,
    remedy: "let the proxy forward every path below PUBLIC_URL to this server, /textures too",
  },

  launchers_off: { state: "ok", text: "yggdrasil is off: no launcher signs in here" },
  launchers_served: {
    state: "ok",
    text: ({ address, host }: Address & { host: string }) =>
      `${address} announces skins from ${host}, and the key that signs them`,
  },
  launchers_address_unset: {
    state: "warning",
    text: "PUBLIC_URL is not set: games on other machines look for skins where this server listens",
    remedy: "set it to the address that players type into their launchers",
  },
  launchers_address_local: {
    state: "warning",
    text: ({ host }: { host: string }) => `games on other machines find no skins at ${host}`,
    remedy: "set PUBLIC_URL to a name that they know",
  },
  launchers_unencrypted: {
    state: "warning",
    text: ({ address }: Address) => `launchers send passwords and tokens to ${address} unencrypted`,
    remedy: "serve it by https",
  },
  launchers_unreadable: { state: "warning", text: unreadable, remedy: forwardsPath },
  launchers_status: {
    state: "warning",
    text: ({ address, status }: Address & Status) =>
      unreadable({ address, reason: `it answers with status ${status}` }),
    remedy: forwardsPath,
  },
  launchers_foreign: {
    state: "warning",
    text: ({ address }: Address) => unreadable({ address, reason: "it answers, but not as cloakroom" }),
    remedy: forwardsPath,
  },
  launchers_certificate: {
    state: "warning",
    text: ({ address, reason }: Address & Reason & { cause: RefusedFor }) => unreadable({ address, reason }),
    remedy: ({ cause }: { cause: RefusedFor }) => refusalRemedy(cause, { setting: "PUBLIC_URL", own: true }),
  },
  launchers_other_host: {
    state: "problem",
    text: ({ announced, host }: { announced: string; host: string }) =>
      `the server announces that skins come from ${announced}, but their addresses begin with ${host}`,
    remedy: "give the server the same PUBLIC_URL, and start it again",
  },
  launchers_other_key: {
    state: "problem",
    text: ({ address }: Address) => `${address} announces another key than the one that is kept here`,
    remedy: "check DATA_DIR or DATABASE_URL, and where the proxy leads",
  },
} as const satisfies Readonly<Record<string, FindingText>>;
