/*
 * The licences of everything that is in the binary, as one text: most of them want to travel with every copy.
 *
 * The texts are those that lie in the packages. For a package that brings none, and for the LGPL of the library that runs
 * the JavaScript, they are in `licence-texts`, named for their SPDX ids.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Bundle, idOf, type Part, projectFolder } from "./bundle.ts";

export const noticesName = "THIRD-PARTY-LICENCES.txt";

/** `LICENSE`, `NOTICE`, and `bundle.js.LICENSE.txt`, in which a bundle has the licences of what is in it. */
const licenceFile = /(?:^|\.)(?:licen[cs]e|copying|notice)/i;

const ruler = "=".repeat(80);

/** The whole file. Fails when a part brings no text and there is no copy here for its licence. */
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

/** What Bun's makers say about the licences inside it: a page of the documentation that comes with its types. */
async function bunNotice(): Promise<string> {
  const page = await textOf(join(projectFolder, "node_modules/bun-types/docs/project/license.mdx"));
  return page.replace(/^---\n.*?\n---\n/s, "");
}

function textOf(path: string): Promise<string> {
  return Bun.file(path).text();
}
