import { existsSync } from "node:fs";
import { join } from "node:path";
import { isServed } from "../../adapters/sqlite/folder-lock.ts";
import type { Inspection } from "../../adapters/sqlite/inspect.ts";
import { signingProtocols } from "../../boot/config/protocol-settings.ts";
import { keysOfFolder } from "../../boot/engines.ts";
import { keysReadBy } from "../../boot/secrets.ts";
import type { KeyKind } from "../../domain/ports/key-store.ts";
import { askOwnServer } from "../ask-server.ts";
import { lockRefusal } from "./data-folder.ts";
import { openInspection } from "./database.ts";
import { failure, problem, reasonOf, warning, type Finding, type Subject } from "./finding.ts";
import { checkReaders } from "./folder-access.ts";

/**
 * Whether other users can read the secrets, whether a start can use them, and whether one is gone that was in
 * use.
 */
export async function* checkSecrets(subject: Subject, signal: AbortSignal): AsyncIterable<Finding> {
  const { folder, loaded } = subject;
  yield* checkReaders(folder, loaded);
  const keys = keysOfFolder(folder.path);
  const { jwtSecret, config } = loaded;
  const kinds = keysReadBy({ jwtSecret, webhookSecret: config.webhooks.secret });
  if (existsSync(folder.secrets)) for (const kind of kinds) yield* refusalsOf(keys.find(kind));
  yield* lossFindings(subject, kinds, signal);
}

async function* refusalsOf(look: Promise<unknown>): AsyncIterable<Finding> {
  const refusal = await look.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (refusal instanceof Error) yield failure(reasonOf(refusal), refusal);
}

/** With DATABASE_URL the keys are rows, and JWT_SECRET is a setting. */
async function* lossFindings(
  subject: Subject,
  kinds: readonly KeyKind[],
  signal: AbortSignal,
): AsyncIterable<Finding> {
  const { folder, config } = subject;
  if (config.database !== null || !existsSync(folder.path)) return;
  const isRunning = isServing(folder.path);
  const lost: KeyKind[] = [];
  for (const kind of kinds) {
    if (isKept(kind, subject)) continue;
    const use = uses[kind.name];
    if (use === undefined || !(isRunning ? use.isExpected(subject) : isJwtSecret(kind))) continue;
    const wasUsed = await use.wasUsed(subject, signal);
    // A server that has just begun answers only after it has made the key.
    if (isKept(kind, subject)) continue;
    if (wasUsed) lost.push(kind);
    else if (isRunning) yield absence(kind, use.isNewWith);
  }
  if (lost.length > 0) yield loss(lost, isRunning, subject);
}

/** The running server may have had the key, or only these settings ask for it. */
function absence({ name }: KeyKind, isNewWith: string): Finding {
  return warning(
    `${join("secrets", name)} is not there`,
    `if this server had one, restore it before a restart; if ${isNewWith}, the next start makes it`,
  );
}

function loss(lost: readonly KeyKind[], isRunning: boolean, { folder, config }: Subject): Finding {
  const names = lost.map(({ name }) => join("secrets", name)).join(", ");
  const losses = lost.map((one) => one.loss).join("; ");
  const [are, they, them, others] =
    lost.length === 1
      ? (["is", "it", "it", "another"] as const)
      : (["are", "they", "them", "others"] as const);
  return problem(
    isRunning
      ? `${names} ${are} gone: only the server that runs still has ${them}, and the next start makes ${others} (${losses})`
      : `${names} ${are} gone, and what ${they} signed is still kept: the next start makes ${others} (${losses})`,
    `do not ${isRunning ? "restart" : "start"} the server before ${they} ${are} back: ${config.blobs === null ? "" : "BLOBS=files "}cloakroom restore BACKUP --data-dir OTHER` +
      ` unpacks the newest backup that has ${them}, and OTHER/secrets goes to ${folder.secrets}, with its owner and mode 600;` +
      ` put that backup aside, since later ones lack ${them}. If you deleted ${them} on purpose, or no backup has ${them}, a start is all that is left`,
  );
}

/**
 * Whether a server uses the folder, and no restore. Not if its lock cannot be used, which `checkDataFolder`
 * says.
 */
function isServing(path: string): boolean {
  try {
    return isServed(path) && lockRefusal(path) === null;
  } catch {
    return false;
  }
}

function isJwtSecret({ name }: KeyKind): boolean {
  return name === "jwt-secret";
}

function isKept({ name }: KeyKind, { folder }: Subject): boolean {
  return existsSync(join(folder.secrets, name));
}

type Use = {
  /** Whether a server with these settings has the key from its start on. */
  readonly isExpected: (subject: Subject) => boolean;
  /** Whether something shows that the key existed. */
  readonly wasUsed: (subject: Subject, signal: AbortSignal) => boolean | Promise<boolean>;
  /** The change of settings that makes a server need the key. */
  readonly isNewWith: string;
};

const uses: Readonly<Record<string, Use>> = {
  "jwt-secret": {
    isExpected: () => true,
    wasUsed: (subject) => inFolder(subject, (inspection) => inspection.needsSecret()),
    isNewWith: "JWT_SECRET was set until now",
  },
  "signing-key": {
    isExpected: ({ config }) => signingProtocols.some((protocol) => config.protocols.has(protocol)),
    wasUsed: isKeyPublished,
    isNewWith: "its protocol is new in PROTOCOLS",
  },
  "webhook-secret": {
    isExpected: ({ config }) => config.webhooks.urls.length > 0,
    wasUsed: (subject) => inFolder(subject, (inspection) => inspection.hasDelivered()),
    isNewWith: "WEBHOOK_URLS is new",
  },
};

/** Whether the server that runs shows its public key, as launchers and game servers read it. */
async function isKeyPublished({ config }: Subject, signal: AbortSignal): Promise<boolean> {
  for (const path of ["/api/yggdrasil", "/ely/signature-verification-key.pem"] as const) {
    const answer = await askOwnServer(config, path, signal);
    if (answer.state === "other" && answer.status === 200) return true;
  }
  return false;
}

function inFolder({ folder }: Subject, look: (inspection: Inspection) => boolean): boolean {
  const opened = openInspection(folder);
  if ("state" in opened) return false;
  using inspection = opened;
  return look(inspection);
}
