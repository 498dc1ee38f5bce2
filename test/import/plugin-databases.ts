/** Databases as sign-in plugins write them, in words that all engines have, and what is read of them. */
import type { SourceSystem } from "../../src/domain/ports/import-source.ts";

/** Quotes a name as the engine does. */
export type Quote = (name: string) => string;

export type PluginDatabase = {
  readonly title: string;
  readonly system: SourceSystem;
  readonly statements: (quote: Quote) => readonly string[];
  /** AuthMe's `config.yml`, or GravitLauncher's `LaunchServer.json`. */
  readonly settings?: string;
  readonly table?: string;
  /** Accounts: key, name, address, kind and beginning of the password, uuid, since, last seen. */
  readonly accounts: readonly (readonly (string | number | null)[])[];
  readonly factors?: readonly string[];
  readonly problems?: readonly string[];
  readonly uuidRule?: "offline";
};

export const uuids = {
  ada: "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d",
  bob: "f0e1d2c3-b4a5-3968-9778-695a4b3c2d1e",
  eve: "11111111-2222-3333-8444-555555555555",
};
const undashed = (uuid: string) => uuid.replaceAll("-", "");
const hex = (digits: number) => "0123456789abcdef".repeat(8).slice(0, digits);
const bcrypt = "$2a$10$abcdefghijklmnopqrstuumTcqg1grN5CAaGoh7r2.xZmz16hfOb6";
/** 22 November 2026, 06:48:57 UTC. */
const since = 1_795_330_137;
const seen = since + 3600;
const written = "2026-11-22 06:48:57";
const writtenSeen = "2026-11-22 07:48:57";

const authMe = (table: string, more = "") =>
  `CREATE TABLE ${table} (id INTEGER NOT NULL PRIMARY KEY, username VARCHAR(255) NOT NULL UNIQUE,
     realname VARCHAR(255) NOT NULL DEFAULT 'Player', password VARCHAR(255) NOT NULL, ip VARCHAR(40),
     lastlogin BIGINT, x DOUBLE PRECISION NOT NULL DEFAULT 0, regdate BIGINT NOT NULL DEFAULT 0,
     isLogged SMALLINT NOT NULL DEFAULT 0, email VARCHAR(255), totp VARCHAR(32), premiumUUID VARCHAR(36)${more})`;

const authMeRows: PluginDatabase = {
  title: "AuthMe with its own names",
  system: "authme",
  statements: () => [
    authMe("authme"),
    `INSERT INTO authme (id, username, realname, password, lastlogin, regdate, email, totp, premiumUUID) VALUES
       (1, 'ada', 'Ada', '$SHA$0123456789abcdef$${hex(64)}', ${seen}123, ${since}456, 'ada@example.org', NULL, '${uuids.ada}'),
       (2, 'bob', 'Player', '${bcrypt}', NULL, 0, 'your@email.com', 'JBSWY3DPEHPK3PXP', NULL),
       (3, 'eve', 'eVe', '', 0, ${since}000, NULL, '', ''),
       (4, 'robert''); drop', 'Robert''); DROP', '${hex(32)}', 7, 9223372036854775807, '', NULL, NULL),
       (5, '', 'Player', 'x', NULL, 0, NULL, NULL, NULL)`,
  ],
  accounts: [
    ["authme:1", "Ada", "ada@example.org", null, "$SHA$01234", uuids.ada, since, seen],
    ["authme:2", "bob", null, null, "$2a$10$abc", null, null, null],
    ["authme:3", "eVe", null, null, null, null, since, null],
    ["authme:4", "Robert'); DROP", null, null, "0123456789", null, null, 7],
  ],
  factors: ["authme:2"],
  problems: ["authme:5 it has no name"],
  uuidRule: "offline",
};

