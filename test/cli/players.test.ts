import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { run, temporaryFolder } from "./run-program.ts";
import { writeTexture } from "./textures.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder[Symbol.asyncDispose]());

const v4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

type Shown = Readonly<
  Record<"uuid" | "name" | "skin" | "cape" | "own_cape", string> & {
    id: number;
    user: number;
    main: boolean;
    created: number;
  }
>;

/** A data folder with Anna, whose id is 1, and Bert, whose id is 2. */
async function open() {
  const dataDir = join(folder.path, crypto.randomUUID());
  const cli = (...args: readonly string[]) => run([...args, "--data-dir", dataDir]);
  const jsonOf = async (...args: readonly string[]) => {
    const { code, out, error } = await cli(...args, "--json");
    expect({ code, error }).toEqual({ code: 0, error: "" });
    return JSON.parse(out);
  };
  const one = (...args: readonly string[]): Promise<Shown> => jsonOf("player", ...args);
  const list = (...args: readonly string[]): Promise<readonly Shown[]> => jsonOf("player", "list", ...args);
  /** What a command that must fail reports. */
  const failure = async (...args: readonly string[]) => {
    const { code, out, error } = await cli(...args);
    expect({ isDone: code === 0, out }).toEqual({ isDone: false, out: "" });
    return `${code} ${error}`;
  };
  const addUser = (name: string, mail = `${name}@example.org`) =>
    jsonOf("user", "create", "--mail", mail, "--username", name, "--password", "correct horse battery");
  const anna: { uuid: string } = await addUser("Anna");
  const bert: { uuid: string } = await addUser("Bert");
  const audit = async () =>
    (await cli("audit", "export")).out
      .split("\n")
      .filter((line) => line.includes('"player.') || line.includes('"user.update'))
      .map((line) => JSON.parse(line))
      .map(({ iss, action, for: about, detail }) => ({ iss, action, about, ...JSON.parse(detail) }));
  return { dataDir, cli, jsonOf, one, list, failure, anna, bert, audit };
}

describe("player create", () => {
  test("makes players beyond PLAYERS_MAX, and prints id and uuid", async () => {
    const { cli, one, list, anna, audit } = await open();
    const { code, out, error } = await cli("player", "create", "--user", "Anna", "--name", "Anna_2");
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out).toMatch(/^id: +3\nuuid: +[0-9a-f-]{36}\nname: +Anna_2\nuser: +1\n/);
    const third = await one("create", "--user", "1", "--name", "Anna_3");
    expect(third).toEqual({
      id: 4,
      uuid: expect.stringMatching(v4),
      name: "Anna_3",
      user: 1,
      main: false,
      skin: "",
      cape: "",
      own_cape: "",
      created: expect.any(Number),
    });
    const players = await list("--user", anna.uuid);
    expect(players.map(({ name, main }) => [name, main])).toEqual([
      ["Anna", true],
      ["Anna_2", false],
      ["Anna_3", false],
    ]);
    expect(await audit()).toEqual(
      players.slice(1).map(({ uuid, name }) => ({
        iss: "cli",
        action: "player.create",
        about: 1,
        new: { uuid, name },
      })),
    );
  });

  test("gives the uuid that is asked for, also one that another account's player had", async () => {
    const { cli, one, list } = await open();
    const uuid = crypto.randomUUID();
    const create = ["create", "--user", "Anna", "--name", "Anna_2"];
    expect((await one(...create, "--uuid", uuid.replaceAll("-", ""))).uuid).toBe(uuid);
    await cli("player", "delete", "Anna_2");
    expect((await one("create", "--user", "Bert", "--name", "Bert_2", "--uuid", uuid)).uuid).toBe(uuid);
    expect((await list()).map(({ name }) => name)).toEqual(["Anna", "Bert", "Bert_2"]);
  });

  test("refuses what is taken, malformed or unknown", async () => {
    const { failure, anna, bert, list } = await open();
    const create = (user: string, name: string, ...more: readonly string[]) =>
      failure("player", "create", "--user", user, "--name", name, ...more);
    expect(await create("Anna", "bert")).toContain("is taken already");
    expect(await create("Anna", "b t")).toContain("must match");
    expect(await create("Anna", "admin")).toContain("is reserved");
    for (const { uuid } of [anna, bert]) {
      expect(await create("Anna", "Anna_2", "--uuid", uuid)).toMatch(/^1 .*uuid/i);
    }
    const seven = "018f2b6a-7c1d-7e3f-9a60-1c2d3e4f5a6b";
    expect(await create("Anna", "Anna_2", "--uuid", seven)).toContain("games refuse others");
    expect(await create("Anna", "Anna_2", "--uuid", "5")).toMatch(/^2 .*must be a UUID/);
    expect(await create("Carla", "Carla_2")).toContain("No user is known as Carla");
    expect(await failure("player", "create", "--name", "Anna_2")).toMatch(/^2 .*--user/);
    expect(await list()).toHaveLength(2);
  });
});

