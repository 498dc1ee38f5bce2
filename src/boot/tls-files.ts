import { statSync } from "node:fs";
import { PlainError } from "../kernel/errors.ts";
import { limits } from "../kernel/limits.ts";
import type { Logger } from "../kernel/log.ts";
import { nodeParts } from "../kernel/node-parts.ts";
import { readPlainTextSync } from "../kernel/plain-files.ts";

/** The paths of a certificate with its chain, and of its private key, both PEM. */
export type TlsFiles = { readonly certFile: string; readonly keyFile: string };

/** The contents of the files. */
export type TlsPair = { readonly cert: string; readonly key: string };

/** How often the files are checked for changes. */
const lookMs = 1000;

/** Reads both files. Throws `internal` when one cannot be read or they do not belong together. */
export function readTlsPair({ certFile, keyFile }: TlsFiles): TlsPair {
  try {
    const pair = { cert: readPem(certFile), key: readPem(keyFile) };
    nodeParts.tls.createSecureContext(pair);
    return pair;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `TLS_CERT ${certFile} and TLS_KEY ${keyFile} cannot be used: ${reason}`;
    throw new PlainError("internal", message, { cause });
  }
}

function readPem(path: string): string {
  return readPlainTextSync(path, limits.operatorFileBytesMax);
}

/**
 * Calls `use` with the contents when the files have changed and then stayed the same for one interval,
 * because they are written one after the other. Files that cannot be used are logged, and the old contents
 * stay in use. Polling also sees changes behind symbolic links, as certbot makes them.
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
