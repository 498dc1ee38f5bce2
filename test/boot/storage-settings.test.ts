import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { describeAddress, parseAddress } from "../../src/adapters/postgres/connections/address.ts";
import { ConfigError, loadConfig, type ConfigSources } from "../../src/boot/config.ts";

const JWT_SECRET = "correct horse battery staple, twice";
const bucketKeys = { S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "a key that is secret" };
const form = "must be an address like postgres://user:password@host:5432/name?sslmode=verify-full";

type Environment = Readonly<Record<string, string>>;

function load(environment: Environment, more: Partial<ConfigSources> = {}) {
  return loadConfig({ flags: {}, environment, file: null, logsToTerminal: false, ...more });
}

async function faultsOf(environment: Environment, more: Partial<ConfigSources> = {}) {
  const error = await load(environment, more).then(
    () => null,
    (cause: unknown) => cause,
  );
  return error instanceof ConfigError ? error.faults : [`no ConfigError but ${String(error)}`];
}

describe("DATABASE_URL", () => {
  const one = { host: "db.example.org", port: 5432 };
  test.each([
    ["postgres://cloak:word@db.example.org/skins", { hosts: [one], tls: "verify-full", user: "cloak" }],
    [
      "postgresql://cloak@db.example.org:6432/skins?sslmode=require",
      { hosts: [{ ...one, port: 6432 }], tls: "require" },
    ],
    ["postgres://cloak@127.0.0.1/skins", { hosts: [{ host: "127.0.0.1", port: 5432 }], tls: "disable" }],
    ["postgres://cloak@[::1]:5433/skins", { hosts: [{ host: "::1", port: 5433 }], tls: "disable" }],
    ["postgres://cloak@localhost/skins?sslmode=verify-ca", { tls: "verify-ca" }],
    [
      "postgres://cloak@/skins?host=/run/postgresql",
      { hosts: [{ host: "/run/postgresql", port: 5432 }], tls: "disable" },
    ],
    [
      "postgres://a%40b:%2F%25@h.example,db2.example:5433/sk%20ins?sslrootcert=ca.pem",
      {
        user: "a@b",
        database: "sk ins",
        caFile: resolve("ca.pem"),
        tls: "verify-full",
        hosts: [
          { host: "h.example", port: 5432 },
          { host: "db2.example", port: 5433 },
        ],
      },
    ],
  ])("is read: %s", (text, address) => {
    expect(parseAddress(text)).toMatchObject(address);
  });

  test.each([
    ["mysql://cloak:pw-shown@db.example.org/skins", form],
    ["postgres://cloak:pw-shown@db.example.org", form],
    ["postgres://cloak:pw-shown@db example/skins", form],
    ["postgres://cloak:pw-shown@/skins", `${form}: each host with its own port`],
    ["postgres://cloak:pw-shown@a.example,,b.example/skins", `${form}: each host with its own port`],
    ["postgres://cloak:pw-shown@db.example.org:0/skins", `${form}: each host with its own port`],
    ["postgres://cloak:pw-shown@db.example.org:65536/skins", `${form}: each host with its own port`],
    ["postgres://db.example.org/skins", `${form}: with a user and a database`],
    ["postgres://cloak:pw-shown@db.example.org/", `${form}: with a user and a database`],
    ["postgres://cloak:pw-shown%@db.example.org/skins", "must have a % in it written as %25"],
    [
      "postgres://cloak:pw-shown@db.example.org/skins?sslmode=prefer",
      "must have an sslmode of disable, require, verify-ca, verify-full",
    ],
    [
      "postgres://cloak:pw-shown@db.example.org/skins?user=me",
      "must have no parameters but sslmode, sslrootcert, host",
    ],
    [
      "postgres://cloak:pw-shown@127.0.0.1,db.example.org/skins?sslmode=disable",
      "must have sslmode=verify-full: without TLS others could read along between two machines",
    ],
    [`postgres://cloak@${"a,".repeat(16)}a/skins`, "must name at most 16 hosts"],
    ...["/nowhere/ca.pem", import.meta.dir, import.meta.path].map(
      (file) =>
        [
          `postgres://cloak:pw-shown@db.example.org/skins?sslrootcert=${file}`,
          "must name a file of certificates (PEM) in sslrootcert that can be read",
        ] as const,
    ),
  ])("is refused, without being repeated: %s", async (DATABASE_URL, rule) => {
    expect(await faultsOf({ DATABASE_URL, JWT_SECRET })).toEqual([`DATABASE_URL (environment) ${rule}`]);
  });

  test("shows its password nowhere", async () => {
    const environment = { DATABASE_URL: "postgres://cloak:pw-shown@db.example.org/skins", JWT_SECRET };
    const loaded = await load(environment);
    expect(loaded.config.database?.address.password()).toBe("pw-shown");
    const { environment: forChildren, ...shown } = loaded;
    expect(forChildren()["DATABASE_URL"]).toContain("pw-shown");
    expect([Bun.inspect(shown, { depth: 9 }), JSON.stringify(shown)].join()).not.toMatch(/pw-shown|battery/);
    expect(loaded.config.database && describeAddress(loaded.config.database.address)).toBe(
      "db.example.org:5432/skins",
    );
  });
});

