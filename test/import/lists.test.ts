/* Lists of accounts in CSV and JSONL. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faultOf, openSource, readAll } from "./read-source.ts";

let folder = "";
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "lists-"))));
afterAll(async () => await rm(folder, { recursive: true }));

async function read(system: "csv" | "jsonl", content: string | Uint8Array) {
  const path = join(folder, `${crypto.randomUUID()}.${system}`);
  await Bun.write(path, content);
  return readAll(await openSource(system, { file: path }));
}

/** Accounts by key with their addresses, and what is wrong with the other lines. */
async function people(system: "csv" | "jsonl", content: string | Uint8Array) {
  const { accounts, problems } = await read(system, content);
  return {
    accounts: accounts.map(({ key, mail }) => `${key} ${mail}`),
    problems: problems.map(({ key, reason }) => `${key} ${reason}`),
  };
}

/** As Windows has it, with its byte order mark. */
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");

const both = ["name:Ada ada@example.org", "name:Bob bob@example.org"];
const heading = "username,mail\n";

describe("reads", () => {
  test.each([
    ["lines", `${heading}Ada,ada@example.org\nBob,bob@example.org\n`],
    ["no line end at the end", `${heading}Ada,ada@example.org\nBob,bob@example.org`],
    [
      "a byte order mark, CRLF and empty lines",
      `\uFEFFusername,mail\r\n\r\nAda,ada@example.org\r\n\r\nBob,bob@example.org\r\n`,
    ],
    ["quotes", `"username","mail"\n"Ada","ada@example.org"\n"Bob",bob@example.org\n`],
    ["semicolons", "username;mail\nAda;ada@example.org\nBob;bob@example.org"],
    ["tabs", "username\tmail\nAda\tada@example.org\nBob\tbob@example.org"],
    ["another order, capitals and blanks", `Mail, UserName \nada@example.org, Ada\nbob@example.org,Bob `],
  ])("CSV with %s", async (_, content) => {
    expect(await people("csv", content)).toEqual({ accounts: both, problems: [] });
  });

  test("JSONL", async () => {
    const lines = [
      { username: "Ada", mail: "ada@example.org" },
      { mail: "bob@example.org", username: "Bob", uuid: null },
    ];
    const content = `\uFEFF${lines.map((line) => JSON.stringify(line)).join("\r\n")}\r\n\r\n`;
    expect(await people("jsonl", content)).toEqual({ accounts: both, problems: [] });
  });

  test("quotes, separators and line ends within a field", async () => {
    const { accounts } = await read("csv", 'username,mail\n"A ""quick"", one\nof two lines",\n');
    expect(accounts.map(({ login }) => login)).toEqual(['A "quick", one\nof two lines']);
  });

  test("every field", async () => {
    const fields = {
      username: "Ada",
      uuid: "0a1b2c3d4e5f4a6b8c7d9e0f1a2b3c4d",
      mail: "a@example.org",
      mail_verified: true,
      password_hash: "4875fb5f33bebf0d25e02b6e1fc27781",
      password_kind: "md5",
      salt: "s",
      level: 2,
      language: "ru_RU",
      created: 16e8,
      last_seen: "2026-01-31T18:00Z",
      skin: "skins/ada.png",
      skin_model: "slim",
      cape: "capes/red.png",
    };
    const { accounts, players, textures } = await read("jsonl", JSON.stringify(fields));
    expect(accounts).toEqual([
      {
        key: "name:Ada",
        login: "Ada",
        mail: "a@example.org",
        mailVerified: true,
        password: {
          text: "4875fb5f33bebf0d25e02b6e1fc27781",
          kind: "md5",
          salt: "s",
        },
        level: 2,
        suspended: null,
        language: "ru_RU",
        createdAt: 16e8,
        lastSeenAt: 0x697e4320,
        playersMax: null,
        uuid: null,
      },
    ]);
    expect(players).toEqual([
      {
        key: "name:Ada",
        account: "name:Ada",
        name: "Ada",
        uuid: fields.uuid,
        createdAt: 16e8,
        skin: "skin:skins/ada.png",
        skinModel: "slim",
        cape: "cape:capes/red.png",
      },
    ]);
    expect(textures.map(({ key, kind, name, model }) => [key, kind, name, model])).toEqual([
      ["skin:skins/ada.png", "skin", "ada", null],
      ["cape:capes/red.png", "cape", "red", null],
    ]);
  });

  test("an account without a player", async () => {
    const { accounts, players } = await read("csv", "username,mail\n,nobody@example.org\n");
    expect([accounts.map(({ key }) => key), players]).toEqual([["mail:nobody@example.org"], []]);
  });

  test("one file that two wear, once", async () => {
    const { textures } = await read("csv", "username,skin\nAda,x.png\nBob,x.png\n");
    expect(textures.map(({ key }) => key)).toEqual(["skin:x.png"]);
  });

  test("one name twice as two accounts, in every pass alike", async () => {
    const { accounts, players } = await read("csv", "username\nAda\nAda\nada\nAda\n");
    const keys = ["name:Ada", "name:Ada#2", "name:ada", "name:Ada#3"];
    expect([accounts.map(({ key }) => key), players.map(({ key }) => key)]).toEqual([keys, keys]);
  });

  test("20,000 lines, with quotes", async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `"Player, ${index}",p${index}@example.org`);
    const { accounts, problems } = await read("csv", `username,mail\n${lines.join("\n")}\n`);
    expect([accounts.length, accounts.at(-1)?.login, problems]).toEqual([20_000, "Player, 19999", []]);
  });
});

