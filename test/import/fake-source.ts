/* Sources of a few records, and the plans that are made of them. */
import { createTextureImporter } from "../../src/adapters/texture-threads/texture-importer.ts";
import { openThreadPool } from "../../src/adapters/texture-threads/thread-pool.ts";
import { openPlanBook } from "../../src/adapters/sqlite/plan-book/plan-book.ts";
import { createPasswordForms } from "../../src/adapters/passwords/password-forms.ts";
import { listPages } from "../../src/adapters/sources/list-pages.ts";
import type { ImportRules } from "../../src/domain/import/import-rules.ts";
import { planImport } from "../../src/domain/import/plan.ts";
import type { Decided } from "../../src/domain/model/import-plan.ts";
import type {
  ImportSource,
  SourceAccount,
  SourceFactor,
  SourceFacts,
  SourceHolding,
  SourceIdentity,
  SourceInvite,
  SourcePlayer,
  SourceTexture,
} from "../../src/domain/ports/import-source.ts";
import type { ImportReads } from "../../src/domain/ports/import-store.ts";
import { nobodyHere } from "../../src/operate/import/dry-target.ts";
import { cheapHasher } from "../support/harness.ts";

export type Records = {
  readonly accounts?: readonly SourceAccount[];
  readonly players?: readonly SourcePlayer[];
  readonly textures?: readonly SourceTexture[];
  readonly holdings?: readonly SourceHolding[];
  readonly identities?: readonly SourceIdentity[];
  readonly factors?: readonly SourceFactor[];
  readonly invites?: readonly SourceInvite[];
  /** Files of textures by their keys; a text is why it cannot be read. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
  readonly facts?: Partial<SourceFacts>;
};

export const account = (key: string, more: Partial<SourceAccount> = {}): SourceAccount => ({
  key,
  login: null,
  mail: `${key}@example.org`,
  mailVerified: true,
  password: null,
  level: 1,
  suspended: null,
  language: null,
  createdAt: 1000,
  lastSeenAt: null,
  playersMax: null,
  uuid: null,
  ...more,
});

export const player = (
  key: string,
  owner: string | null,
  more: Partial<SourcePlayer> = {},
): SourcePlayer => ({
  key,
  account: owner,
  name: key,
  uuid: null,
  skin: null,
  skinModel: null,
  cape: null,
  createdAt: null,
  ...more,
});

export const texture = (
  key: string,
  kind: "skin" | "cape",
  more: Partial<SourceTexture> = {},
): SourceTexture => ({
  key,
  kind,
  name: key,
  model: null,
  file: key,
  createdAt: null,
  ...more,
});

export const holding = (owner: string, of: string, more: Partial<SourceHolding> = {}): SourceHolding => ({
  key: `${owner}+${of}`,
  account: owner,
  texture: of,
  name: null,
  addedAt: null,
  ...more,
});

function sourceOf(records: Records): ImportSource {
  const { files = {} } = records;
  return {
    system: "blessing",
    place: "0".repeat(64),
    facts: { accounts: null, uuidRule: null, isAboutOthers: false, notes: [], ...records.facts },
    accounts: () => listPages(records.accounts ?? []),
    players: () => listPages(records.players ?? []),
    textures: () => listPages(records.textures ?? []),
    holdings: () => listPages(records.holdings ?? []),
    identities: () => listPages(records.identities ?? []),
    factors: () => listPages(records.factors ?? []),
    invites: () => listPages(records.invites ?? []),
    readTexture: async ({ key }) => files[key] ?? null,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** What the settings of the community say. */
export const settings: ImportRules["settings"] = {
  namePattern: /^[A-Za-z0-9_]{2,16}$/,
  playerUuids: "random",
  skinWidthMax: 64,
  bytesMax: 1_000_000,
  wardrobeMax: 2,
  oidcIssuer: "https://id.example.org",
};

/** What an operator chooses who gives no flag. */
export const choices: Omit<ImportRules, "sourceName" | "settings"> = {
  limit: null,
  onNameClash: "rename",
  onBadName: "rename",
  onMailClash: "drop",
  onNoMail: "keep",
  trustsMail: false,
  uuid: "keep",
  uuids: new Map(),
  onUuidClash: "ask",
  onNoPlayer: "keep",
  staff: "drop",
  onSuspended: "keep",
  downscales: false,
  wardrobeNewest: false,
  capes: "keep",
  takesFactors: true,
  passwordKind: null,
  updates: false,
};
const rules: ImportRules = { ...choices, sourceName: "old", settings };

/** What a plan decides of these records, and what of it is applied. */
export async function planOf(
  records: Records,
  given: { readonly rules?: Partial<ImportRules>; readonly here?: Partial<ImportReads> } = {},
) {
  using book = openPlanBook();
  await using threads = openThreadPool("imports");
  const steps = new Set<string>();
  const { planned } = await planImport({
    book,
    source: sourceOf(records),
    rules: { ...rules, ...given.rules },
    reads: { ...nobodyHere, ...given.here },
    importer: createTextureImporter(threads, rules.settings),
    passwords: createPasswordForms(cheapHasher),
    now: 2_000_000_000,
    isDry: false,
    progress: async (step) => void steps.add(step),
  });
  return {
    steps: [...steps],
    decided: [...book.decided(100)].flat().map(shortly),
    accounts: [...planned.accounts(100)].flat(),
    capes: [...planned.capes(100)].flat(),
    textures: [...planned.textures(100)].flat().map((hash) => planned.texture(hash).texture),
  };
}

function shortly({ kind, decision, source, to, reason }: Decided): string {
  const became = to === null ? "" : ` -> ${to}`;
  return `${kind} ${decision} ${source}${became}${reason === "" ? "" : `: ${reason}`}`;
}
