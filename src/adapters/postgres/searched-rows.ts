/** Parts of statements that keep `search_texts` in step with what they add and remove, so that it costs no statement of its own. */
import { sql, type SQL } from "drizzle-orm";

type Kind = "skin" | "cape";

/** Gives the one row of a list of the same statement its text, which is folded as searches are. */
export function addsSearchText(kind: Kind, added: SQL): SQL {
  return sql`INSERT INTO search_texts (kind, id, text) SELECT ${named(kind)}, id, ${sql.placeholder("text")}::text FROM ${added}`;
}

/** Takes the texts of all rows of a list of the same statement away. */
export function removesSearchTexts(kind: Kind, removed: SQL): SQL {
  return sql`DELETE FROM search_texts USING ${removed} AS removed WHERE kind = ${named(kind)} AND search_texts.id = removed.id`;
}

function named(kind: Kind): SQL {
  return sql.raw(`'${kind}'`);
}
