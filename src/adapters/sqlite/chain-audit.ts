import type { Database } from "bun:sqlite";
import { hashOfEntry, type ChainedEntry } from "../../domain/model/audit-chain.ts";

type Row = Omit<ChainedEntry, "hash" | "previousHash" | keyof typeof version1>;

const version1 = { version: 1, actorAccountId: null, actorVia: null } as const;

/** Chains the entries that were written before there was a chain: part of the migration that brings it. */
export function chainOldEntries(client: Database): void {
  const rows = client.query<Row, []>(
    "SELECT id, issuer, action, for_account_id AS forAccountId, at, detail FROM audit_entries ORDER BY id",
  );
  const keep = client.query("UPDATE audit_entries SET previous_hash = ?, hash = ? WHERE id = ?");
  let previousHash = "";
  for (const row of rows.all()) {
    const hash = hashOfEntry({ ...row, ...version1, previousHash });
    keep.run(previousHash, hash, row.id);
    previousHash = hash;
  }
}
