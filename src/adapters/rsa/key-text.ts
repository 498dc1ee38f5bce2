import type { KeyObject } from "node:crypto";
import { publicKeyPem } from "../../domain/model/pem.ts";
import type { KeyKind } from "../../domain/ports/key-store.ts";
import type { KeyPair, PublicKey } from "../../domain/ports/signer.ts";
import { nodeParts } from "../../kernel/node-parts.ts";

/** Announced as `signaturePublickey` is: launchers and games expect this length. */
const bitsMade = 4096;
/** An operator's own key may be shorter, but none that can be broken. */
const bitsMin = 2048;

/**
 * How long a key that was replaced is announced: players who started their game before may play on with what
 * it signed.
 */
const announcedSeconds = 48 * 60 * 60;

/**
 * Keys beyond this number are forgotten, the oldest first: an operator who rotates so often wants them gone.
 */
const previousMax = 8;

type PreviousKey = { readonly publicKey: PublicKey; readonly announcedUntil: number };

/** A signing key's text, read: its private key, and the public keys that it replaced. */
export type KeyText = {
  readonly privateKey: KeyObject;
  readonly publicKey: PublicKey;
  readonly previous: readonly PreviousKey[];
};

const privateBlock = /-----BEGIN (?:RSA )?PRIVATE KEY-----[^-]+-----END (?:RSA )?PRIVATE KEY-----/;
const previousBlock =
  /^Announced until (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ):\s+(-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----)/gm;

/** Reads the text of a key. Throws when it holds no RSA key that can sign. */
export function readKeyText(text: string): KeyText {
  const { createPrivateKey, createPublicKey } = nodeParts.crypto;
  const privateKey = createPrivateKey(privateBlock.exec(text)?.[0] ?? "");
  const { modulusLength = 0 } = privateKey.asymmetricKeyDetails ?? {};
  if (privateKey.asymmetricKeyType !== "rsa" || modulusLength < bitsMin)
    throw new Error(`it must be an RSA key of ${bitsMin} bits or more`);
  const previous = Array.from(text.matchAll(previousBlock), ([, until = "", block = ""]) => ({
    publicKey: derOf(createPublicKey(block)),
    announcedUntil: Date.parse(until) / 1000,
  }));
  return { privateKey, publicKey: derOf(createPublicKey(privateKey)), previous };
}

/** The kind of key that signs for the installation. A first one is made by `make`. */
export function signingKeyKind(make: () => Promise<string> = makePrivateKey): KeyKind {
  return {
    name: "signing-key",
    make,
    isUsable: (text) => {
      try {
        readKeyText(text);
        return true;
      } catch {
        return false;
      }
    },
    loss: "games show no skins until launchers have asked for the new one",
  };
}

/**
 * The text of a key that replaces another at a time (Unix seconds): what the other signed is still known for
 * two days. The file holds both, so that no crash can come between them.
 */
export async function rotatedText(make: KeyKind["make"], text: string | null, now: number): Promise<string> {
  const made = await make();
  if (text === null) return made;
  const { publicKey, previous } = readKeyText(text);
  const kept = [{ publicKey, announcedUntil: now + announcedSeconds }, ...previous]
    .filter(({ announcedUntil }) => announcedUntil > now)
    .slice(0, previousMax);
  return [made.trim(), ...kept.map(previousText)].join("\n");
}

function previousText({ publicKey, announcedUntil }: PreviousKey): string {
  const until = new Date(announcedUntil * 1000).toISOString().replace(".000Z", "Z");
  return `Announced until ${until}:\n${publicKeyPem(publicKey)}`;
}

function derOf(key: KeyObject): PublicKey {
  return key.export({ type: "spki", format: "der" });
}

/** A pair of RSA keys, made off the event loop. */
function generate(modulusLength: number): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof generate>>>();
  nodeParts.crypto.generateKeyPair("rsa", { modulusLength }, (error, publicKey, privateKey) => {
    if (error === null) resolve({ publicKey, privateKey });
    else reject(error);
  });
  return promise;
}

/** Makes a private key as PEM, off the event loop. Takes a second or two. */
async function makePrivateKey(): Promise<string> {
  const { privateKey } = await generate(bitsMade);
  return privateKey.export({ type: "pkcs8", format: "pem" });
}

/**
 * Makes a pair of 2048 bits, off the event loop. `crypto.subtle` would hold the event loop for all of the
 * time.
 */
export async function makeKeyPair(): Promise<KeyPair> {
  const { publicKey, privateKey } = await generate(2048);
  return { publicKey: derOf(publicKey), privateKey: privateKey.export({ type: "pkcs8", format: "der" }) };
}
