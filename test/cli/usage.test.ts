import { describe, expect, test } from "bun:test";
import { settings } from "../../src/boot/config/settings.ts";
import { commands } from "../../src/cli/commands.ts";
import { run } from "./run-program.ts";

const names = commands.map((command) => command.name);
const helpCalls: string[][] = [
  ["--help"],
  ["user", "--help"],
  ...names.map((name) => [...name.split(" "), "--help"]),
];

describe("help", () => {
  test.each(helpCalls.map((args) => [args.join(" "), args] as const))(
    "%s fits 80 columns",
    async (_, args) => {
      const { code, out, error } = await run(args);
      expect({ code, error }).toEqual({ code: 0, error: "" });
      expect(out).not.toMatch(/[^\n]{81}|[ \t]\n|\n\n\n/);
      expect(out).toEndWith("\n");
    },
  );

  test("of the program names every command and every setting", async () => {
    const { out } = await run(["--help"]);
    for (const name of [...names, ...Object.keys(settings)])
      expect(out).toMatch(new RegExp(`\n  ${name}\\s`));
  });

  test("of a group names its commands only", async () => {
    const { out } = await run(["user", "--help"]);
    for (const name of names) expect(out.includes(`\n  ${name} `)).toBe(name.startsWith("user "));
  });

  test.each(commands.map((command) => [command.name, command] as const))(
    "of %s names all that it takes",
    async (name, command) => {
      const { out } = await run([...name.split(" "), "--help"]);
      for (const option of [...Object.values(command.options), ...Object.values(command.positionals)]) {
        expect(out.replaceAll(/\s+/g, " ")).toContain(option.meaning);
      }
    },
  );

  test("is given although something else is wrong", async () => {
    expect((await run(["render", "--size", "-h"])).code).toBe(0);
  });

  test("is not meant behind --", async () => {
    expect((await run(["user", "show", "--", "a", "--help"])).code).toBe(2);
  });

  test("-h is short for it", async () => {
    expect((await run(["-h"])).out).toBe((await run(["--help"])).out);
  });
});

describe("wrong usage ends with 2, says why on stderr, and prints nothing", () => {
  const picture = ["--view", "head", "--type", "skin", "--size", "8", "--out", "o.png"];
  test.each<[args: string[], problems: string[], see: string]>([
    [["sevre"], ['unknown command "sevre"; did you mean serve?'], "cloakroom"],
    [["frobnicate"], ['unknown command "frobnicate"'], "cloakroom"],
    [
      ["user"],
      [
        "user needs a command: create, list, show, delete, set-password, set-level, set-players-max, suspend, unsuspend",
      ],
      "cloakroom user",
    ],
    [["user", "creat"], ['unknown command "user creat"; did you mean user create?'], "cloakroom user"],
    [
      ["user", "--json"],
      [
        "user needs a command: create, list, show, delete, set-password, set-level, set-players-max, suspend, unsuspend",
      ],
      "cloakroom user",
    ],
    [["version", "--jsn"], ["unknown option --jsn; did you mean --json?"], "cloakroom version"],
    [["version", "-x"], ["unknown option -x"], "cloakroom version"],
    [["version", "--json=yes"], ["--json takes no value"], "cloakroom version"],
    [
      ["user", "list", "--search=a", "--search=b"],
      ["--search is given more than once"],
      "cloakroom user list",
    ],
    [["version", "now"], ['unexpected argument "now"'], "cloakroom version"],
    [["version", "--port", "1"], ["unknown option --port", 'unexpected argument "1"'], "cloakroom version"],
    [
      ["serve", "--prot", "1"],
      ["unknown option --prot; did you mean --port?", 'unexpected argument "1"'],
      "cloakroom serve",
    ],
    [["--prot=1"], ["unknown option --prot; did you mean --port?"], "cloakroom serve"],
    [
      ["--port", "1", "user", "list"],
      ['unexpected argument "user"', 'unexpected argument "list"'],
      "cloakroom serve",
    ],
    [["serve", "--port"], ["--port needs a value (N)"], "cloakroom serve"],
    [["serve", "--host", "--port", "1"], ["--host needs a value (ADDRESS)"], "cloakroom serve"],
    [["user", "show"], ["<identifier> must be given"], "cloakroom user show"],
    [["user", "show", "a", "b"], ['unexpected argument "b"'], "cloakroom user show"],
    [
      ["user", "set-level", "a", "4"],
      ['<level> is "4": must be a whole number from 1 to 3'],
      "cloakroom user set-level",
    ],
    [["user", "create"], ["--mail must be given"], "cloakroom user create"],
    [
      ["user", "create", "--mail", "a@b.c", "--level", "1", "--admin"],
      ["--admin means --level 3, not --level 1"],
      "cloakroom user create",
    ],
    [
      ["user", "create", "--mail", "a@b.c", "--password", "x", "--password-stdin"],
      ["--password and --password-stdin exclude each other"],
      "cloakroom user create",
    ],
    [
      ["skin", "add", "--user", "a", "--file", "f", "--slim", "maybe"],
      ['--slim is "maybe": must be true or false'],
      "cloakroom skin add",
    ],
    [["cape", "add"], ["--file must be given", "--name must be given"], "cloakroom cape add"],
    [["render", ...picture], ["<file> must be given"], "cloakroom render"],
    [["render"], ["<file> must be given", "--out must be given"], "cloakroom render"],
    [["render", "a.png", "--example", "b.png"], ["--example FILE stands alone"], "cloakroom render"],
    [
      ["render", "a.png", ...picture, "--cape", "c.png"],
      ["--cape goes with --view cape --type player"],
      "cloakroom render",
    ],
    [
      ["render", "a.png", "--view", "cape", "--type", "player", "--size", "8", "--out", "o.png"],
      ["--view cape --type player needs --cape FILE"],
      "cloakroom render",
    ],
    [
      ["render", "a.png", "--view", "side", "--type", "3d", "--size", "7", "--out="],
      [
        '--view is "side": must be head or body or cape',
        '--type is "3d": must be skin or player',
        '--size is "7": must be a whole number from 8 to 1024',
        '--out is "": must be a path',
      ],
      "cloakroom render",
    ],
  ])("%j", async (args, problems, see) => {
    const { code, out, error } = await run(args);
    const lines = [...problems.map((problem) => `cloakroom: ${problem}`), `See ${see} --help`];
    expect({ code, out, error }).toEqual({ code: 2, out: "", error: `${lines.join("\n")}\n` });
  });

  test.each([0, -1, 1025, "1e9", "abc", ""])("a picture of size %s", async (size) => {
    const args = ["a.png", "--view", "head", "--type", "skin", "--out", "o.png"];
    expect((await run(["render", ...args, `--size=${size}`])).code).toBe(2);
  });
});

test("wrong settings end with 2 and are reported all at once, those of flags and environment alike", async () => {
  const { code, out, error } = await run(["user", "list", "--port", "abc"], {
    environment: { LOG_LEVEL: "loud", JWT_SECRET: "short secret" },
  });
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(error).toContain('\n  PORT (--port) is "abc": ');
  expect(error).toContain('\n  LOG_LEVEL (environment) is "loud": ');
  expect(error).toContain("\n  JWT_SECRET (environment) must have at least 32 characters\n");
  expect(error).not.toContain("short secret");
});

test("a password that is given wrongly is not repeated", async () => {
  const { error } = await run([
    "user",
    "create",
    "--mail",
    "a@b.c",
    "--password",
    "hush hush",
    "--password=",
  ]);
  expect(error).toContain("--password is given more than once");
  expect(error).not.toContain("hush");
});
