import { community } from "../../api/community.ts";
import type { StaffWords } from "../../../words/en/staff-pages.ts";
import { areBackupsPlanned, havePeopleJoined, type Known } from "./checks.ts";

/** A step that a new community should take. */
export type Step = {
  readonly name: keyof StaffWords["setup"]["steps"];
  /** Its settings as the file has them, each with a value as an example. */
  readonly settings: Readonly<Record<string, string>>;
  /** The command that does it or tries it out, behind the program's name. */
  readonly command: string | null;
  /** The page that people get the address of, as a path. */
  readonly page: string | null;
  /** `known`: null until the overview is there. Null: not known. */
  readonly isDone: (known: Known | null) => boolean | null;
};

export const steps: readonly Step[] = [
  {
    name: "community",
    settings: {
      community_name: "The Builders",
      community_text: "A small server, open every evening.",
      community_links: "Discord=https://discord.example.org/invite",
      community_logo: "/etc/cloakroom/logo.png",
      community_accent: "#0f766e",
    },
    command: null,
    page: null,
    isDone: () =>
      community.has_name || community.text !== null || community.logo || community.links.length > 0,
  },
  {
    name: "address",
    settings: { public_url: "https://skins.example.org" },
    command: null,
    page: null,
    isDone: () => community.public_url !== null && !isOnThisMachine(new URL(ownAddress()).hostname),
  },
  {
    name: "mail",
    settings: {
      smtp_url: "smtp://user:password@mail.example.org:587",
      mail_from: "Skins <noreply@example.org>",
    },
    command: "mail test you@example.org",
    page: null,
    isDone: () => community.has_mail,
  },
  {
    name: "tls",
    settings: {
      trusted_proxies: "127.0.0.1",
      tls_cert: "/etc/cloakroom/fullchain.pem",
      tls_key: "/etc/cloakroom/privkey.pem",
    },
    command: null,
    page: null,
    isDone: () => ownAddress().startsWith("https:"),
  },
  {
    name: "backups",
    settings: { backup_schedule: "30 4 * * *", backup_keep: "14" },
    command: "backup cloakroom-$(date +%F-%H%M).tar.zst",
    page: null,
    isDone: (known) => areBackupsPlanned(known?.checks ?? []),
  },
  {
    name: "invite",
    settings: {},
    command: null,
    page: "/register",
    isDone: havePeopleJoined,
  },
];

/** The address that people open. */
function ownAddress(): string {
  return community.public_url ?? location.origin;
}

/**
 * The address that other people open, as far as it is known: without a public address, and where this page
 * was opened on the server's own machine, the one that launchers get.
 */
export function addressForOthers(): string {
  const { public_url: given, protocols } = community;
  if (given !== null || protocols.yggdrasil === null || !isOnThisMachine(location.hostname))
    return ownAddress();
  return new URL(protocols.yggdrasil).origin;
}

/** Whether other machines cannot open an address. */
export function isOnThisMachine(hostname: string): boolean {
  return /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
