/** Why no connection to a server can be opened, and what helps, in words for operators. */

type Reason = { readonly words: string; readonly remedy: string };

const unknownAuthority: Reason = {
  words: "no authority that is trusted here has signed its certificate",
  remedy: "name the file of that authority's certificates with sslrootcert in its address",
};

/**
 * By the driver's codes, and by those of TLS. The driver has one code for a refused connection and an unknown
 * name.
 */
const reasons: Readonly<Record<string, Reason>> = {
  ERR_POSTGRES_CONNECTION_REFUSED: {
    words: "nothing listens there, or no address is known for its name",
    remedy: "is PostgreSQL running there, and are host and port of its address right?",
  },
  ERR_POSTGRES_CONNECTION_CLOSED: {
    words: "the connection was ended",
    remedy: "its log says why, if it is PostgreSQL that listens there",
  },
  ERR_POSTGRES_CONNECTION_TIMEOUT: {
    words: "no answer in time",
    remedy: "is the way to it open (network, firewall), and does it answer others?",
  },
  ERR_POSTGRES_TLS_NOT_AVAILABLE: {
    words: "the server does not speak TLS",
    remedy: "set ssl, ssl_cert_file and ssl_key_file on it: nothing is sent without TLS instead",
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    words: "its certificate is made out to another name",
    remedy: "name the host in its address as the certificate does, or give the server another certificate",
  },
  CERT_HAS_EXPIRED: {
    words: "its certificate has expired",
    remedy:
      "renew it on the server, and let it read it (pg_reload_conf()); if it is good, set this machine's clock",
  },
  CERT_NOT_YET_VALID: {
    words: "its certificate is not valid yet",
    remedy: "set the clocks of both machines with NTP",
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
};

const damaged =
  "keep a copy of its data folder; promote a standby whose data is whole, or restore a backup (pg_amcheck names damaged tables)";

const pooled =
  "if a pooler like PgBouncer stands before it, set DATABASE_PREPARED=false on every node, or let nodes reach PostgreSQL past it";

/** By the server's codes (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const remedies: Readonly<Record<string, string>> = {
  // A pooler refuses settings that it cannot keep for a client; prepared statements are another client's, or
  // there already.
  "08P01": pooled,
  "26000": pooled,
  "42P05": pooled,
  "28000": "does pg_hba.conf of the server let this user connect from this machine to this database?",
  "28P01": "are user and password of its address right?",
  "3D000": "make the database (CREATE DATABASE), or correct the name at the end of its address",
  "42501":
    "let the user of its address own the database and its tables: cloakroom doctor names what is missing",
  "53300": "raise max_connections on the server, or lower DATABASE_POOL_MAX on every node",
  XX001: damaged,
  XX002: damaged,
  "58030": damaged,
  "57P03": "it starts or stops: try again when it is ready",
};

/** What a code of the driver or of TLS means; null for another one. */
export function connectReason(code: string): Reason | null {
  return reasons[code] ?? null;
}

/** What helps against a server's refusal; null for one without a known cure. */
export function refusalRemedy(sqlState: string): string | null {
  return remedies[sqlState] ?? null;
}

/** The cures of faults that have no code. */
export const connectRemedies = {
  late: "is the way to it open (network, firewall), and does it answer others?",
  standby:
    "name the server that takes writes in its address as well, or promote this one if that one is lost for good",
  older:
    "start the server that replaced it, and stop this one: the newer data is there; only where that is lost for good, delete the file database-timelines in DATA_DIR of every node and start the nodes again: they use this one then",
  readOnly:
    "make room on its disk if a hoster switched it; then ALTER SYSTEM RESET default_transaction_read_only and SELECT pg_reload_conf(), or ALTER DATABASE or ALTER ROLE … RESET default_transaction_read_only",
} as const;