test("where the data is can be set", async () => {
  const { config } = await load({
    ...bucketKeys,
    DATABASE_URL: "postgres://cloak@127.0.0.1/skins",
    DATABASE_READ_URL: "postgres://cloak@127.0.0.1:5433/skins",
    DATABASE_POOL_MAX: "20",
    DATABASE_PREPARED: "false",
    JWT_SECRET,
    BLOBS: "s3://skins/of-today/",
    S3_REGION: "eu-central-1",
    NODE_NAME: "node-1.example",
    DRAIN_SECONDS: "15",
    PICTURE_MAX_AGE: "600",
  });
  expect(config).toMatchObject({
    database: { poolMax: 20, prepared: false, readAddress: { hosts: [{ port: 5433 }] } },
    blobs: {
      bucket: "skins",
      prefix: "of-today/",
      region: "eu-central-1",
      endpoint: null,
      accessKeyId: "id",
    },
    nodeName: "node-1.example",
    drainSeconds: 15,
    pictureMaxAge: 600,
    backup: { bucket: null },
  });
  expect(config.database?.jwtSecret.reveal()).toBe(JWT_SECRET);
});

test.each([
  ["s3://skins", ""],
  ["s3://skins/", ""],
  ["s3://skins/a", "a/"],
  ["s3://skins//a/b//", "a/b/"],
])("BLOBS=%s has the beginning %p", async (BLOBS, prefix) => {
  expect((await load({ ...bucketKeys, BLOBS })).config.blobs).toMatchObject({ bucket: "skins", prefix });
});

describe("refuses", () => {
  const place = "must be files or an address like s3://bucket/prefix";
  const name = "must be 1 to 64 letters, digits, dots, dashes and underscores";
  test.each([
    ["NODE_NAME", "a b", name],
    ["NODE_NAME", "ü", name],
    ["NODE_NAME", "a".repeat(65), name],
    ["DRAIN_SECONDS", "601", "must be a whole number from 0 to 600"],
    ["PICTURE_MAX_AGE", "-1", "must be a whole number from 0 to 31536000"],
    ["DATABASE_POOL_MAX", "0", "must be a whole number from 1 to 500"],
    ["DATABASE_PREPARED", "no", "must be true or false"],
  ])("%s=%s", async (setting, value, rule) => {
    expect(await faultsOf({ ...bucketKeys, S3_BUCKET: "backups", [setting]: value })).toEqual([
      `${setting} (environment) is ${JSON.stringify(value)}: ${rule}`,
    ]);
  });

  test.each([
    ["https://s3.example.org/skins", place],
    ["s3://", place],
    ["s3://skins?x", place],
    ["s3://id:key@skins/a", "must be the name of a bucket: 3 to 63 letters, digits, dots and dashes"],
  ])("BLOBS=%s, without repeating it", async (BLOBS, rule) => {
    expect(await faultsOf({ ...bucketKeys, S3_BUCKET: "backups", BLOBS })).toEqual([
      `BLOBS (environment) ${rule}`,
    ]);
  });

  const url = "postgres://cloak@127.0.0.1/skins";
  const needed =
    "JWT_SECRET must be given with DATABASE_URL, the same one on every node: openssl rand -base64 48 makes one";
  test.each([
    ["PostgreSQL without a secret", { DATABASE_URL: url }, [needed]],
    [
      "replicas without a primary",
      { DATABASE_READ_URL: url },
      ["DATABASE_URL must be given with DATABASE_READ_URL"],
    ],
    [
      "a bucket without keys",
      { BLOBS: "s3://skins" },
      [
        "S3_ACCESS_KEY_ID must be given, because BLOBS names a bucket",
        "S3_SECRET_ACCESS_KEY must be given, because BLOBS names a bucket",
      ],
    ],
    ["keys without a bucket", bucketKeys, ["S3_BUCKET must be given, because S3_ACCESS_KEY_ID is"]],
    [
      "a beginning of backups without their bucket",
      { ...bucketKeys, BLOBS: "s3://skins", S3_PREFIX: "x" },
      ["S3_BUCKET must be given, because S3_PREFIX is"],
    ],
  ] as readonly (readonly [string, Environment, readonly string[]])[])(
    "%s",
    async (_, environment, faults) => {
      expect(await faultsOf(environment)).toEqual([...faults]);
    },
  );

  test("a password as a flag, which other users of the machine see", async () => {
    const given = "postgres://cloak:pw-shown@127.0.0.1/skins";
    expect(await faultsOf({ JWT_SECRET }, { flags: { DATABASE_URL: given } })).toEqual([
      "DATABASE_URL must not hold a password as a flag, which other users of the machine see: set it in the environment or in the file of --config",
    ]);
    await load({ JWT_SECRET }, { flags: { DATABASE_URL: url } });
  });

  test("all of them at once", async () => {
    const faults = await faultsOf({
      DATABASE_URL: "mysql://x",
      NODE_NAME: "a b",
      BLOBS: "s3://skins",
      DRAIN_SECONDS: "x",
    });
    expect(faults.map((fault) => fault.split(" ")[0])).toEqual([
      "DATABASE_URL",
      "NODE_NAME",
      "DRAIN_SECONDS",
      "JWT_SECRET",
      "S3_ACCESS_KEY_ID",
      "S3_SECRET_ACCESS_KEY",
    ]);
  });
});

test("a command that uses a bucket itself takes keys that no setting uses", async () => {
  const { bucketAccess } = await load(bucketKeys, { usesBucket: true });
  expect(bucketAccess).toMatchObject({ accessKeyId: "id", region: null });
  expect(await faultsOf({}, { usesBucket: true })).toEqual([
    "S3_ACCESS_KEY_ID must be given, because the command uses a bucket",
    "S3_SECRET_ACCESS_KEY must be given, because the command uses a bucket",
  ]);
});
