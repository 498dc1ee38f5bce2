import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAddress } from "../../src/adapters/postgres/connections/address.ts";
import type { NotedDatabase } from "../../src/adapters/postgres/connections/work-session.ts";

/** The database of an address, of whose servers nothing is noted. */
export function notedDatabase(url: string): NotedDatabase {
  return { address: parseAddress(url), timelineFile: join(tmpdir(), "no-such-folder/database-timelines") };
}
