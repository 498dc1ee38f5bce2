import { community } from "../../api/community.ts";
import type { Words } from "../../words/en.ts";
import { areBackupsPlanned, type Check } from "./checks.ts";

/** A step that a new community should take. */
export type Step = {
  readonly name: keyof Words["setup"]["steps"];
  /** Its settings, each with a value as an example. */
  readonly settings: readonly string[];
  /** The command that does it or tries it out. */
  readonly command: string | null;
  /** Null: not known. */
  readonly isDone: (checks: readonly Check[]) => boolean | null;
};

export const steps: readonly Step[] = [
  {
    name: "mail",
    settings: ["SMTP_URL=smtp://user:password@mail.example.org:587", "MAIL_FROM=Skins <noreply@example.org>"],
    command: "cloakroom mail test you@example.org",
    isDone: () => community.has_mail,
  },
  {
    name: "address",
    settings: ["PUBLIC_URL=https://skins.example.org"],
    command: null,
    isDone: () => !isOnThisMachine(location.hostname),
  },
  {
    name: "tls",
    settings: ["TLS_CERT=/etc/cloakroom/fullchain.pem", "TLS_KEY=/etc/cloakroom/privkey.pem"],
    command: null,
    isDone: () => location.protocol === "https:",
  },
  {
    name: "backups",
    settings: ["BACKUP_SCHEDULE=30 4 * * *", "BACKUP_KEEP=14"],
    command: "cloakroom backup cloakroom-$(date +%F-%H%M).tar.zst",
    isDone: areBackupsPlanned,
  },
  {
    name: "community",
    settings: [
      "COMMUNITY_NAME=The Builders",
      "COMMUNITY_TEXT=A small server, open every evening.",
      "COMMUNITY_LINKS=Discord=https://discord.example.org/invite",
      "COMMUNITY_LOGO=/etc/cloakroom/logo.png",
      "COMMUNITY_ACCENT=#0f766e",
    ],
    command: null,
    isDone: () => community.text !== null || community.logo || community.links.length > 0,
  },
];

/** An address that other machines cannot open. */
function isOnThisMachine(hostname: string): boolean {
  return /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
