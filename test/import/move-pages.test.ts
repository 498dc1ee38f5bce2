/** The commands on the pages of docs/move are ones that the program takes. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../cli/run-program.ts";
import { projectRoot } from "../tidy/project-files.ts";

const folder = join(projectRoot, "docs/move");
const pages = readdirSync(folder).filter((name) => name.endsWith(".md"));

/** Every command of a page, on one line. */
function commandsOf(page: string): readonly string[] {
  const text = readFileSync(join(folder, page), "utf8").replaceAll(/\\\n\s*/g, "");
  return text.split("\n").filter((line) => line.startsWith("cloakroom "));
}

const flagsOf = (text: string) => new Set(text.match(/(?<![\w-])--[a-z][a-z-]*/g));

test.each(pages)("docs/move/%s names options that the commands have", async (page) => {
  for (const command of commandsOf(page)) {
    const name = /^cloakroom ((?:[a-z-]+ ?)+?)(?= -| [^a-z]|$)/.exec(command)?.[1] ?? "";
    const { out, code } = await run([...name.trim().split(" "), "--help"]);
    expect({ command, code }).toEqual({ command, code: 0 });
    const known = flagsOf(out);
    expect({ command, unknown: [...flagsOf(command)].filter((flag) => !known.has(flag)) }).toEqual({
      command,
      unknown: [],
    });
  }
});
