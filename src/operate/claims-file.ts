import { rm, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { codeHasher, openSecrets } from "../boot/secrets.ts";
import type { Ports } from "../boot/compose.ts";
import type { LoadedConfig } from "../boot/config.ts";
import { issueClaims } from "../domain/accounts/issue-claims.ts";
import { showCode } from "../domain/model/code.ts";
import { csvLine } from "../http/csv.ts";
import { moveInto, writeNew } from "../kernel/durable-files.ts";
import { codeOf, PlainError } from "../kernel/errors.ts";
import { newUuid } from "../kernel/ids.ts";
import { requirePlainFile } from "../kernel/plain-files.ts";
import { systemReasons } from "../kernel/system-reasons.ts";

/* The file of `import --claims`: which code takes which account over. */

const head = csvLine(["name", "uuid", "code"]);

/**
 * Checks where the codes shall be written, before an import begins: whether a file can be made there, and
 * whether what has the name is empty or an earlier file of codes, which is replaced. Fails with invalid where
 * it is not.
 */
export async function checkClaimsFile(path: string): Promise<void> {
  await refuseOther(path);
  const part = partOf(path);
  await writeNew(part, "").catch((cause: unknown) => refuseUnwritable(path, cause));
  await rm(part, { force: true });
}

/**
 * Makes a code for each account of the source that is still to be claimed and writes them as CSV, in a file
 * that only its owner may read. It replaces an earlier file, whose codes no longer work. Returns how many
 * there are. After a failure another call makes new ones.
 */
export async function writeClaims(
  services: Pick<Ports, "reads" | "transact" | "keys">,
  { jwtSecret }: Pick<LoadedConfig, "jwtSecret">,
  { source, file }: { readonly source: string; readonly file: string },
): Promise<number> {
  const { jwt } = await openSecrets({ ...services, jwtSecret, serviceToken: null });
  const claims = issueClaims({ ...services, codes: { hash: codeHasher(jwt) } }, source);
  let written = 0;
  const encoder = new TextEncoder();
  async function* lines() {
    yield encoder.encode(head);
    for await (const some of claims) {
      written += some.length;
      const text = some.map(({ name, uuid, code }) => csvLine([name, uuid, showCode(code)]));
      yield encoder.encode(text.join(""));
    }
  }
  const part = partOf(file);
  try {
    await writeNew(part, lines());
    await moveInto(part, file);
  } catch (cause) {
    await rm(part, { force: true });
    refuseUnwritable(file, cause);
  }
  return written;
}

function partOf(path: string): string {
  return `${resolve(path)}.${newUuid()}.part`;
}

async function refuseOther(path: string): Promise<void> {
  try {
    const found = await stat(path);
    requirePlainFile(path, found);
    if (found.size === 0) return;
    if ((await Bun.file(path).slice(0, head.length).text()) === head) return;
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return;
    refuseUnwritable(path, cause);
  }
  throw new PlainError("invalid", `${path} exists and is no file of codes; name another one`);
}

/** What the database says is passed on. */
function refuseUnwritable(path: string, cause: unknown): never {
  const reason = systemReasons[codeOf(cause) ?? ""];
  if (reason === undefined) throw cause;
  throw new PlainError("invalid", `${path} cannot be written: ${reason}`, { cause });
}
