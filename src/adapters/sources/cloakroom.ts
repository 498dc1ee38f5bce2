import type { OpenedExport } from "../../domain/backup/read-export.ts";
import { exportedName, type ExportedKind } from "../../domain/model/export-format.ts";
import type {
  ImportSource,
  SourceAccount,
  SourcePage,
  SourcePages,
  SourceProblem,
  SourceTexture,
} from "../../domain/ports/import-source.ts";
import type { UnpackedLine } from "../../domain/ports/export-ports.ts";
import { AppError, PlainError } from "../../kernel/errors.ts";
import {
  readLine,
  toAccount,
  toCape,
  toGrant,
  toIdentity,
  toPlayer,
  toSkin,
  toWardrobe,
  type Line,
} from "./cloakroom-records.ts";
import type { OpenSource } from "./given.ts";
import { noPages, pageRows } from "./list-pages.ts";

/**
 * An export of a cloakroom (docs/export.md). All of it is verified and unpacked before the first record is
 * read. Fails as `openExport` does.
 */
export const openCloakroom: OpenSource = async ({ file }, { openExport }) => {
  if (file === null || openExport === undefined)
    throw new PlainError("invalid", "cloakroom needs its export: --file EXPORT.tar.zst");
  const opened = await openExport(file);
  const { manifest, content } = opened;
  return {
    system: "cloakroom",
    place: new Bun.CryptoHasher("sha256").update(`cloakroom:${manifest.community}`).digest("hex"),
    facts: {
      accounts: manifest.counts.accounts,
      uuidRule: null,
      isAboutOthers: false,
      notes: notesOf(opened),
    },
    accounts: () => accountPages(opened),
    players: () => pages(opened, "players", "player", toPlayer),
    textures: async function* () {
      yield* pages(opened, "capes", "cape", toCape);
      yield* pages(opened, "skins", "skin", toSkin);
    },
    holdings: async function* () {
      yield* pages(opened, "skins", "skin", toWardrobe);
      yield* pages(opened, "grants", "grant", toGrant);
    },
    identities: () => pages(opened, "identities", "identity", toIdentity),
    factors: noPages,
    invites: noPages,
    readTexture: async (texture, bytesMax) => readTexture(opened, texture, bytesMax),
    [Symbol.asyncDispose]: async () => content[Symbol.dispose](),
  } satisfies ImportSource;
};

function notesOf({ manifest }: OpenedExport): readonly string[] {
  const { counts, hashes, textures, mac } = manifest;
  return [
    ...(mac === null ? ["nothing in it shows whether it was changed: it was made without a passphrase"] : []),
    ...(counts.audit > 0
      ? [`${counts.audit} entries of the audit do not come over: audit.jsonl is there to be read`]
      : []),
    ...(hashes === "none" ? ["It was made without hashes: people set new passwords"] : []),
    ...(textures.lost > 0 ? [`${textures.lost} textures had no sound file when it was made`] : []),
  ];
}

function readTexture(
  { content }: OpenedExport,
  { file: digest }: SourceTexture,
  bytesMax: number,
): Uint8Array | null {
  const bytes = content.file(exportedName({ kind: "texture", digest }));
  if (bytes !== null && bytes.length > bytesMax)
    throw new PlainError("invalid", `its file has ${bytes.length} bytes; at most ${bytesMax} are allowed`);
  return bytes;
}

async function* pages<Row>(
  { content }: OpenedExport,
  of: ExportedKind,
  kind: SourceProblem["kind"],
  toRow: (line: Line) => Row,
): SourcePages<Row> {
  let number = 0;
  for (let after = 0; ;) {
    const lines = content.lines(of, after, pageRows);
    const last = lines.at(-1);
    if (last === undefined) return;
    const page = { rows: [] as Row[], problems: [] as SourceProblem[] };
    for (const line of lines) {
      number += 1;
      await add(page, { key: `${of}.jsonl:${number}`, kind }, () => toRow(readLine(line.text)));
    }
    yield page;
    after = last.n;
  }
}

