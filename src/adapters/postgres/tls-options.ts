import type { SQL } from "bun";
import { limits } from "../../kernel/limits.ts";
import { readPlainTextSync } from "../../kernel/plain-files.ts";
import type { PostgresAddress } from "./address.ts";

/**
 * How Bun encrypts, and whom it trusts. NODE_TLS_REJECT_UNAUTHORIZED cannot turn the checks off. Fails with the system's error for
 * a file of certificates that cannot be read.
 */
export function tlsOptions({ tls, caFile }: PostgresAddress): NonNullable<SQL.PostgresOrMySQLOptions["tls"]> {
  if (tls === "disable" || tls === "require") return tls;
  return {
    rejectUnauthorized: true,
    ...(caFile !== null && { ca: readPlainTextSync(caFile, limits.operatorFileBytesMax) }),
    // Who the certificate is for; without it Bun compares the host's name.
    ...(tls === "verify-ca" && { checkServerIdentity: () => undefined }),
  };
}
