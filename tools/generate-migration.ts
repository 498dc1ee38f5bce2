/**
 * Generates the migration that the schema asks for, and lists it: `bun run db:generate --name pinned_skins`. The arguments are
 * those of `drizzle-kit generate`.
 */
import { join } from "node:path";

const folder = join(import.meta.dir, "../src/adapters/sqlite/migrations");

const variable = (name: string) => `sql${name.slice(0, 4)}`;

/** The module that imports every migration as text, so that the binary holds them all. */
function statementsModule(names: readonly string[]): string {
  return [
    "/** The statements of every migration by its name, oldest first. Written by `bun run db:generate`. */",
    ...names.map((name) => `import ${variable(name)} from "./${name}.sql" with { type: "text" };`),
    "",
    "export const statements: Readonly<Record<string, string>> = {",
    ...names.map((name) => `  "${name}": ${variable(name)},`),
    "};",
    "",
  ].join("\n");
}

const { exitCode } = Bun.spawnSync(["drizzle-kit", "generate", ...Bun.argv.slice(2)], {
  stdio: ["inherit", "inherit", "inherit"],
});
if (exitCode !== 0) process.exit(exitCode);
const { entries } = await Bun.file(join(folder, "meta/_journal.json")).json();
const names = entries.map(({ tag }: { readonly tag: string }) => tag);
await Bun.write(join(folder, "statements.ts"), statementsModule(names));