/** Adds a record, or the reason why it cannot be read. */
async function add<Row>(
  page: { readonly rows: Row[]; readonly problems: SourceProblem[] },
  at: Pick<SourceProblem, "key" | "kind">,
  read: () => Row | Promise<Row>,
): Promise<void> {
  try {
    page.rows.push(await read());
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    page.problems.push({ ...at, reason: `It cannot be read: ${error.message}` });
  }
}

async function* accountPages(opened: OpenedExport): SourcePages<SourceAccount> {
  const { content, manifest } = opened;
  const left = { aliases: manifest.counts.aliases, suspensions: manifest.counts.suspensions };
  const linesOf = (of: keyof typeof left, account: string): readonly Line[] => {
    if (left[of] === 0) return [];
    const lines = content.linesOf(of, account);
    left[of] -= lines.length;
    return lines.map(readLine);
  };
  const hashes = takeHashes(opened);
  let number = 0;
  for (let after = 0; ;) {
    const lines = content.lines("accounts", after, pageRows);
    const last = lines.at(-1);
    if (last === undefined) break;
    const page: SourcePage<SourceAccount> & { rows: SourceAccount[]; problems: SourceProblem[] } = {
      rows: [],
      problems: [],
    };
    for (const { text } of lines) {
      number += 1;
      await add(page, { key: `accounts.jsonl:${number}`, kind: "account" }, async () => {
        const line = readLine(text);
        const uuid = line.uuid("account");
        // First of all: the hash of a line that cannot be read must not be in the way of the next ones.
        const hash = await hashes.of(uuid);
        return toAccount(line, {
          aliases: linesOf("aliases", uuid),
          suspensions: linesOf("suspensions", uuid),
          hash,
        });
      });
    }
    yield page;
    after = last.n;
  }
  const strays = (["aliases", "suspensions"] as const).filter((of) => left[of] > 0);
  yield { rows: [], problems: strays.map((of) => strayLines(of, left[of])) };
  const rest = await hashes.next();
  if (rest === null) return;
  const reason = "Hashes of passwords from here on follow no order of accounts, and do not come";
  yield { rows: [], problems: [{ key: `passwords:${rest}`, kind: "account", reason }] };
}

/** Otherwise people could come without their suspension, unseen. */
function strayLines(of: "aliases" | "suspensions", count: number): SourceProblem {
  const lines = count === 1 ? "1 line names" : `${count} lines name`;
  return {
    key: `${of}.jsonl`,
    kind: "account",
    reason: `${lines} no account of the export, and ${count === 1 ? "does" : "do"} not come`,
  };
}

/** Hashes come in the order of their accounts, so one is looked at at a time. */
function takeHashes(opened: OpenedExport) {
  const lines = passwordLines(opened);
  let ahead: { readonly account: string; readonly hash: string } | null = null;
  const look = async () => {
    if (ahead !== null) return ahead;
    const next = await lines.next();
    if (next.done === true) return null;
    const line = readLine(next.value);
    return (ahead = { account: line.uuid("account"), hash: line.text("hash") });
  };
  return {
    /** The account's hash; null: it has none. */
    of: async (account: string) => {
      const found = await look();
      if (found?.account !== account) return null;
      ahead = null;
      return found.hash;
    },
    /** The account of the next hash; null: all were taken. */
    next: async () => (await look())?.account ?? null,
  };
}

async function* passwordLines({ content, manifest, unsealed }: OpenedExport): AsyncGenerator<string> {
  if (manifest.hashes === "sealed") {
    for (let number = 1; ; number++) {
      const lines = await unsealed(number);
      if (lines === null) return;
      yield* lines;
    }
  }
  for (let after = 0; ;) {
    const lines: readonly UnpackedLine[] = content.lines("passwords", after, pageRows);
    for (const { text } of lines) yield text;
    after = lines.at(-1)?.n ?? after;
    if (lines.length < pageRows) return;
  }
}
