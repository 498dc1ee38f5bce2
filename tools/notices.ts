/*
 * Writes the licences of everything in the binary into one text: most of them must accompany every copy.
 *
 * The texts come from the packages. `licence-texts` has those for packages without one and the LGPL of the
 * JavaScript engine, named by SPDX id.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Bundle, idOf, type Part, projectFolder } from "./bundle.ts";

export const noticesName = "THIRD-PARTY-LICENCES.txt";

/** `LICENSE`, `NOTICE`, and `bundle.js.LICENSE.txt`, which holds the licences of a bundle's parts. */
const licenceFile = /(?:^|\.)(?:licen[cs]e|copying|notice)/i;

const ruler = "=".repeat(80);

/** Writes the complete file. Fails when neither a part nor `licence-texts` has the text of its licence. */
export async function writeNotices({ parts }: Bundle): Promise<string> {
  const sections: string[] = [];
  for (const part of parts)
    sections.push(section(`${idOf(part)} (${part.licence})`, await licenceText(part)));
  return [
    "cloakroom is one program made of many. These are the licences of its parts.\n",
    section("cloakroom (MIT)", await textOf(join(projectFolder, "LICENSE"))),
    ...sections,
    section(`Bun ${Bun.version} (MIT) and the libraries in it`, await bunNotice()),
    section("GNU Library General Public License 2 (JavaScriptCore)", await keptText("LGPL-2.0")),
  ].join("\n");
}

function section(title: string, text: string): string {
  return `${ruler}\n${title}\n${ruler}\n\n${text.replaceAll("\r\n", "\n").trim()}\n`;
}

async function licenceText({ folder, licence }: Part): Promise<string> {
  const names = (await readdir(folder)).filter((name) => licenceFile.test(name)).sort();
  if (names.length === 0) return keptText(licence);
  const texts = await Promise.all(names.map((name) => textOf(join(folder, name))));
  return texts.join("\n\n");
}

function keptText(licence: string): Promise<string> {
  return textOf(join(import.meta.dir, "licence-texts", `${licence.toLowerCase()}.txt`));
}

/** Bun's own list of the licences inside it, a page of the documentation that comes with its types. */
async function bunNotice(): Promise<string> {
  const page = await textOf(join(projectFolder, "node_modules/bun-types/docs/project/license.mdx"));
  return page.replace(/^---\n.*?\n---\n/s, "");
}

function textOf(path: string): Promise<string> {
  return Bun.file(path).text();
}