describe("player list", () => {
  test("lists all players by id, in pages, or those of one account, the main one first", async () => {
    const { dataDir, cli, one, list } = await open();
    await one("create", "--user", "Bert", "--name", "Bert_2");
    await one("create", "--user", "Anna", "--name", "Anna_2");
    expect((await list()).map(({ id, name, user }) => [id, name, user])).toEqual([
      [1, "Anna", 1],
      [2, "Bert", 2],
      [3, "Bert_2", 2],
      [4, "Anna_2", 1],
    ]);
    const { out } = await cli("player", "list", "--user", "Bert");
    expect(out).toMatch(
      /^id +uuid +name +user +main +skin +cape\n2 +\S{36} +Bert +2 +main +- +-\n3 +\S{36} +Bert_2 +2 +- +-\n$/,
    );
    using database = new Database(join(dataDir, "cloakroom.db"));
    const account = database.query(
      "INSERT INTO accounts (uuid, mail_verified, level, created_at) VALUES (?, 0, 1, 5)",
    );
    const player = database.query(
      "INSERT INTO players (uuid, account_id, name, name_key, created_at) VALUES (?, ?, ?, ?, 5)",
    );
    database.transaction(() => {
      for (let id = 3; id <= 2202; id++) {
        account.run(crypto.randomUUID());
        player.run(crypto.randomUUID(), id, `Bulk${id}`, `bulk${id}`);
      }
    })();
    const all = await list();
    expect(all).toHaveLength(2204);
    expect(all.map(({ id }) => id)).toEqual(all.map((_, index) => index + 1));
  });

  test("of an unknown account fails", async () => {
    const { failure } = await open();
    expect(await failure("player", "list", "--user", "Carla")).toContain("No user is known as Carla");
  });
});

