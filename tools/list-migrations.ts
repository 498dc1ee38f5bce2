/** Writes the list of migrations from drizzle-kit's journal, as the second half of `bun run db:generate`. */
import { join } from "node:path";

const folder = join(import.meta.dir, "../src/adapters/sqlite/migrations");

/** The module that imports every migration as text, so that the binary holds them all. */
export function statementsModule(names: readonly string[]): string {
  const variable = (name: string) => `sql${name.slice(0, 4)}`;
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

if (import.meta.main) {
  const { entries } = await Bun.file(join(folder, "meta/_journal.json")).json();
  const names = entries.map(({ tag }: { readonly tag: string }) => tag);
  await Bun.write(join(folder, "statements.ts"), statementsModule(names));
}
