import type { KeyObject } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { errors, jwtVerify, type JWTPayload } from "jose";
import type { LaunchKey } from "../../domain/ports/launch-key.ts";
import type { Clock } from "../../kernel/clock.ts";
import { PlainError } from "../../kernel/errors.ts";
import { nodeParts } from "../../kernel/node-parts.ts";

/** The issuer that a GravitLauncher LaunchServer names in its tokens. */
const issuer = "LaunchServer";
/** A key of this kind has some hundred bytes. */
const keyBytesMax = 64 * 1024;

/**
 * Reads a LaunchServer's public key (EC P-256; SPKI as DER or PEM). Fails with invalid, naming the path and
 * the cure.
 */
export function readLaunchKey(path: string): KeyObject {
  try {
    if (!statSync(path).isFile()) throw new Error("it is no plain file");
    const bytes = readFileSync(path);
    if (bytes.length > keyBytesMax) throw new Error("it is too large for a key");
    const { createPublicKey } = nodeParts.crypto;
    const isText = bytes.includes("-----BEGIN");
    const key = isText
      ? createPublicKey(bytes)
      : createPublicKey({ key: bytes, format: "der", type: "spki" });
    if (isText && bytes.includes("PRIVATE KEY")) throw new Error("it holds a private key");
    if (key.asymmetricKeyDetails?.namedCurve !== "prime256v1") throw new Error("its key is not EC P-256");
    return key;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const rule = "must be the LaunchServer's public key (.keys/ecdsa_id.pub)";
    throw new PlainError("invalid", `${path} cannot be used: ${reason}; it ${rule}`, { cause });
  }
}

/** The tokens that this key has signed (ES256). Each must name its end. */
export function launchKey(key: KeyObject, clock: Clock): LaunchKey {
  return {
    read: async (token) => {
      try {
        const { payload } = await jwtVerify(token, key, {
          issuer,
          algorithms: ["ES256"],
          currentDate: new Date(clock.nowSeconds() * 1000),
          requiredClaims: ["exp"],
        });
        return { uuid: textOf(payload, "uuid"), name: textOf(payload, "sub") };
      } catch (cause) {
        if (cause instanceof errors.JOSEError || cause instanceof TypeError) return null;
        throw cause;
      }
    },
  };
}

function textOf(payload: JWTPayload, claim: string): string | null {
  const value = payload[claim];
  return typeof value === "string" ? value : null;
}
