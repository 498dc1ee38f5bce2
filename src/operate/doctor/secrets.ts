import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { isServed } from "../../adapters/sqlite/folder-lock.ts";
import { signingProtocols } from "../../boot/config/protocol-settings.ts";
import { keysOfFolder } from "../../boot/engines.ts";
import { keysReadBy } from "../../boot/secrets.ts";
import type { KeyKind } from "../../domain/ports/key-store.ts";
import { lockRefusal } from "./data-folder.ts";
import { openInspection } from "./database.ts";
import { failure, problem, reasonOf, type Finding, type Subject } from "./finding.ts";
import { checkReaders } from "./folder-access.ts";

/** To make a signing key takes a second or two, on a slow machine some more. */
const makingMs = 6000;
const lookMs = 250;
/** How long after its first use a folder counts as new. */
const newMs = 60_000;

/** Whether other users can read the secrets, whether a start can use them, and whether one is gone that is in use. */
export async function* checkSecrets(subject: Subject): AsyncIterable<Finding> {
  const { folder, loaded } = subject;
  yield* checkReaders(folder, loaded.config);
  const keys = keysOfFolder(folder.path);
  const { jwtSecret, config } = loaded;
  const kinds = keysReadBy({ jwtSecret, webhookSecret: config.webhooks.secret });
  if (existsSync(folder.secrets)) for (const kind of kinds) yield* refusalsOf(keys.find(kind));
  yield* lossFindings(subject, kinds);
}

async function* refusalsOf(look: Promise<unknown>): AsyncIterable<Finding> {
  const refusal = await look.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (refusal instanceof Error) yield failure(reasonOf(refusal), refusal);
}

/** With DATABASE_URL the keys are rows, and JWT_SECRET is a setting. */
async function* lossFindings(subject: Subject, kinds: readonly KeyKind[]): AsyncIterable<Finding> {
  const { folder, config } = subject;
  if (config.database !== null || !existsSync(folder.path)) return;
  const isRunning = isServing(folder.path);
  const lost = isRunning
    ? await lostBesideServer(subject, kinds)
    : missingOf(kinds.filter(isJwtSecret), subject);
  if (lost.length === 0 || (!isRunning && !needsSecret(subject))) return;
  const names = lost.map(({ name }) => join("secrets", name)).join(", ");
  const losses = lost.map(({ loss }) => loss).join("; ");
  yield problem(
    isRunning
      ? `${names} ${lost.length === 1 ? "is" : "are"} gone: only the server that runs still has them, and the next start makes ${lost.length === 1 ? "another" : "others"} (${losses})`
      : `${names} is gone, and what it signed is still kept: the next start makes another (${losses})`,
    `${isRunning ? "do not restart the server" : "do not start the server"} before they are back: ${config.blobs === null ? "" : "BLOBS=files "}cloakroom restore BACKUP --data-dir OTHER` +
      ` unpacks the newest backup that has them, and OTHER/secrets goes to ${folder.secrets}, with its owner and mode 600;` +
      " put that backup aside, since later ones lack them. If you deleted them on purpose, or no backup has them, a start is all that is left",
  );
}

/** Whether a server uses the folder, and no restore. Not if its lock cannot be used, which `checkDataFolder` says. */
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

function isSigningKey({ name }: KeyKind): boolean {
  return name === "signing-key";
}

/** Whether a server with these settings has this key from its start on. */
function isReadBy(name: string, { config }: Subject): boolean {
  if (name === "webhook-secret") return config.webhooks.urls.length > 0;
  return name !== "signing-key" || signingProtocols.some((protocol) => config.protocols.has(protocol));
}

function missingOf(kinds: readonly KeyKind[], { folder }: Subject): readonly KeyKind[] {
  return kinds.filter(({ name }) => !existsSync(join(folder.secrets, name)));
}

/** Waits for a signing key that a server which has just begun may still be making. In a folder that is new itself it is not missed. */
async function lostBesideServer(subject: Subject, kinds: readonly KeyKind[]): Promise<readonly KeyKind[]> {
  const missing = () =>
    missingOf(
      kinds.filter(({ name }) => isReadBy(name, subject)),
      subject,
    );
  const isOnlySigningKey = () => missing().length > 0 && missing().every(isSigningKey);
  for (let waited = 0; waited < makingMs && isOnlySigningKey(); waited += lookMs) await Bun.sleep(lookMs);
  const isNew = Date.now() - statSync(join(subject.folder.path, "lock")).mtimeMs < newMs;
  return isNew && isOnlySigningKey() ? [] : missing();
}

function needsSecret({ folder }: Subject): boolean {
  const opened = openInspection(folder);
  if ("state" in opened) return false;
  using inspection = opened;
  return inspection.pending === 0 && inspection.needsSecret();
}
