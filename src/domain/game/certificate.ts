import { BoundedMap } from "../../kernel/bounded-map.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Uuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { SharedRuns } from "../../kernel/shared-runs.ts";
import type { Waiter, Waiters } from "../../kernel/waiters.ts";
import type { Player } from "../model/account.ts";
import { pemOf } from "../model/pem.ts";
import type { Signer } from "../ports/signer.ts";
import { gameId } from "./profile.ts";

/**
 * A key pair with which a player signs chat messages, and the installation's word that it is the player's:
 * the certificate of Minecraft's services since 1.19.
 */
export type PlayerCertificate = {
  readonly privateKeyPem: string;
  readonly publicKeyPem: string;
  /** Base64, over the end in milliseconds as decimal text and the public key's PEM: read by 1.19. */
  readonly signature: string;
  /**
   * Base64, over the uuid's 16 bytes, the end in milliseconds as 8 bytes and the public key's DER: read since
   * 1.19.1.
   */
  readonly signatureV2: string;
  /** Unix seconds: from then on games refuse the keys. */
  readonly expiresAt: number;
  /** Unix seconds: from then on games ask for new keys. */
  readonly refreshedAfter: number;
};

/** Makes certificates for players. */
export type Certificates = {
  /**
   * The player's certificate: the same one until it is to be refreshed, with new signatures once another key
   * signs. A player who got the uuid of another one gets keys of its own. Fails with limited when too many
   * are waited for.
   */
  readonly of: (player: Pick<Player, "id" | "uuid">, waiter: Waiter) => Promise<PlayerCertificate>;
};

const expiresSeconds = 48 * 60 * 60;
const refreshedSeconds = 36 * 60 * 60;

/** A key pair with its times, before it is signed. */
type Keys = Omit<PlayerCertificate, "signature" | "signatureV2"> & { readonly publicKey: Uint8Array };
type Made = { readonly keys: Keys; readonly certificate: PlayerCertificate; readonly signedBy: string };
type Deps = { readonly signer: Signer; readonly clock: Clock };

/** Certificates of a signer, each kept in memory alone. */
export function createCertificates({ signer, clock }: Deps): Certificates {
  const results = new BoundedMap<string, Made>(limits.certificatesMax);
  const runs = new SharedRuns(results);

  const isFresh = ({ keys: { refreshedAfter } }: Made): boolean => {
    const left = refreshedAfter - clock.nowSeconds();
    // More than that is left after the clock was set back.
    return left > 0 && left <= refreshedSeconds;
  };
  const holds = (made: Made): boolean => isFresh(made) && signer.isInForce(made.signedBy);
  const make = async (name: string, uuid: Uuid, waiters: Waiters): Promise<Made> => {
    const kept = results.get(name);
    const keys = kept !== undefined && isFresh(kept) ? kept.keys : await makeKeys({ signer, clock }, waiters);
    const { id, sign } = await signer.key();
    const [signature, signatureV2] = await Promise.all([
      sign(signedText(keys), waiters),
      sign(signedBytes(uuid, keys), waiters),
    ]);
    return { keys, certificate: { ...keys, signature, signatureV2 }, signedBy: id };
  };

  return {
    of: async ({ id, uuid }, waiter) => {
      const name = `${id} ${uuid}`;
      for (;;) {
        const made = await runs.get(name, waiter, (waiters) => make(name, uuid, waiters), holds);
        // Another key may have come meanwhile.
        if (signer.isInForce(made.signedBy)) return made.certificate;
      }
    },
  };
}

async function makeKeys({ signer, clock }: Deps, waiters: Waiters): Promise<Keys> {
  const { publicKey, privateKey } = await signer.makeKeyPair(waiters);
  const now = clock.nowSeconds();
  return {
    publicKey,
    privateKeyPem: gamePem("RSA PRIVATE KEY", privateKey),
    publicKeyPem: gamePem("RSA PUBLIC KEY", publicKey),
    expiresAt: now + expiresSeconds,
    refreshedAfter: now + refreshedSeconds,
  };
}

/**
 * As the game writes it: under the labels of PKCS #1, although it holds PKCS #8 and SPKI, and in lines of 76
 * characters.
 */
function gamePem(label: string, der: Uint8Array): string {
  return `${pemOf(label, der, 76)}\n`;
}

function signedText({ expiresAt, publicKeyPem }: Keys): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${expiresAt * 1000}${publicKeyPem}`);
}

function signedBytes(player: Uuid, { expiresAt, publicKey }: Keys): Uint8Array<ArrayBuffer> {
  const uuidBytes = 16;
  const bytes = new Uint8Array(uuidBytes + 8 + publicKey.length);
  bytes.set(Buffer.from(gameId(player), "hex"));
  new DataView(bytes.buffer).setBigUint64(uuidBytes, BigInt(expiresAt * 1000));
  bytes.set(publicKey, uuidBytes + 8);
  return bytes;
}
