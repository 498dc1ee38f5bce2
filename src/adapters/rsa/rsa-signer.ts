import { refusals } from "../../domain/model/refusals.ts";
import { availableParallelism } from "node:os";
import type { KeyStore } from "../../domain/ports/key-store.ts";
import type { Signer, SigningKey } from "../../domain/ports/signer.ts";
import { FairQueue } from "../../kernel/fair-queue.ts";
import { atLowPriority } from "../../kernel/pool-priority.ts";
import { makeKeyPair, readKeyText, rotatedText, signingKeyKind } from "./key-text.ts";

/** How long a key that was replaced on disk may stay in force. Asking the disk costs some microseconds. */
const lookMs = 20;

const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-1" } as const;

/** What one of each takes on a slow core, for the order of the queue. */
const milliseconds = { signature: 5, pair: 100 } as const;

const queueOptions = {
  // One core is left to the thread that answers requests.
  atOnceMax: Math.min(4, Math.max(1, availableParallelism() - 1)),
  largeMilliseconds: 50,
  // Each holds a connection.
  waitingMax: 4096,
  waitMillisecondsMax: 10_000,
  refusal: refusals.signingBusy,
};

type Loaded = { readonly key: SigningKey; readonly text: string };

/** Signs with the key `signing-key`. A server notices when another process replaces it. */
export function openSigner(keys: KeyStore, makeKey?: () => Promise<string>): Signer {
  const kind = signingKeyKind(makeKey);
  const queue = new FairQueue(queueOptions);
  let loaded: Loaded | null = null;
  let loading: Promise<SigningKey> | null = null;
  let finding: ReturnType<KeyStore["findOrMake"]> | null = null;
  let [stamp, seen]: (string | null)[] = [null, null];
  let lookedAt = Number.NEGATIVE_INFINITY;

  const isRead = (): boolean => {
    const now = performance.now();
    if (now - lookedAt >= lookMs) {
      lookedAt = now;
      seen = keys.stamp(kind);
    }
    return loaded !== null && (seen === stamp || seen === null);
  };
  // Of all that need the first key, one makes it.
  const findOrMake = () => (finding ??= keys.findOrMake(kind).finally(() => (finding = null)));
  const load = async (): Promise<SigningKey> => {
    // Before the text is read: what changes in between is read once more.
    const current = keys.stamp(kind);
    try {
      const { text } = await findOrMake();
      if (text !== loaded?.text) loaded = { key: await importKey(text, queue), text };
    } catch (error) {
      if (loaded === null) throw error;
    }
    stamp = seen = current;
    return loaded.key;
  };

  return {
    key: async () => {
      if (loaded !== null && isRead()) return loaded.key;
      return (loading ??= load().finally(() => (loading = null)));
    },
    isInForce: (id) => isRead() && loaded?.key.id === id,
    makeKeyPair: (waiters) =>
      queue.run({ waiters, expectedMilliseconds: milliseconds.pair }, () => atLowPriority(makeKeyPair())),
    prepare: async () => {
      const madeAt = keys.stamp(kind) === null ? (await findOrMake()).madeAt : null;
      // From now on a lost file is no lost key: it is kept until the process ends.
      if (loaded === null) await (loading ??= load().finally(() => (loading = null)));
      return madeAt;
    },
    rotate: async (now) => {
      await keys.replace(kind, (text) => rotatedText(kind.make, text, now));
      lookedAt = Number.NEGATIVE_INFINITY;
    },
  };
}

async function importKey(text: string, queue: FairQueue): Promise<SigningKey> {
  const { privateKey, publicKey, previous } = readKeyText(text);
  const der = new Uint8Array(privateKey.export({ type: "pkcs8", format: "der" }));
  const key = await crypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
  return {
    id: new Bun.CryptoHasher("sha256").update(publicKey).digest("hex"),
    publicKey,
    previous,
    sign: (bytes, waiters) =>
      queue.run({ waiters, expectedMilliseconds: milliseconds.signature }, async () =>
        Buffer.from(await atLowPriority(crypto.subtle.sign(algorithm, key, bytes))).toString("base64"),
      ),
  };
}
