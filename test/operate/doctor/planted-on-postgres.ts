/* Faults of a community on PostgreSQL, and of the server that holds it. */
import { SQL } from "bun";
import { chown, rm } from "node:fs/promises";
import { join } from "node:path";
import { migrations } from "../../../src/adapters/postgres/migrations.ts";
import { holdClosedPort } from "../../support/closed-port.ts";
import { makeCluster, startPostgres, superuserAddress } from "../../support/postgres-program.ts";
import { startReplicatedPostgres } from "../../support/replicated-postgres.ts";
import { freePort, isRoot, ordinary } from "../../support/run-servers.ts";
import { makeAuthority } from "./authority.ts";
import { firstTexture, type Planted, type World, leadElsewhere } from "./planted.ts";

export const secret = "correct horse battery staple, twice";

/** The address of another database, or of the same one by another way. */
const addressWith = (change: (url: URL) => void) => (world: World) => {
  const url = new URL(world.address);
  change(url);
  return { DATABASE_URL: url.href };
};

const otherAddress = (change: (url: URL) => void, message: RegExp, remedy: RegExp): Planted => ({
  plant: addressWith(change),
  finds: ["database", "problem", message, remedy],
});

/** Changes a setting of the server, which the case has for itself. */
const serverThat = (
  settings: Readonly<Record<string, string>>,
  state: "warning" | "problem",
  message: RegExp,
  remedy: RegExp,
): Planted => ({
  plant: async (world) => {
    const { url } = await ownServer(world, settings);
    return { DATABASE_URL: url };
  },
  finds: ["database", state, message, remedy],
});

const password = "a-password-of-this-test";

/** A server with these settings, and an empty database in it. */
async function ownServer({ folder, use }: World, settings: Readonly<Record<string, string>>) {
  const url = superuserAddress(freePort(), password);
  const data = join(folder, "cluster");
  if (isRoot) await chown(folder, ordinary.uid, ordinary.gid);
  await makeCluster(data, password);
  use(await startPostgres({ data, log: join(folder, "cluster.log"), url, settings }));
  await using sql = new SQL({ url, max: 1 });
  await sql.unsafe("CREATE DATABASE here");
  return { url: url.replace(/\/postgres$/, "/here") };
}

/** A server that shows a certificate; `trusted` is the authority whose file doctor has. */
const overTls = (
  {
    names,
    days,
    trusted,
  }: { readonly names: string; readonly days: number; readonly trusted: "ours" | "theirs" },
  message: RegExp,
  remedy: RegExp,
): Planted => ({
  plant: async (world) => {
    const { folder } = world;
    const { certFile, keyFile } = await (await makeAuthority(folder, "ours")).sign("database", names, days);
    await makeAuthority(folder, "theirs");
    for (const file of isRoot ? [certFile, keyFile] : []) await chown(file, ordinary.uid, ordinary.gid);
    const { url } = await ownServer(world, { ssl: "on", ssl_cert_file: certFile, ssl_key_file: keyFile });
    return { DATABASE_URL: `${url}?sslmode=verify-full&sslrootcert=${join(folder, `${trusted}.crt`)}` };
  },
  finds: ["database", "problem", message, remedy],
});

