import { statSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { AppError } from "../kernel/errors.ts";
import { limits } from "../kernel/limits.ts";
import type { Logger } from "../kernel/log.ts";
import { readPlainTextSync } from "../kernel/plain-files.ts";

/** Where a certificate with its chain and its private key are, as PEM. */
export type TlsFiles = { readonly certFile: string; readonly keyFile: string };

/** What the files hold. */
export type TlsPair = { readonly cert: string; readonly key: string };

/** How often it is looked whether the files have changed. */
const lookMs = 1000;

/** Reads both files. Throws `internal` when one cannot be read or they do not belong together. */
export function readTlsPair({ certFile, keyFile }: TlsFiles): TlsPair {
  try {
    const pair = { cert: readPem(certFile), key: readPem(keyFile) };
    createSecureContext(pair);
    return pair;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `TLS_CERT ${certFile} and TLS_KEY ${keyFile} cannot be used: ${reason}`;
    throw new AppError("internal", message, { cause });
  }
}

function readPem(path: string): string {
  return readPlainTextSync(path, limits.operatorFileBytesMax);
}

/**
 * Hands on what the files hold whenever they have changed and then stood still from one look to the next, so that of two
 * files that are written one after the other no half is taken. What cannot be used is logged, and the old goes on. Looking
 * instead of being told also finds files behind symbolic links, as certbot has them.
 */
export function watchTlsFiles(files: TlsFiles, use: (pair: TlsPair) => void, log: Logger): Disposable {
  let seen = stateOf(files);
  let used = seen;
  const look = () => {
    const now = stateOf(files);
    const isStill = now === seen;
    seen = now;
    if (!isStill || now === used) return;
    used = now;
    try {
      use(readTlsPair(files));
      log.info("new TLS certificate in use", { certFile: files.certFile });
    } catch (error) {
      log.error("new TLS certificate cannot be used, the old one goes on", { error });
    }
  };
  const timer = setInterval(look, lookMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function stateOf({ certFile, keyFile }: TlsFiles): string {
  return [certFile, keyFile].map((path) => fileState(path)).join();
}

function fileState(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "none" : `${found.ino} ${found.size} ${found.mtimeMs}`;
}
