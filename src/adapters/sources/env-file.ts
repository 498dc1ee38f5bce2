/** The file of settings of programs that are written in PHP with Laravel: `.env`. */
import { codeOf, PlainError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import { readPlainText } from "../../kernel/plain-files.ts";
import { systemReasons } from "../../kernel/system-reasons.ts";

/** Settings by name. A missing one, an empty one and `null` are the same. */
export type EnvFile = { readonly get: (name: string) => string | null };

/** Reads a file. Fails with a sentence that holds nothing of it. */
export async function readEnvFile(path: string): Promise<EnvFile> {
  const values = parseEnv(await readText(path));
  return { get: (name) => values.get(name) ?? null };
}

async function readText(path: string): Promise<string> {
  try {
    return await readPlainText(path, limits.operatorFileBytesMax);
  } catch (cause) {
    if (cause instanceof PlainError) throw cause;
    const reason = systemReasons[codeOf(cause) ?? ""] ?? "it cannot be read";
    throw new PlainError("invalid", `${path}: ${reason}`, { cause });
  }
}

function parseEnv(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const line of text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/)) {
    const [, name, rest = ""] = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.]*)\s*=\s*(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    const value = valueOf(rest.trim());
    if (!/^(?:|null|\(null\)|empty|\(empty\))$/i.test(value)) values.set(name, value);
    else values.delete(name);
  }
  return values;
}

function valueOf(text: string): string {
  const [, inSingle] = /^'([^']*)'/.exec(text) ?? [];
  if (inSingle !== undefined) return inSingle;
  const [, inDouble] = /^"((?:[^"\\]|\\.)*)"/.exec(text) ?? [];
  if (inDouble !== undefined) return inDouble.replaceAll(/\\(.)/g, "$1");
  return text.replace(/(?:^|\s+)#.*$/, "").trim();
}
