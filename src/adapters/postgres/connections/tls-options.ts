import type { SQL } from "bun";
import { PlainError } from "../../../kernel/errors.ts";
import { limits } from "../../../kernel/limits.ts";
import { readPlainTextSync } from "../../../kernel/plain-files.ts";
import type { PostgresAddress } from "./address.ts";

/**
 * How Bun encrypts, and whom it trusts. NODE_TLS_REJECT_UNAUTHORIZED cannot turn the checks off. Fails with
 * invalid for a file of certificates that cannot be read.
 */
export function tlsOptions({ tls, caFile }: PostgresAddress): NonNullable<SQL.PostgresOrMySQLOptions["tls"]> {
  if (tls === "disable" || tls === "require") return tls;
  return {
    rejectUnauthorized: true,
    ...(caFile !== null && { ca: readCertificates(caFile) }),
    // Bun compares the host's name with the certificate's, unless this does it.
    ...(tls === "verify-ca" && { checkServerIdentity: () => undefined }),
  };
}

function readCertificates(path: string): string {
  try {
    return readPlainTextSync(path, limits.operatorFileBytesMax);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "unknown";
    throw new PlainError("invalid", `the certificates of sslrootcert cannot be read: ${reason}`, { cause });
  }
}