/** A line between two others. */
const around = (line: string | Uint8Array) =>
  Buffer.concat([
    Buffer.from(`${heading}Ada,ada@example.org\n`),
    Buffer.from(line),
    Buffer.from("\nBob,bob@example.org\n"),
  ]);

describe("names the line of what cannot be read, and goes on:", () => {
  test.each([
    ["a missing field", "Eve", "line:3 it has 1 fields, and the heading has 2"],
    ["a field too many", "Eve,eve@example.org,x", "line:3 it has 3 fields, and the heading has 2"],
    ["10 MB in one field", `Eve,${"x".repeat(10_000_000)}`, "line:3 it has more than 65536 bytes"],
    ["10 MB in one quoted field", `Eve,"${"x".repeat(10_000_000)}"`, "line:3 it has more than 65536 bytes"],
    ["invalid UTF-8", Uint8Array.of(0x45, 0xff, 0xfe, 0x2c), "line:3 it is not UTF-8"],
    ["an open quote", 'Eve,"eve@example.org', "line:3 a quote in it is not closed"],
    ["neither name nor address", ",", "line:3 it has neither a username nor a mail address"],
  ])("%s", async (_, line, problem) => {
    expect(await people("csv", around(line))).toEqual({ accounts: both, problems: [problem] });
  });

  test("an open quote before many lines", async () => {
    const names = Array.from({ length: 100 }, (_, index) => `P${index}`);
    const { accounts, problems } = await people("csv", `username\n"open\n${names.join("\n")}\n`);
    expect([accounts.length, problems]).toEqual([100, ["line:2 a quote in it is not closed"]]);
  });

  test.each([
    ["no JSON", "{", "it is no JSON object"],
    ["a list", "[1]", "it is no JSON object"],
    ["an object in a field", '{"username":{"a":1}}', "its username is no single value"],
    ["a level", '{"username":"Eve","level":9}', "its level is not 1, 2 or 3"],
    ["a uuid", '{"username":"Eve","uuid":"x"}', "its uuid is no uuid"],
    [
      "a time",
      '{"username":"Eve","created":"yesterday"}',
      "its created is neither Unix seconds nor a time like 2030-01-31T18:00Z",
    ],
    ["a flag", '{"username":"Eve","mail_verified":"maybe"}', "its mail_verified is neither true nor false"],
    ["a model", '{"username":"Eve","skin_model":"thin"}', "its skin_model is neither classic nor slim"],
  ])("%s", async (_, line, problem) => {
    const content = `{"username":"Ada","mail":"ada@example.org"}\n${line}\n{"username":"Bob","mail":"bob@example.org"}\n`;
    expect(await people("jsonl", content)).toEqual({ accounts: both, problems: [`line:2 ${problem}`] });
  });
});

describe("refuses", () => {
  test.each<[string, string | Uint8Array, string]>([
    ["an empty file", "", "line 1 has to name the columns"],
    ["a heading without names", "uuid,skin\n", "line 1 has to name the columns"],
    [
      "UTF-16, as a spreadsheet's Unicode text",
      utf16("username,mail\nAda,a@example.org\n"),
      "line 1 is not UTF-8: ",
    ],
    ["a heading that is too long", `username,${"x".repeat(70_000)}\n`, "line 1 has more than 65536 bytes"],
    ["a column twice", "username,username\n", 'line 1 names the column "username" twice'],
  ])("%s", async (_, content, reason) => {
    expect(await faultOf(read("csv", content))).toContain(reason);
  });

  test("a missing file and a folder, by name", async () => {
    const missing = join(folder, "missing.csv");
    expect(await faultOf(openSource("csv", { file: missing }))).toContain(`${missing}: `);
    expect(await faultOf(openSource("csv", { file: folder }))).toContain(`${folder}: it is a folder`);
  });

  test("columns that it does not know are named", async () => {
    expect((await read("csv", "username,shoe size\nAda,4\n")).facts.notes).toEqual([
      'these columns are not read: "shoe size"',
    ]);
  });
});

test("reads textures below the folder of the list alone", async () => {
  const own = join(folder, "own");
  await mkdir(join(own, "skins"), { recursive: true });
  await Bun.write(join(folder, "secret.png"), "secret");
  await Bun.write(join(own, "skins/ada.png"), "ada");
  await symlink("../secret.png", join(own, "link.png"));
  await symlink("..", join(own, "out"));
  const paths = [
    "skins/ada.png",
    "gone.png",
    "gone/x.png",
    "../secret.png",
    "skins/../../secret.png",
    "link.png",
    "out/secret.png",
    join(folder, "secret.png"),
  ];
  await Bun.write(
    join(own, "a.jsonl"),
    paths.map((skin, index) => JSON.stringify({ username: `P${index}`, skin })).join("\n"),
  );
  await using source = await openSource("jsonl", { file: join(own, "a.jsonl") });
  const found: string[] = [];
  for await (const { rows } of source.textures())
    for (const texture of rows) {
      const bytes = await source
        .readTexture(texture, 1000)
        .catch((cause: Error) => Buffer.from(cause.message));
      found.push(bytes === null ? "missing" : Buffer.from(bytes).toString());
    }
  const outside = "its file is not below the folder of the list";
  expect(found).toEqual([
    "ada",
    "missing",
    "missing",
    outside,
    outside,
    "its file is a link, which is not followed",
    outside,
    outside,
  ]);
});
