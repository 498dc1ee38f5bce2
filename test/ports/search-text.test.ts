/** What a search finds by the index is what the text is part of, however it is looked for. */
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { migrateDatabase } from "../../src/adapters/sqlite/database.ts";
import { openReader, openWriter } from "../../src/adapters/sqlite/open.ts";
import { accountReads } from "../../src/adapters/sqlite/account-store.ts";
import { temporaryFolder } from "../cli/run-program.ts";

await using stack = new AsyncDisposableStack();
const kept = stack.move();
afterAll(() => kept.disposeAsync());
const folder = kept.use(await temporaryFolder());
const path = join(folder.path, "search.db");
migrateDatabase(path);

/** Some sequences are in every row, some in every tenth, some in one. */
const texts = Array.from({ length: 600 }, (_, number) => {
  const syllables = ["ka", "lo", "mi", "nu", "re"];
  const name = [1, 5, 25, 125].map((unit) => syllables[Math.floor(number / unit) % 5]).join("");
  return { name: `${name}_${number}`, mail: `${number % 10 === 0 ? "Team." : ""}${name}@example.org` };
});
texts.push({ name: "Kelvin", mail: "Ünal.Straße@example.org" }, { name: "am.kalo", mail: 'a"b@example.org' });
{
  using writer = openWriter(path).$client;
  const account = writer.query(
    "INSERT INTO accounts (id, uuid, mail, mail_key, mail_verified, password_hash, level, created_at) VALUES (?, ?, ?, ?, 1, '', 1, 1)",
  );
  const player = writer.query(
    "INSERT INTO players (uuid, account_id, name, name_key, created_at) VALUES (?, ?, ?, ?, 1)",
  );
  writer.transaction(() => {
    for (const [index, { name, mail }] of texts.entries()) {
      const uuid = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
      account.run(index + 1, uuid, mail, mail.toLowerCase());
      player.run(uuid, index + 1, name, name.toLowerCase());
    }
  })();
}
const reader = openReader(path);
kept.defer(() => reader.$client.close(true));
const accounts = accountReads(reader);

test.each([
  "example.org",
  "@EXAMPLE.org",
  "Team.kalo",
  "team.kalomire@example.org",
  "kalomire",
  "KaLoMiRe_",
  "kakakaka_0",
  "nunununu@example.org",
  "reka@exam",
  "kalolokare@example",
  "am.kaloka",
  "kelvin",
  "kelvinun",
  "ünal.straße",
  "ÜNAL.STRA",
  'a"b@example.org',
  "a%b@example.org",
  "a_b@example.org",
  "kalo_kalo_kalo",
  "kalo AND lomi",
  "example.org.example.org",
  "x".repeat(254),
])("%s", async (search) => {
  const isPart = (text: string) => text.toLowerCase().includes(search.toLowerCase());
  const expected = texts.flatMap(({ name, mail }, index) =>
    isPart(name) || isPart(mail) ? [index + 1] : [],
  );
  const found = await accounts.listMembers({ after: null, rows: 1000, search });
  expect(found.map(({ account }) => Number(account.id))).toEqual(expected);
  expect(await accounts.countMembers(search)).toBe(expected.length);
  const rest = await accounts.listMembers({ after: 300, rows: 5, search });
  expect(rest.map(({ account }) => Number(account.id))).toEqual(
    expected.filter((id) => id > 300).slice(0, 5),
  );
});
