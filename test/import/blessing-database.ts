/* A Blessing Skin 6 as its migrations make it, with what communities really have in it. */
import type { ForeignDatabase } from "./foreign-database.ts";

const types = {
  sqlite: { time: "datetime", flag: "tinyint(1)", id: "integer primary key" },
  mysql: { time: "datetime", flag: "tinyint(1)", id: "int unsigned auto_increment primary key" },
  postgres: { time: "timestamp(0)", flag: "boolean", id: "integer primary key" },
} as const;

/** Makes the tables. */
export async function makeBlessing(
  { engine, run }: ForeignDatabase,
  prefix = "",
  plugin: "yggdrasil-api" | "yggdrasil-connect" | null = "yggdrasil-api",
): Promise<void> {
  const { time, flag, id } = types[engine];
  await run(
    `CREATE TABLE ${prefix}users (uid ${id}, email varchar(100) not null, nickname varchar(50) not null default '',
     locale varchar(255) null, score integer not null default 0, avatar integer not null default 0,
     password varchar(255) not null, ip varchar(45) not null default '', is_dark_mode ${flag},
     permission integer not null default 0, last_sign_at ${time} null, register_at ${time} null,
     verified ${flag}, verification_token varchar(255) not null default '', remember_token varchar(100) null)`,
  );
  await run(
    `CREATE TABLE ${prefix}players (pid ${id}, uid integer not null, name varchar(50) not null,
     tid_cape integer not null default 0, last_modified ${time} null, tid_skin integer not null default -1)`,
  );
  await run(
    `CREATE TABLE ${prefix}textures (tid ${id}, name varchar(50) not null, type varchar(10) not null,
     hash varchar(64) not null, size integer not null, uploader integer not null, public ${flag},
     upload_at ${time} null, likes integer not null default 0)`,
  );
  await run(
    `CREATE TABLE ${prefix}user_closet (user_uid integer not null, texture_tid integer not null, item_name text null)`,
  );
  await run(
    `CREATE TABLE ${prefix}options (id ${id}, option_name varchar(50) not null, option_value text not null)`,
  );
  await run(`CREATE TABLE ${prefix}reports (id ${id}, tid integer, reason text)`);
  if (plugin === "yggdrasil-api")
    await run(
      `CREATE TABLE ${prefix}uuid (id ${id}, name varchar(255) not null, uuid varchar(255) not null)`,
    );
  if (plugin === "yggdrasil-connect")
    await run(
      `CREATE TABLE ${prefix}uuid (id ${id}, pid integer not null unique, name varchar(255) not null unique, uuid varchar(255) not null unique)`,
    );
}

export const bcrypt = "$2y$10$abcdefghijklmnopqrstuumTcqg1grN5CAaGoh7r2.xZmz16hfOb6";

/** A user with what is not said. */
export function userRow(uid: number, row: Readonly<Record<string, string | number | null>>) {
  return {
    uid,
    email: `user${uid}@example.org`,
    nickname: `Nick ${uid}`,
    password: bcrypt,
    permission: 0,
    last_sign_at: "2026-11-22 06:48:57",
    register_at: "2020-01-01 10:00:00",
    ...row,
  };
}