describe("player show, set and delete", () => {
  test("show a player by its uuid and by its name in any case", async () => {
    const { cli, one, anna } = await open();
    for (const key of [anna.uuid, anna.uuid.toUpperCase(), "Anna", "ANNA"]) {
      expect(await one("show", key)).toMatchObject({ id: 1, uuid: anna.uuid, name: "Anna", main: true });
    }
    expect((await cli("player", "show", "anna")).out).toMatch(
      /^id: +1\nuuid: +\S+\nname: +Anna\nuser: +1\nmain: +yes\nskin: +-\ncape: +-\nown_cape: +-\ncreated: +20\S+Z\n$/,
    );
  });

  test("set changes name, uuid, skin and cape, each alone or all at once, audited", async () => {
    const { cli, jsonOf, one, audit, anna } = await open();
    const skinFile = await writeTexture(folder.path, "skin.png", { width: 64, height: 64 });
    const capeFile = await writeTexture(folder.path, "cape.png", { width: 64, height: 32 });
    const skin = await jsonOf("skin", "add", "--user", "Anna", "--file", skinFile);
    const cape = await jsonOf("cape", "add", "--file", capeFile, "--name", "Red", "--owner", "Anna");
    expect(await one("set", "Anna", "--skin", "none")).toMatchObject({ skin: "" });
    expect(await one("set", "Anna", "--skin", skin.uuid)).toMatchObject({ skin: skin.uuid, cape: "" });
    const worn = { cape: cape.uuid, own_cape: cape.uuid };
    expect(await one("set", "Anna", "--cape", cape.uuid)).toMatchObject(worn);
    expect(await one("set", "Anna", "--cape", "none")).toMatchObject({ cape: "", own_cape: "none" });
    expect(await one("set", "Anna", "--cape", "skin")).toMatchObject({ cape: "", own_cape: "" });
    const uuid = crypto.randomUUID();
    const all = ["--name", "Anneke", "--uuid", uuid, "--skin", "none", "--cape", cape.uuid];
    expect(await one("set", "Anna", ...all)).toMatchObject({ name: "Anneke", uuid, skin: "", ...worn });
    expect((await cli("player", "show", "Anna")).code).toBe(1);
    expect((await audit()).at(-1)).toEqual({
      iss: "cli",
      action: "player.update",
      about: 1,
      uuid,
      old: { name: "Anna", uuid: anna.uuid, skinid: skin.uuid, cloakid: "" },
      new: { name: "Anneke", uuid, skinid: "", cloakid: cape.uuid },
    });
  });

  test("set refuses what is taken, not the account's, malformed, and no change at all", async () => {
    const { failure, bert } = await open();
    const set = (...more: readonly string[]) => failure("player", "set", "Anna", ...more);
    expect(await set()).toMatch(/^2 .*at least one of --name, --uuid, --skin and --cape/);
    expect(await set("--name", "BERT")).toContain("is taken already");
    expect(await set("--uuid", bert.uuid)).toMatch(/^1 .*uuid/i);
    expect(await set("--skin", crypto.randomUUID())).toMatch(/^1 .*skin/);
    expect(await set("--cape", crypto.randomUUID())).toMatch(/^1 .*cape/);
    expect(await set("--skin", "skin")).toMatch(/^2 .*must be a skin's UUID or none/);
    expect(await set("--cape", "red")).toMatch(/^2 .*must be a cape's UUID, none or skin/);
    expect(await failure("player", "set", "Nobody", "--name", "Anneke")).toMatch(/^1 .*player/);
    expect(await failure("player", "show", "a@b")).toMatch(/must be a player's UUID or name/);
  });

  test("delete removes a player but never the main one, and holds its name", async () => {
    const { cli, one, list, failure, audit } = await open();
    const { uuid } = await one("create", "--user", "Anna", "--name", "Anna_2");
    expect(await cli("player", "delete", uuid)).toEqual({
      code: 0,
      out: `deleted player 3 (Anna_2, ${uuid}) of user 1\n`,
      error: "",
    });
    expect((await audit()).at(-1)).toEqual({
      iss: "cli",
      action: "player.delete",
      about: 1,
      old: { uuid, name: "Anna_2" },
    });
    expect(await failure("player", "delete", uuid)).toMatch(/^1 .*player/);
    expect(await failure("player", "delete", "Anna")).toContain("main player");
    const held = await failure("player", "create", "--user", "Bert", "--name", "Anna_2");
    expect(held).toContain("held for its former owner");
    expect(await list()).toHaveLength(2);
  });
});

describe("user set-players-max", () => {
  test("sets the number for one account, until it is default again; audited", async () => {
    const { cli, jsonOf, audit } = await open();
    expect(await cli("user", "set-players-max", "Anna", "3")).toEqual({
      code: 0,
      out: "user 1 (Anna) may have 3 players\n",
      error: "",
    });
    expect(await jsonOf("user", "set-players-max", "1", "1")).toMatchObject({ id: 1, players_max: 1 });
    const [{ uuid: player }] = await jsonOf("player", "list", "--user", "Anna");
    const players = [expect.objectContaining({ uuid: player, name: "Anna" })];
    expect(await jsonOf("user", "show", "Anna")).toMatchObject({ players_max: 1, players });
    const { out } = await cli("user", "set-players-max", "Anna", "default");
    expect(out).toBe("user 1 (Anna) may have as many players as PLAYERS_MAX says\n");
    expect(await jsonOf("user", "show", "Anna")).toMatchObject({ players_max: null });
    expect((await audit()).map(({ old, new: now }) => [old.players_max, now.players_max])).toEqual([
      [null, 3],
      [3, 1],
      [1, null],
    ]);
  });

  test.each(["0", "101", "-1", "1.5", "many", ""])("refuses %j", async (max) => {
    const { failure } = await open();
    expect(await failure("user", "set-players-max", "Anna", max)).toMatch(/^2 /);
  });

  test("knows no unknown user", async () => {
    const { failure } = await open();
    const error = await failure("user", "set-players-max", "Carla", "2");
    expect(error).toContain("No user is known as Carla");
  });
});
