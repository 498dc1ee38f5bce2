import { defineConfig } from "drizzle-kit";

/** One file for both engines: `DIALECT=postgresql drizzle-kit check`. Without the variable it is SQLite's. */
const isPostgres = process.env["DIALECT"] === "postgresql";
export default isPostgres
  ? defineConfig({
      dialect: "postgresql",
      schema: ["./src/adapters/sql/schema", "./src/adapters/postgres/schema"],
      out: "./src/adapters/postgres/migrations",
    })
  : defineConfig({
      dialect: "sqlite",
      schema: "./src/adapters/sqlite/schema.ts",
      out: "./src/adapters/sqlite/migrations",
    });
