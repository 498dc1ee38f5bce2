import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { KeyKind, KeyStore } from "../../../domain/ports/key-store.ts";
import { type AppError, PlainError } from "../../../kernel/errors.ts";
import type { Sender } from "../../sql/sender.ts";

/** How long a key that another node replaced may stay in use. */
const lookMs = 500;

/** The nonce and tag of AES-GCM (NIST SP 800-38D). */
const nonceBytes = 12;
const tagBytes = 16;

type KeyRows = KeyStore & Disposable;
type Row = { readonly sealed: string; readonly stamp: string };

/**
 * Keys as rows, each sealed with a key that is derived from the JWT secret: the rows alone open nothing.
 * Looks for what other nodes replaced twice a second, until it is disposed of.
 */
export async function openKeyRows(sender: Sender, jwtSecret: string): Promise<KeyRows> {
  const seal = sealWith(jwtSecret);
  const stamps = await openStamps(sender);
  const open = (kind: KeyKind, { sealed }: Row): string => {
    const text = seal.open(kind.name, sealed);
    if (text !== null && kind.isUsable(text)) return text;
    throw new PlainError(
      "internal",
      `the row ${kind.name} of kept_keys is damaged: delete it and a new one is made at the next start (${kind.loss})`,
    );
  };

  return {
    find: async (kind) => {
      const row = await findRow(sender, kind);
      return row === null ? null : open(kind, row);
    },
    findOrMake: async (kind) => {
      const kept = await findRow(sender, kind);
      if (kept !== null) return { text: open(kind, kept), madeAt: null };
      const values = [kind.name, seal.close(kind.name, await kind.make()), crypto.randomUUID()];
      const made = await sender.send(insertText, values);
      // Another node may have been faster.
      const row = await findRow(sender, kind);
      if (row === null) throw replacedMeanwhile(kind);
      stamps.wrote(kind, row.stamp);
      return { text: open(kind, row), madeAt: made.length === 0 ? null : `kept_keys, row ${kind.name}` };
    },
    replace: async (kind, remake) => {
      const before = await findRow(sender, kind);
      const text = await remake(before === null ? null : open(kind, before));
      const stamp = crypto.randomUUID();
      const values = [kind.name, seal.close(kind.name, text), stamp];
      const changed = await (before === null
        ? sender.send(insertText, values)
        : sender.send(updateText, [...values, before.stamp]));
      if (changed.length === 0) throw replacedMeanwhile(kind);
      stamps.wrote(kind, stamp);
      return text;
    },
    stamp: ({ name }) => stamps.of(name),
    [Symbol.dispose]: () => stamps[Symbol.dispose](),
  };
}

const insertText =
  "INSERT INTO kept_keys (name, sealed, stamp) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING name";
/** Only in the place of what was read before. */
const updateText =
  "UPDATE kept_keys SET sealed = $2, stamp = $3 WHERE name = $1 AND stamp = $4 RETURNING name";

async function findRow(sender: Sender, { name }: KeyKind): Promise<Row | null> {
  const [row] = await sender.send("SELECT sealed, stamp FROM kept_keys WHERE name = $1", [name]);
  return row === undefined ? null : { sealed: String(row[0]), stamp: String(row[1]) };
}

/** The stamps of all keys, as they were half a second ago at most. */
async function openStamps(sender: Sender) {
  let stamps: ReadonlyMap<string, string> = new Map();
  let writes = 0;
  const look = async (): Promise<void> => {
    const before = writes;
    const rows = await sender.send("SELECT name, stamp FROM kept_keys", []);
    // What was written here meanwhile is newer than these rows may be.
    if (before === writes) stamps = new Map(rows.map(([name, stamp]) => [String(name), String(stamp)]));
  };
  await look();
  const looking = setInterval(() => {
    // The next look tries again; the pool's own line says that the database is away.
    look().catch(() => undefined);
  }, lookMs);
  return {
    of: (name: string): string | null => stamps.get(name) ?? null,
    wrote: ({ name }: KeyKind, stamp: string): void => {
      writes += 1;
      stamps = new Map([...stamps, [name, stamp]]);
    },
    [Symbol.dispose]: () => clearInterval(looking),
  };
}

/**
 * Seals every key again, for another JWT secret. `session` is that of a transaction. Fails with internal for
 * a key that the former secret does not open.
 */
export async function sealAgain(
  session: Sender,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly string[]> {
  const [before, after] = [sealWith(from), sealWith(to)];
  const rows = await session.send("SELECT name, sealed FROM kept_keys ORDER BY name", []);
  for (const [name, sealed] of rows) {
    const text = before.open(String(name), String(sealed));
    if (text === null)
      throw new PlainError(
        "internal",
        `the row ${String(name)} of kept_keys cannot be opened with JWT_SECRET`,
      );
    await session.send("UPDATE kept_keys SET sealed = $2, stamp = $3 WHERE name = $1", [
      name,
      after.close(String(name), text),
      crypto.randomUUID(),
    ]);
  }
  return rows.map(([name]) => String(name));
}

function replacedMeanwhile({ name }: KeyKind): AppError {
  return new PlainError("conflict", `another node is replacing the key ${name}: try again in a minute`);
}

/**
 * AES-256-GCM under a key of its own use (HKDF, RFC 5869); the key's name is authenticated, so that rows
 * cannot be exchanged.
 */
function sealWith(jwtSecret: string) {
  const key = Buffer.from(hkdfSync("sha256", jwtSecret, "", "cloakroom kept keys", 32));
  return {
    close: (name: string, text: string): string => {
      const nonce = crypto.getRandomValues(Buffer.alloc(nonceBytes));
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(name));
      const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString("base64");
    },
    /** Null for what was sealed with another secret, or changed. */
    open: (name: string, sealed: string): string | null => {
      const bytes = Buffer.from(sealed, "base64");
      const textAt = nonceBytes + tagBytes;
      if (bytes.length < textAt) return null;
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes));
      decipher.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(nonceBytes, textAt));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(textAt)), decipher.final()]).toString();
      } catch {
        return null;
      }
    },
  };
}
