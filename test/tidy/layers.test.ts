import { expect, test } from "bun:test";
import { posix } from "node:path";
import { faultyLines, type ProjectFile, readProjectFiles } from "./project-files.ts";

/** What each folder of src may import besides itself. Folders that do not name each other are strangers. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  render: ["kernel"],
  domain: ["render", "kernel"],
  adapters: ["domain", "render", "kernel"],
  words: ["http", "domain", "render", "kernel"],
  http: ["words", "domain", "kernel"],
  web: ["words", "render"],
  jobs: ["domain", "kernel"],
  boot: ["http", "jobs", "adapters", "words", "domain", "render", "kernel", "package.json"],
  operate: ["boot", "http", "jobs", "adapters", "domain", "kernel"],
  cli: ["operate", "boot", "domain", "render", "kernel"],
  "main.ts": ["cli"],
};

/**
 * What each folder of domain may import of domain besides itself. Types and rules stand at the bottom, then
 * ports, then the use cases of each noun, above them operations on a whole member, and at the top the list of
 * all use cases. No two folders import each other.
 */
const mayImportInDomain: Readonly<Record<string, readonly string[]>> = {
  model: [],
  ports: ["model"],
  limits: ["model", "ports"],
  mail: ["model", "ports"],
  audit: ["model", "ports"],
  health: ["ports"],
  events: ["model", "ports"],
  sessions: ["limits", "model", "ports"],
  game: ["limits", "model", "ports", "sessions"],
  accounts: ["limits", "mail", "model", "ports"],
  textures: ["accounts", "model", "ports"],
  social: ["accounts", "limits", "model", "ports", "sessions"],
  services: ["model", "ports", "sessions", "social"],
  backup: ["model", "ports", "textures"],
  players: ["accounts", "limits", "model", "ports", "textures"],
  members: ["accounts", "limits", "model", "ports", "sessions", "textures"],
  import: ["accounts", "model", "ports", "social", "textures"],
  "use-cases": [
    "accounts",
    "audit",
    "game",
    "health",
    "limits",
    "mail",
    "members",
    "players",
    "ports",
    "services",
    "sessions",
    "social",
    "textures",
  ],
};

