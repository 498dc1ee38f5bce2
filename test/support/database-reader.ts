import { Database } from "bun:sqlite";
import type { Mail } from "../../src/domain/model/mail.ts";

/** A mail as the outbox has it. */
export type PostedMail = { readonly to: string; readonly language: string; readonly mail: Mail };

/** Reads the database of a running service past the service, as far as it is committed. */
export type DatabaseReader = Disposable & {
  readonly countRows: (table: string) => number;
  /** All that is kept, by table. */
  readonly everything: () => Readonly<Record<string, readonly unknown[]>>;
  /** Every mail that was posted and is not sent yet, the first one first. */
  readonly mails: () => readonly PostedMail[];
  /** What no answer and no log line may hold: hashes, and codes in every form. */
  readonly secrets: () => readonly string[];
};

type OutboxRow = { readonly recipient: string; readonly language: string; readonly content: string };

export function readDatabase(path: string): DatabaseReader {
  const database = new Database(path, { readonly: true });
  const all = <Row>(statement: string) => database.query<Row, []>(statement).all();
  const texts = (statement: string) => all<{ text: string }>(statement).map(({ text }) => text);
  const tables = texts("SELECT name AS text FROM sqlite_schema WHERE type = 'table'");
  const mails = () =>
    all<OutboxRow>(
      "SELECT recipient, language, content FROM outbox WHERE content IS NOT NULL ORDER BY id",
    ).map((row) => ({
      to: row.recipient,
      language: row.language,
      mail: JSON.parse(row.content) as Mail,
    }));

  return {
    countRows: (table) => all<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`)[0]?.rows ?? 0,
    everything: () => Object.fromEntries(tables.map((table) => [table, all(`SELECT * FROM ${table}`)])),
    mails,
    secrets: () => [
      ...texts("SELECT password_hash AS text FROM accounts WHERE password_hash IS NOT NULL"),
      ...texts("SELECT password_hash AS text FROM codes WHERE password_hash IS NOT NULL"),
      ...texts("SELECT hash AS text FROM codes"),
      ...mails().flatMap(({ mail }) => ("code" in mail ? [mail.code, mail.code.replace("-", "")] : [])),
      ...mails().flatMap(({ mail }) => ("code" in mail ? [mail.link] : [])),
    ],
    [Symbol.dispose]: () => database.close(true),
  };
}
