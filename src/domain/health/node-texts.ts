import type { FindingText } from "./finding-text.ts";

/** What to do where nodes differ in a setting that all of them need alike. */
export const sameSettings =
  "give every node the same, and restart those that had another one (docs/operate/scale-out.md)";

/** The nodes that serve from the same database. */
export const nodeFindings = {
  nodes_none: { state: "ok", text: "no node serves now" },
  nodes_serving: { state: "ok", text: ({ nodes }: { nodes: string }) => nodes },
  nodes_versions: {
    state: "warning",
    text: ({ versions }: { versions: string }) => `they run ${versions}`,
    remedy: "bring all of them to the same release",
  },
  nodes_textures_apart: {
    state: "warning",
    text: "BLOBS is files and several nodes serve: each needs the same files",
    remedy: "set BLOBS to a bucket, or give all of them one DATA_DIR on a shared file system",
  },
  nodes_public_url_unset: {
    state: "warning",
    text: "PUBLIC_URL is not set and several nodes serve: addresses of textures and in mails lead to the one that made them",
    remedy: "stop every node, set PUBLIC_URL to the balancer's address on each, and start them",
  },
  nodes_public_url_other: {
    state: "problem",
    text: ({ nodes, seconds }: { nodes: string; seconds: number }) =>
      `PUBLIC_URL is another one than that of ${nodes}, so sessions of one node would not count on the other:` +
      ` set PUBLIC_URL to the same address on every node, and stop all of them to change it (one that was killed counts for ${seconds} seconds)`,
    remedy: sameSettings,
  },
  nodes_setting_other: {
    state: "warning",
    text: ({ setting, nodes }: { setting: string; nodes: string }) =>
      `${setting} of this machine is not that of ${nodes}`,
    remedy: sameSettings,
  },
} as const satisfies Readonly<Record<string, FindingText>>;