export const pluginDatabases: readonly PluginDatabase[] = [
  authMeRows,
  {
    ...authMeRows,
    title: "AuthMe in the table that the operator names",
    table: "people",
    statements: () => [
      authMe("people"),
      `INSERT INTO people (id, username, realname, password, regdate) VALUES (7, 'ada', 'Ada', '${bcrypt}', ${since})`,
    ],
    accounts: [["people:7", "Ada", null, null, "$2a$10$abc", null, since, null]],
    factors: [],
    problems: [],
  },
  {
    title: "AuthMe with the names, salts and kinds of its settings",
    system: "authme",
    settings: `
DataSource: {mySQLTablename: members, mySQLColumnId: uid, mySQLColumnName: nick, mySQLRealName: shown, mySQLColumnPassword: hash, mySQLPlayerUUID: puuid}
ExternalBoardOptions: {mySQLColumnSalt: salt}
settings: {security: {passwordHash: SALTED2MD5, legacyHashes: [WBB4]}}
`,
    statements: () => [
      "CREATE TABLE members (uid INTEGER NOT NULL PRIMARY KEY, nick VARCHAR(99), shown VARCHAR(99), hash VARCHAR(255), salt VARCHAR(99), puuid VARCHAR(36))",
      `INSERT INTO members VALUES (9, 'ada', 'Ada', '${hex(32)}', 'pepper', '${uuids.bob}'),
         (10, 'bob', 'Bob', '${bcrypt}', NULL, NULL), (11, NULL, NULL, NULL, NULL, NULL)`,
    ],
    accounts: [
      ["members:9", "Ada", null, "SALTED2MD5", "0123456789", uuids.bob, null, null],
      ["members:10", "Bob", null, "WBB4", "$2a$10$abc", null, null, null],
    ],
    problems: ["members:11 it has no name"],
    uuidRule: "offline",
  },
  {
    title: "LibreLogin",
    system: "librelogin",
    statements: () => [
      `CREATE TABLE librepremium_data (uuid VARCHAR(255) NOT NULL PRIMARY KEY, premium_uuid VARCHAR(255) UNIQUE,
         hashed_password VARCHAR(255), salt VARCHAR(255), algo VARCHAR(255), last_nickname VARCHAR(255) UNIQUE,
         joined TIMESTAMP NULL, last_seen TIMESTAMP NULL, secret VARCHAR(255), ip VARCHAR(255), email VARCHAR(255))`,
      `INSERT INTO librepremium_data (uuid, premium_uuid, hashed_password, salt, algo, last_nickname, joined, last_seen, secret, email) VALUES
         ('${uuids.ada}', '${uuids.eve}', NULL, NULL, NULL, 'Ada', '${written}', '${writtenSeen}', NULL, 'ada@example.org'),
         ('${uuids.eve}', NULL, '${hex(127)}', '0000000000000003', 'SHA-512', 'Eve', NULL, NULL, NULL, NULL),
         ('${uuids.bob}', NULL, '10$mTcqg1grN5CAaGoh7r2.xZmz16hfOb6', 'abcdefghijklmnopqrstuu', 'BCrypt-2A', 'Bob', '${written}', '${writtenSeen}', 'JBSWY3DPEHPK3PXP', ''),
         ('${uuids.bob.replace("f", "e")}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`,
    ],
    accounts: [
      [`librepremium_data:${uuids.ada}`, "Ada", "ada@example.org", null, null, uuids.ada, since, seen],
      [`librepremium_data:${uuids.eve}`, "Eve", null, "SHA-512", "0123456789", uuids.eve, null, null],
      [`librepremium_data:${uuids.bob}`, "Bob", null, "BCrypt-2A", "10$mTcqg1g", uuids.bob, since, seen],
    ],
    factors: [`librepremium_data:${uuids.bob}`],
    problems: [`librepremium_data:${uuids.bob.replace("f", "e")} it has no name`],
  },
  {
    title: "nLogin",
    system: "nlogin",
    statements: () => [
      `CREATE TABLE nlogin (ai INTEGER NOT NULL PRIMARY KEY, last_name VARCHAR(16), unique_id CHAR(32), mojang_id CHAR(32),
         password VARCHAR(512), last_ip VARCHAR(45), last_seen TIMESTAMP NULL, creation_date TIMESTAMP NULL, email VARCHAR(255))`,
      `INSERT INTO nlogin (ai, last_name, unique_id, mojang_id, password, last_seen, creation_date, email) VALUES
         (1, 'Ada', '${undashed(uuids.ada)}', NULL, '$SHA512$${hex(128)}$pepper', '${writtenSeen}', '${written}', 'ada@example.org'),
         (2, 'Bob', NULL, '${undashed(uuids.bob)}', '${bcrypt}', NULL, NULL, NULL),
         (3, 'Eve', NULL, NULL, NULL, NULL, NULL, NULL),
         (4, NULL, '${undashed(uuids.eve)}', NULL, NULL, NULL, NULL, NULL)`,
    ],
    accounts: [
      ["nlogin:1", "Ada", "ada@example.org", null, "$SHA512$01", undashed(uuids.ada), since, seen],
      ["nlogin:2", "Bob", null, null, "$2a$10$abc", undashed(uuids.bob), null, null],
      ["nlogin:3", "Eve", null, null, null, null, null, null],
    ],
    problems: ["nlogin:4 it has no name"],
  },
  {
    title: "an older nLogin, without an address and with last_address",
    system: "nlogin",
    statements: () => [
      "CREATE TABLE nlogin (last_name VARCHAR(16), unique_id CHAR(32), password VARCHAR(512), last_address VARCHAR(45))",
      `INSERT INTO nlogin VALUES ('Ada', '${undashed(uuids.ada)}', '$SHA256$${hex(64)}@SALT', '127.0.0.1')`,
    ],
    accounts: [["nlogin:Ada", "Ada", null, null, "$SHA256$01", undashed(uuids.ada), null, null]],
  },
  {
    title: "OpenLogin, in whose table nothing is unique",
    system: "openlogin",
    statements: () => [
      "CREATE TABLE openlogin (name VARCHAR(16), realname VARCHAR(16), password VARCHAR(255), address VARCHAR(45), lastlogin BIGINT, regdate BIGINT)",
      `INSERT INTO openlogin VALUES ('ada', 'Ada', '${bcrypt}', '127.0.0.1', ${seen}000, ${since}000),
         ('bob', NULL, 'secret of Bob', NULL, 0, NULL), (NULL, NULL, NULL, NULL, NULL, NULL)`,
    ],
    accounts: [
      ["openlogin:ada", "Ada", null, null, "$2a$10$abc", null, since, seen],
      ["openlogin:bob", "bob", null, null, "secret of ", null, null, null],
    ],
    problems: ["openlogin: it has no name"],
    uuidRule: "offline",
  },
  {
    title: "LimboAuth",
    system: "limboauth",
    statements: (quote) => {
      const names = [
        "NICKNAME",
        "LOWERCASENICKNAME",
        "HASH",
        "IP",
        "TOTPTOKEN",
        "UUID",
        "PREMIUMUUID",
        "LOGINIP",
      ];
      const columns = names.map((name) => `${quote(name)} VARCHAR(255)`);
      const times = ["REGDATE", "LOGINDATE", "ISSUEDTIME"].map((name) => `${quote(name)} BIGINT`);
      const all = [...names, "REGDATE", "LOGINDATE", "ISSUEDTIME"].map(quote).join(", ");
      return [
        `CREATE TABLE ${quote("AUTH")} (${[...columns, ...times].join(", ")}, PRIMARY KEY (${quote("LOWERCASENICKNAME")}))`,
        `INSERT INTO ${quote("AUTH")} (${all}) VALUES
           ('Ada', 'ada', '', '', '', '${uuids.ada}', '${uuids.eve}', '', ${since}000, ${seen}000, 0),
           ('Bob', 'bob', '${bcrypt}', '', 'JBSWY3DPEHPK3PXP', '', '${uuids.bob}', '', ${since}000, 0, 0),
           (NULL, 'eve', 'SHA256$pepper$${hex(128)}', '', '', '', '', '', -9223372036854775808, NULL, NULL)`,
      ];
    },
    accounts: [
      ["AUTH:ada", "Ada", null, null, null, uuids.ada, since, seen],
      ["AUTH:bob", "Bob", null, null, "$2a$10$abc", uuids.bob, since, null],
      ["AUTH:eve", "eve", null, null, "SHA256$pep", null, null, null],
    ],
    factors: ["AUTH:bob"],
    uuidRule: "offline",
  },
  {
    title: "GravitLauncher",
    system: "gravit",
    settings: JSON.stringify({
      auth: {
        std: {
          isDefault: true,
          core: {
            type: "mysql",
            mySQLHolder: { address: "localhost", username: "launcher", password: "hunter2" },
            table: "users",
            uuidColumn: "Uuid",
            usernameColumn: "login",
            passwordColumn: "pass",
            accessTokenColumn: "accessToken",
            passwordVerifier: { type: "digest", algo: "SHA-256" },
          },
          textureProvider: { type: "request", skinURL: "https://example.org/skins/%username%.png" },
        },
        old: { core: { type: "reject" } },
      },
    }),
    statements: (quote) => [
      `CREATE TABLE users (id INTEGER, login VARCHAR(99), ${quote("Uuid")} CHAR(36), pass VARCHAR(255))`,
      `INSERT INTO users VALUES (1, 'Ada', '${uuids.ada.toUpperCase()}', '${hex(64).toUpperCase()}'),
         (2, 'Bob', NULL, NULL), (3, NULL, '${uuids.eve}', '${hex(64)}')`,
    ],
    accounts: [
      [
        `users:${uuids.ada}`,
        "Ada",
        null,
        "digest SHA-256",
        "0123456789",
        uuids.ada.toUpperCase(),
        null,
        null,
      ],
      ["users:Bob", "Bob", null, null, null, null, null, null],
    ],
    problems: [`users:${uuids.eve} it has no name`],
  },
];
