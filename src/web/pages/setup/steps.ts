import { community } from "../../api/community.ts";
import type { Words } from "../../words/language.ts";

/** A step that a new community should take: the settings that it is made of, and the command that helps. */
export type Step = {
  readonly name: keyof Words["setup"]["steps"];
  readonly settings: readonly string[];
  readonly command: string | null;
  /** The check of the server that knows whether it is done. */
  readonly check: string | null;
  /** Whether the page itself knows; null: it does not. */
  readonly isDone: () => boolean | null;
};

export const steps: readonly Step[] = [
  {
    name: "mail",
    settings: ["SMTP_URL", "MAIL_FROM"],
    command: "cloakroom mail test you@example.org",
    check: null,
    isDone: () => community.has_mail,
  },
  {
    name: "address",
    settings: ["PUBLIC_URL"],
    command: null,
    check: "public address",
    isDone: () => !isOnThisMachine(location.hostname),
  },
  {
    name: "tls",
    settings: ["TLS_CERT", "TLS_KEY"],
    command: null,
    check: null,
    isDone: () => location.protocol === "https:",
  },
  {
    name: "backups",
    settings: ["BACKUP_SCHEDULE", "BACKUP_KEEP", "BACKUP_PASSPHRASE"],
    command: "cloakroom backup cloakroom-backup.tar",
    check: "backups",
    isDone: () => null,
  },
  {
    name: "community",
    settings: ["COMMUNITY_NAME", "COMMUNITY_TEXT", "COMMUNITY_LINKS", "COMMUNITY_LOGO", "COMMUNITY_ACCENT"],
    command: null,
    check: null,
    isDone: () => community.text !== null || community.logo || community.links.length > 0,
  },
];

/** An address that other machines cannot open. */
function isOnThisMachine(hostname: string): boolean {
  return /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