export const onPostgres: Readonly<Record<string, Planted>> = {
  "the password is wrong": otherAddress(
    (url) => void (url.password = "wrong"),
    /password authentication failed/,
    /^are user and password of its address right\?$/,
  ),
  "the database does not exist": otherAddress(
    (url) => void (url.pathname = "/nowhere"),
    /database "nowhere" does not exist/,
    /^make the database \(CREATE DATABASE\)/,
  ),
  "nothing listens there": {
    plant: async (world) => {
      const { port } = world.use(await holdClosedPort());
      return addressWith((url) => void (url.port = String(port)))(world);
    },
    finds: ["database", "problem", /nothing listens there/, /^is PostgreSQL running there/],
  },
  "the server has no TLS": otherAddress(
    (url) => url.searchParams.set("sslmode", "verify-full"),
    /does not speak TLS/,
    /^set ssl, ssl_cert_file/,
  ),
  "the server's certificate has expired": overTls(
    { names: "IP:127.0.0.1", days: -1, trusted: "ours" },
    /its certificate has expired/,
    /^renew it on the server, and let it read it \(pg_reload_conf\(\)\)/,
  ),
  "the server's certificate is for another name": overTls(
    { names: "DNS:elsewhere.example.org", days: 3, trusted: "ours" },
    /its certificate is made out to another name/,
    /^name the host in its address as the certificate does/,
  ),
  "sslrootcert is another authority": overTls(
    { names: "IP:127.0.0.1", days: 3, trusted: "theirs" },
    /no authority that is trusted here has signed its certificate/,
    /sslrootcert/,
  ),
  "sslrootcert cannot be read": {
    plant: addressWith((url) => void (url.search = "?sslmode=verify-full&sslrootcert=/nowhere/ca.crt")),
    finds: [
      "settings",
      "problem",
      /^DATABASE_URL .*must name a file of certificates \(PEM\) in sslrootcert/,
      /./,
    ],
  },
  "no more connections are taken": {
    plant: async (world) => {
      await world
        .change("CREATE ROLE ordinary_person LOGIN PASSWORD 'x' CONNECTION LIMIT 0")
        .catch(() => undefined);
      return addressWith((url) => {
        url.username = "ordinary_person";
        url.password = "x";
      })(world);
    },
    finds: [
      "database",
      "problem",
      /too many connections/,
      /^raise max_connections on the server, or lower DATABASE_POOL_MAX/,
    ],
  },
  "the server is full": {
    plant: async (world) => {
      const { url } = await ownServer(world, { max_connections: "10", superuser_reserved_connections: "1" });
      for (let opened = 0; opened < 20; opened++) {
        const sql = new SQL({ url, max: 1, connectionTimeout: 10 });
        world.use({ [Symbol.asyncDispose]: () => sql.close({ timeout: 0 }) });
        const isOpen = await sql.connect().then(
          () => true,
          () => false,
        );
        if (!isOpen) break;
      }
      return { DATABASE_URL: url };
    },
    finds: ["database", "problem", /sorry, too many clients already/, /^raise max_connections on the server/],
  },
  "only the standby is named": {
    plant: async ({ use }) => {
      const pair = use(await startReplicatedPostgres());
      await pair.makeDatabase("here");
      return { DATABASE_URL: pair.standby.url.replace(/\/postgres$/, "/here") };
    },
    finds: [
      "database",
      "problem",
      /follows another one, and takes no writes/,
      /^name the server that takes writes/,
    ],
  },
  "the synchronous standby is missing": serverThat(
    { synchronous_standby_names: "*", synchronous_commit: "local" },
    "warning",
    /no standby is synchronous/,
    /^set synchronous_standby_names/,
  ),
  "every change waits for a standby that is away": {
    plant: async (world) => {
      const { url } = await ownServer(world, {});
      await using sql = new SQL({ url, max: 1 });
      await sql.unsafe("ALTER SYSTEM SET synchronous_standby_names = '*'");
      await sql.unsafe("SELECT pg_reload_conf()");
      return { DATABASE_URL: url };
    },
    finds: [
      "database",
      "problem",
      /no standby is connected, and every change waits for one/,
      /^start the standby/,
    ],
  },
  "fsync is off": serverThat({ fsync: "off" }, "problem", /before commits are on its disk/, /^set fsync and/),
  "a node opens more connections than the server takes": serverThat(
    { max_connections: "20" },
    "warning",
    /^it takes 20 connections, and each node opens up to \d+$/,
    /^raise max_connections/,
  ),
  "JWT_SECRET is another one": {
    plant: () => ({ JWT_SECRET: "another horse battery staple, twice" }),
    finds: ["database", "problem", /^JWT_SECRET is another one/, /^set the secret of the other nodes/],
  },
  "a foreign table is in an empty database": {
    plant: async (world) => {
      const { url } = await ownServer(world, {});
      await using sql = new SQL({ url, max: 1 });
      await sql.unsafe("CREATE TABLE posts (id int)");
      return { DATABASE_URL: url };
    },
    finds: [
      "database",
      "problem",
      /holds tables that are not cloakroom's \("posts"\): give it a database of its own/,
      /./,
    ],
  },
  "a foreign table is beside ours": {
    runs: true,
    plant: ({ change }) => change("CREATE TABLE posts (id int)"),
    finds: [
      "database",
      "problem",
      /^its schema was changed: the table "posts" is not part of it$/,
      /take it out with psql/,
    ],
    cure: (_, { change }) => change("DROP TABLE posts"),
  },
  "an index is gone": {
    runs: true,
    plant: ({ change }) => change("DROP INDEX codes_account"),
    finds: ["database", "problem", /^its schema was changed: the index "codes_account" is missing$/, /./],
  },
  "pg_trgm is missing": {
    plant: ({ change }) => change("DROP EXTENSION pg_trgm CASCADE"),
    finds: ["database", "warning", /pg_trgm is missing$/, /^CREATE EXTENSION pg_trgm/],
  },
  "the database is of a newer version": {
    plant: ({ change }) => change("UPDATE marks SET value = '99+0' WHERE name = 'schema'"),
    finds: ["database", "problem", /was written by a newer version/, /./],
  },
  ...(migrations.length > 1 && {
    "the database is older than the program": {
      plant: ({ change }: World) =>
        change(`UPDATE marks SET value = '${migrations.length - 1}+0' WHERE name = 'schema'`),
      finds: ["database", "warning", /^it is older than the program by 1 migrations$/, /cloakroom migrate/],
    } satisfies Planted,
  }),
  "a move into the database was interrupted": {
    plant: ({ change }) => change(`INSERT INTO marks VALUES ('moving', '["x", 0, null]')`),
    finds: ["database", "problem", /a move or restore into this database has not finished/, /./],
  },
  "a texture's file is deleted": {
    runs: true,
    plant: (world) => rm(firstTexture(world)),
    finds: ["textures", "problem", /^1 of 4 textures are missing or damaged$/, /cloakroom fsck/],
  },
  "PUBLIC_URL leads to another cloakroom": {
    runs: true,
    plant: leadElsewhere,
    finds: [
      "public address",
      "problem",
      /leads to a cloakroom with other data/,
      /DATABASE_URL, and where the proxy leads$/,
    ],
    also: ["launchers", "nodes"],
  },
  "the server may open few files": {
    runs: true,
    openFiles: 1024,
    // As the program itself: a listener of another program is not taken for the server.
    manner: () => ({}),
    finds: ["open files", "warning", /^the server \(process \d+\) may open only 1024 files/, /LimitNOFILE/],
  },
};