/** Where a package may be imported, so that it can be replaced by changing one folder. */
const packageHomes: readonly { readonly name: RegExp; readonly home: string }[] = [
  { name: /^elysia(?:$|\/)/, home: "src/http/routing/" },
  { name: /^@elysiajs\/|^@sinclair\/typebox/, home: "src/http/" },
  { name: /^drizzle-orm\/(?:bun-)?sqlite|^bun:sqlite$/, home: "src/adapters/sqlite/" },
  { name: /^drizzle-orm/, home: "src/adapters/" },
  { name: /^upng-js$/, home: "src/render/png-decode.ts" },
  { name: /^@resvg\//, home: "src/render/" },
  { name: /^nodemailer/, home: "src/adapters/mail-" },
  { name: /^arctic$/, home: "src/adapters/oauth/" },
  { name: /^jose$/, home: "src/adapters/" },
  { name: /^any-ascii$/, home: "src/domain/social/" },
  { name: /^prom-client$/, home: "src/adapters/prometheus/" },
  { name: /^preact|^@preact\/|^openapi-fetch$/, home: "src/web/" },
];

/**
 * What browsers get of render: rules, tables, poses and cameras, and nothing that draws in three dimensions
 * or reads files.
 */
const renderForBrowsers =
  /^src\/render\/(?:parts|detect-model|bitmap|views|vector|camera|skin-sheet|cape-forms|cape-sheet|flat)\.ts$/;

/** Words that the server alone says. */
const wordsOfServer = /\/(?:server|mails|mail-pages|play)\.ts$/;

/** Words are texts: of the program they know types. */
const wordsWithCode = /^import (?!type ).* from "(?:\.\.\/)+(?:http|domain|render|kernel)\//;

/** What the engines share: the schema, the stores, and the value that a row becomes. */
const sharedByEngines = "src/adapters/sql/";

/** Where handles on databases are opened, with what has to hold for each of them. */
const handleHome = "src/adapters/sqlite/handle.ts";
const openedHandle = /\bnew Database\(/;

/**
 * The folders of http that are a surface each. None imports another one: what they share stands beside them.
 */
const surfaceFolders = new Set(
  readProjectFiles(/^src\/http\/[^/]+\/surface\.ts$/).map(({ path }) => path.split("/")[2] ?? ""),
);

const pureFolders = /^src\/(?:domain|render)\//;
const impure =
  /\bprocess\.\w|\bDate\.now|\bnew Date\(\)|\bMath\.random|\bBun\.(?:file|write|env|serve)|\bfetch\(|["'](?:node:)?(?:fs|http|net|os)["'/]/;

// Matches `import type` and `export … from` as well, which Bun.Transpiler.scanImports leaves out.
const importPattern = /\b(?:from|import|import\()\s*["'](?<target>[^"']+)["']/g;

function layerFaults(file: ProjectFile): readonly string[] {
  const own = ownerOf(file.path);
  const allowed = mayImport[own];
  if (!allowed) return [`${file.path}: src has no folder "${own}" in the table of layers`];
  const targets = [...file.text.matchAll(importPattern)].map((match) => match.groups?.["target"] ?? "");
  const purity = pureFolders.test(file.path) ? faultyLines(file, impure, "domain and render are pure") : [];
  const opened =
    file.path === handleHome ? [] : faultyLines(file, openedHandle, `handles are opened in ${handleHome}`);
  const coded = own === "words" ? faultyLines(file, wordsWithCode, "words import types alone") : [];
  return [
    ...opened,
    ...coded,
    ...targets.flatMap((target) => importFault(file.path, allowed, target)),
    ...purity,
  ];
}

function importFault(path: string, allowed: readonly string[], target: string): readonly string[] {
  if (!target.startsWith(".")) return packageFault(path, target);
  const other = ownerOf(posix.join(posix.dirname(path), target));
  const own = ownerOf(path);
  const to = posix.join(posix.dirname(path), target);
  const siblings = isSiblingAdapter(path, to) || isOtherSurface(path, to);
  const inner = own === "domain" && other === "domain" && !mayImportWithin(path, target);
  if (own === "web" && other === "words" && wordsOfServer.test(to))
    return [`${path}: browsers get no ${target}`];
  if (own === "web" && other === "render" && !renderForBrowsers.test(to))
    return [`${path}: browsers get no ${target}`];
  if (!inner && ((other === own && !siblings) || allowed.includes(other))) return [];
  return [`${path}: must not import ${target}`];
}

/**
 * Whether one file of domain may import another. A file outside the known folders may neither import nor be
 * imported.
 */
function mayImportWithin(path: string, target: string): boolean {
  const from = nounOf(path);
  const to = nounOf(posix.join(posix.dirname(path), target));
  return from === to ? from in mayImportInDomain : (mayImportInDomain[from]?.includes(to) ?? false);
}

/** `src/domain/accounts/register.ts` → `accounts`. */
function nounOf(path: string): string {
  return /^src\/domain\/(?<noun>[^/]+)\//.exec(path)?.groups?.["noun"] ?? path;
}

function packageFault(path: string, target: string): readonly string[] {
  const rule = packageHomes.find(({ name }) => name.test(target));
  return !rule || path.startsWith(rule.home) ? [] : [`${path}: ${target} belongs in ${rule.home}`];
}

/** `src/render/views.ts` → `render`; files beside src and in it go by their own name. */
function ownerOf(path: string): string {
  return path.replace(/^src\//, "").split("/")[0] ?? "";
}

function isSiblingAdapter(path: string, target: string): boolean {
  return !target.startsWith(sharedByEngines) && adapterOf(path) !== adapterOf(target);
}

function isOtherSurface(path: string, target: string): boolean {
  const [from, to] = [surfaceFolderOf(path), surfaceFolderOf(target)];
  return from !== to && surfaceFolders.has(from) && surfaceFolders.has(to);
}

function surfaceFolderOf(path: string): string {
  return /^src\/http\/(?<name>[^/]+)\//.exec(path)?.groups?.["name"] ?? "";
}

function adapterOf(path: string): string | undefined {
  return /^src\/adapters\/(?<name>[^/]+)\//.exec(path)?.groups?.["name"];
}

test("every import keeps to the table of layers", () => {
  const files = readProjectFiles(/^src\/.*\.tsx?$/);
  const onDisk = [...new Bun.Glob("src/**/*.{ts,tsx}").scanSync({ cwd: `${import.meta.dir}/../..` })];
  const written = onDisk.filter((path) => path !== "src/web/api/types.ts");
  expect(files.length).toBeGreaterThanOrEqual(written.length);
  expect(files.flatMap(layerFaults)).toEqual([]);
});

test("no two folders of domain import each other", () => {
  const pairs = Object.entries(mayImportInDomain).flatMap(([from, targets]) =>
    targets.filter((to) => mayImportInDomain[to]?.includes(from)).map((to) => `${from} and ${to}`),
  );
  expect(pairs).toEqual([]);
});

test.each([
  ["kernel that imports domain", "src/kernel/a.ts", `import { x } from "../domain/x.ts";`],
  ["a type import that climbs", "src/domain/a/b.ts", `import type { X } from "../../http/x.ts";`],
  ["a rule that imports a port", "src/domain/model/a.ts", `import type { X } from "../ports/x.ts";`],
  ["a port that imports a use case", "src/domain/ports/a.ts", `import type { X } from "../mail/x.ts";`],
  ["a use case that imports members", "src/domain/textures/a.ts", `import { x } from "../members/x.ts";`],
  ["a noun that imports one above it", "src/domain/mail/a.ts", `import { x } from "../accounts/x.ts";`],
  ["an unplanned noun", "src/domain/a/b.ts", `import { x } from "../model/x.ts";`],
  ["a file beside the nouns", "src/domain/a.ts", `import { x } from "./model/x.ts";`],
  ["a re-export that climbs", "src/render/a.ts", `export * from "../domain/x.ts";`],
  ["an import of many lines that climbs", "src/http/a.ts", `import {\n  x,\n} from "../adapters/b/x.ts";`],
  ["a lazy import that climbs", "src/domain/a.ts", `await import("../boot/x.ts");`],
  ["a sibling adapter", "src/adapters/a/b.ts", `import { x } from "../c/x.ts";`],
  ["an engine that imports another", "src/adapters/postgres/b.ts", `import { x } from "../sqlite/x.ts";`],
  ["shared rows that import an engine", "src/adapters/sql/a.ts", `import { x } from "../sqlite/x.ts";`],
  [
    "one engine's tables in another",
    "src/adapters/postgres/b.ts",
    `import { x } from "drizzle-orm/sqlite-core";`,
  ],
  ["a protocol that imports another", "src/http/csl/a.ts", `import { x } from "../usm/x.ts";`],
  ["a protocol that imports the API", "src/http/gravit/a.ts", `import { x } from "../api/x.ts";`],
  ["jobs that import http", "src/jobs/a.ts", `import { x } from "../http/x.ts";`],
  ["boot that imports an operator's task", "src/boot/a.ts", `import { x } from "../operate/x.ts";`],
  ["an operator's task that imports a command", "src/operate/a.ts", `import { x } from "../cli/x.ts";`],
  ["main that skips the command line", "src/main.ts", `import { x } from "./boot/x.ts";`],
  ["an unplanned folder", "src/shared/a.ts", ""],
  ["a climb out of src", "src/domain/a.ts", `import x from "../../package.json";`],
  ["words that import code", "src/words/a.ts", `import { x } from "../domain/x.ts";`],
  ["words of the server in browsers", "src/web/a.ts", `import { x } from "../words/de/mails.ts";`],
  ["the web framework in domain", "src/domain/a.ts", `import { t } from "elysia";`],
  ["the web framework in a surface", "src/http/api/a.ts", `import { Elysia } from "elysia";`],
  ["the database in http", "src/http/a.ts", `import { Database } from "bun:sqlite";`],
  ["a second user of upng-js", "src/render/a.ts", `import UPNG from "upng-js";`],
  ["files in domain", "src/domain/a.ts", `import { readFile } from "node:fs/promises";`],
  ["a hidden clock in domain", "src/domain/a.ts", "const now = Date.now();"],
  ["the environment in render", "src/render/a.ts", "const x = process.env.X;"],
  ["a handle of its own", "src/adapters/sqlite/a.ts", "const handle = new Database(path);"],
  ["the network in domain", "src/domain/a.ts", "await fetch(url);"],
])("finds %s", (_, path, text) => {
  expect(layerFaults({ path, text })).toHaveLength(1);
});

test.each([
  ["its own folder", "src/adapters/sqlite/a.ts", `import { x } from "./schema/x.ts";`],
  ["a noun below it", "src/domain/social/a.ts", `import { x } from "../accounts/x.ts";`],
  ["a lower layer", "src/http/api/a.ts", `import type { X } from "../../domain/x.ts";`],
  ["what surfaces share", "src/http/csl/a.ts", `import { x } from "../textures/x.ts";`],
  ["what engines share", "src/adapters/postgres/a.ts", `import { x } from "../sql/rows.ts";`],
  ["words that import types", "src/words/a.ts", `import type { X } from "../domain/x.ts";`],
  ["words of pages in browsers", "src/web/a.ts", `import { x } from "../words/de/pages.ts";`],
  ["a package at home", "src/adapters/sqlite/a.ts", `import { Database } from "bun:sqlite";`],
])("accepts %s", (_, path, text) => {
  expect(layerFaults({ path, text })).toEqual([]);
});
