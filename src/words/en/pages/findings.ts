import type { FindingWords } from "../../findings.ts";

export const findings: FindingWords = {
  topics: {
    settings: "Settings",
    disk: "Disk",
    clock: "Clock",
    nodes: "Nodes",
    "mail server": "Mail server",
    certificate: "Certificate",
    "public address": "Public address",
    launchers: "Launchers",
    backups: "Backups",
    "open files": "Open files",
    database: "Database",
    textures: "Textures",
    outbox: "Outbox",
  },
  texts: null,
};
