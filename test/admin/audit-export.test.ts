/** The audit as a file, and the people whom its entries name (docs/contract/admin.md#audit). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deleteAccount } from "../../src/domain/members/administer.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { hashOfEntry } from "../../src/domain/model/audit-chain.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { named } from "../support/actors.ts";
import { play } from "../support/scenario.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const chief = await addMember(harness, "Chief", { level: 3 });
const anna = await addMember(harness, "Anna");
const gone = await addMember(harness, "Gone");

beforeAll(async () => {
  await play(harness, {
    name: "an administrator renames a user",
    actor: chief,
    request: `PATCH /api/admin/user/${anna.account.id}`,
    json: { username: "Annabel" },
    status: 200,
  });
  await deleteAccount(harness.services, commandLine, String(gone.account.id));
});

const headers = { authorization: chief.authorization };
const fetchExport = (query: string) => harness.fetch(`/api/admin/audit/export?${query}`, { headers });

type Person = { readonly id: number; readonly name: string; readonly deleted: boolean } | null;
type Entry = { readonly id: number; readonly action: string; readonly by: Person; readonly about: Person };

async function entries(query: string): Promise<readonly Entry[]> {
  const response = await harness.fetch(`/api/admin/audit?${query}`, { headers });
  expect(response.status).toBe(200);
  return (await readJson<Envelope<readonly Entry[]>>(response)).data;
}

describe("entries name their people", () => {
  test("as they are called now", async () => {
    const [entry] = await entries(`for=${anna.account.id}&action=user.update`);
    expect(entry).toMatchObject({
      by: { id: chief.account.id, name: "Chief", deleted: false },
      about: { id: anna.account.id, name: "Annabel", deleted: false },
    });
  });

  test("also when they are deleted", async () => {
    const [entry] = await entries(`for=${gone.account.id}`);
    expect(entry).toMatchObject({
      by: null,
      about: { id: gone.account.id, name: "Gone", deleted: true },
    });
  });

  test("and are found by the account that acted", async () => {
    const found = await entries(`by=${chief.account.id}&action=user.update`);
    expect(found).toHaveLength(1);
    expect(await entries(`by=${anna.account.id}`)).toEqual([]);
  });
});

describe("an export", () => {
  test("as CSV has a line for each entry, and names", async () => {
    const response = await fetchExport(`format=csv&for=${anna.account.id}&action=user.update`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="audit-2100-01-01.csv"');
    expect(response.headers.get("cache-control")).toBe("no-store");
    const lines = (await response.text()).split("\r\n");
    expect(lines[0]).toBe("id,time,iss,actor_id,actor_name,actor_via,action,for,for_name,detail");
    expect(lines[1]).toMatch(
      new RegExp(
        `^\\d+,2100-01-01T\\d\\d:\\d\\d:\\d\\d.000Z,Chief,${chief.account.id},Chief,session:[^,]+,user.update,${anna.account.id},Annabel,"{""old`,
      ),
    );
    expect(lines).toHaveLength(3);
  });

  test("as lines of JSON holds the chain", async () => {
    const response = await fetchExport("format=jsonl");
    expect(response.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    const lines = (await response.text()).trimEnd().split("\n");
    const first = JSON.parse(lines.at(-1)!);
    expect(first).toMatchObject({ id: 1, action: "user.create", previous_hash: "" });
    const {
      iss: actorName,
      for: forAccountId,
      time: at,
      actor_id,
      actor_via,
      previous_hash,
      ...rest
    } = first;
    const chained = {
      ...rest,
      actorName,
      forAccountId,
      at,
      actorAccountId: actor_id,
      actorVia: actor_via,
      previousHash: previous_hash,
    };
    expect(hashOfEntry(chained)).toBe(first.hash);
    const ids = lines.map((line) => JSON.parse(line).id);
    expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => ids.length - index));
  });

  test("is itself an entry, which says what was asked for", async () => {
    await (await fetchExport(`format=csv&by=${chief.account.id}&until=2200-01-01T00:00:00Z&q=chief`)).text();
    const [entry] = await entries("action=audit.export");
    expect(entry).toMatchObject({
      by: { name: "Chief" },
      detail: { format: "csv", filter: { by: chief.account.id, until: 7_258_118_400, search: "chief" } },
    });
  });

  test("is not begun by HEAD", async () => {
    const before = await entries("action=audit.export");
    const response = await harness.fetch("/api/admin/audit/export?format=csv", { method: "HEAD", headers });
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(await entries("action=audit.export")).toEqual(before);
  });

  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "＝1"])(
    "has a harmless cell for a name like %j",
    async (name) => {
      await harness.services.transact({ ...named(name), check: async () => undefined }, async (tx) =>
        tx.audit("mail.test", null, { new: { to: "x" } }),
      );
      const iss = encodeURIComponent(name);
      const text = await (await fetchExport(`format=csv&iss=${iss}`)).text();
      expect(text).toContain(`,'${name.replace("\t", "\t'")},`);
    },
  );

  test.each(["x;=1+1;", 'x;"=1+1;', "x\t@SUM(A1)", "x\n-1", "x; +1", "=1;=2"])(
    "has no cell with a formula where `;` or a tab separates, for a name like %j",
    async (name) => {
      await harness.services.transact({ ...named(name), check: async () => undefined }, async (tx) =>
        tx.audit("mail.test", null, { new: { to: name } }),
      );
      const text = await (await fetchExport(`format=csv&iss=${encodeURIComponent(name)}`)).text();
      for (const separator of [",", ";", "\t"])
        expect(cellsOf(text, separator).filter(isFormula)).toEqual([]);
      const detail = cellsOf(text, ",").at(-2) ?? "";
      expect(JSON.parse(detail)).toEqual({ new: { to: name } });
    },
  );

  test.each([
    ["zstd", (bytes: Uint8Array) => Bun.zstdDecompressSync(bytes)],
    ["gzip", (bytes: Uint8Array) => Bun.gunzipSync(new Uint8Array(bytes))],
  ])("is compressed as %s for a client that takes it", async (coding, unpack) => {
    const query = `format=csv&by=${chief.account.id}&until=4102444799`;
    const response = await harness.fetch(`/api/admin/audit/export?${query}`, {
      headers: { ...headers, "accept-encoding": coding },
    });
    expect(response.headers.get("content-encoding")).toBe(coding);
    expect(response.headers.get("vary")).toContain("Accept-Encoding");
    const text = new TextDecoder().decode(unpack(new Uint8Array(await response.arrayBuffer())));
    expect(text.replace(/^\uFEFF/, "")).toBe(
      (await (await fetchExport(query)).text()).replace(/^\uFEFF/, ""),
    );
  });

  test("breaks off when the administrator is one no more", async () => {
    const deputy = await addMember(harness, "Deputy", { level: 3 });
    for (let made = 0; made < 1200; made += 100)
      await harness.services.transact(commandLine, async (tx) => {
        for (let one = 0; one < 100; one++) tx.audit("mail.test", null, { new: { to: "x" } });
      });
    const response = await harness.fetch("/api/admin/audit/export?format=jsonl", {
      headers: { authorization: deputy.authorization },
    });
    const reader = response.body!.getReader();
    expect((await reader.read()).done).toBe(false);
    await deleteAccount(harness.services, commandLine, "Deputy");
    expect(await reader.read().catch((error: Error) => error)).toBeInstanceOf(Error);
  });

  test("waits for two others to end", async () => {
    const open = [await fetchExport("format=jsonl"), await fetchExport("format=jsonl")];
    const third = await fetchExport("format=jsonl");
    expect(third.status).toBe(429);
    for (const { body } of open) await body!.cancel();
    const fourth = await fetchExport("format=jsonl");
    expect(fourth.status).toBe(200);
    await fourth.text();
  });

  test.each(["format=", "format=xml", "format=csv&for=anna", "format=csv&since=yesterday"])(
    "is refused for %j, and no entry is written",
    async (query) => {
      const before = await entries("action=audit.export");
      await play(harness, {
        name: query,
        actor: chief,
        request: `GET /api/admin/audit/export?${query}`,
        status: 400,
      });
      expect(await entries("action=audit.export")).toEqual(before);
    },
  );
});

const isFormula = (cell: string) => /^[\s\0]*[=+\-@]/.test(cell);

/** The cells of a table as a spreadsheet reads them: quotation marks count at a cell's beginning alone. */
function cellsOf(text: string, separator: string): readonly string[] {
  const cells: string[] = [];
  for (let at = text.startsWith("\uFEFF") ? 1 : 0; at <= text.length;) {
    let cell = "";
    if (text[at] === '"') {
      const [quoted = ""] = /^"(?:[^"]|"")*(?:"|$)/.exec(text.slice(at)) ?? [];
      cell = quoted.slice(1, quoted.endsWith('"') ? -1 : undefined).replaceAll('""', '"');
      at += quoted.length;
    }
    while (at < text.length && text[at] !== separator && !/[\r\n]/.test(text[at]!)) cell += text[at++];
    cells.push(cell);
    at += text.startsWith("\r\n", at) ? 2 : 1;
  }
  return cells;
}
