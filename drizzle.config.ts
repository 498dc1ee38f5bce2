import { defineConfig } from "drizzle-kit";

/**
 * One file for both engines: `DIALECT=postgresql drizzle-kit check`. Without the variable it is SQLite's. `drizzle-kit studio`
 * shows the database of DATABASE_URL, or that of the folder `data`, for which it needs `better-sqlite3`, which is not installed.
 */
const isPostgres = process.env["DIALECT"] === "postgresql";
export default isPostgres
  ? defineConfig({
      dialect: "postgresql",
      schema: ["./src/adapters/sql/schema", "./src/adapters/postgres/schema"],
      out: "./src/adapters/postgres/migrations",
      dbCredentials: { url: process.env["DATABASE_URL"] ?? "" },
    })
  : defineConfig({
      dialect: "sqlite",
      schema: "./src/adapters/sqlite/schema.ts",
      out: "./src/adapters/sqlite/migrations",
      dbCredentials: { url: "data/cloakroom.db" },
    });
