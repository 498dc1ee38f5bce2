/*
 * Works that go on at once over one database: SERIALIZABLE against READ COMMITTED, under which the rules
 * would not hold. Within this process, so that the database and its client are measured, and not HTTP.
 */
import { SQL } from "bun";
import { searchesOf } from "../../src/adapters/postgres/search.ts";
import { readsOf } from "../../src/adapters/sql/stores.ts";
import { parseAddress } from "../../src/adapters/postgres/connections/address.ts";
import { makePlace } from "../../src/adapters/postgres/database.ts";
import { openPool } from "../../src/adapters/postgres/connections/pool.ts";
import { createTransactions, type Transactions } from "../../src/adapters/postgres/transact.ts";
import { pagesOf } from "../../src/domain/accounts/pages.ts";
import { renamePlayer } from "../../src/domain/accounts/player-name.ts";
import { register } from "../../src/domain/accounts/register.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { parseUsername } from "../../src/domain/model/username.ts";
import type { Reads } from "../../src/domain/ports/stores.ts";
import type { Transact } from "../../src/domain/ports/unit-of-work.ts";
import { createTransact } from "../../src/domain/sessions/transact.ts";
import { checkWardrobe, insertSkin, selectSkin } from "../../src/domain/textures/wardrobe.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { newTextureFile, newUuid, parseTextureHash, type AccountId } from "../../src/kernel/ids.ts";
import { onBehalfOf } from "../../src/kernel/on-behalf.ts";
import { cheapHasher } from "../support/harness.ts";
import { addAccounts, fillBoth, isPostgresMissing } from "./postgres-data.ts";
import { digits, type Line } from "./report.ts";
import { inTurn } from "./statistics.ts";
import type { Subject } from "./subject.ts";

const accounts = 100_000;
const works = 400;
const rounds = 5;

/** Nothing where there is no PostgreSQL. */
export async function benchContention(subject: Subject): Promise<readonly Line[]> {
  if (isPostgresMissing("transactions at once")) return [];
  await using both = await fillBoth(subject, { accounts: 1000, signedIn: 1 });
  await addAccounts(both.url, accounts);
  await using strict = await openSide(both.url, "SERIALIZABLE");
  await using loose = await openSide(both.url, "READ COMMITTED");
  const sides = [strict, loose] as const;
  const people = await peopleOf(both.url);
  return [
    await compareRates(sides, "selecting a skin", 0.8, (side) => select(side, people)),
    await compareRates(sides, "uploads", 0.35, (side) => upload(side, people)),
    await compareRates(sides, "registrations", 0.35, registerOne),
    await countRepeats(strict, "40 audited changes of one actor at once", 40, (side) =>
      changeAudited(side, people, null),
    ),
    await countRepeats(strict, "40 audited changes of 40 people at once", 40, (side) =>
      changeAudited(side, people, nextOf(people).player.accountId),
    ),
    await countRepeats(strict, "40 registrations of 40 clients at once", 40, registerOne),
    await countRepeats(strict, "50 people at once who want the same name", 50, (side) =>
      wantName(side, people),
    ),
  ];
}

type Side = AsyncDisposable & {
  readonly transact: Transact;
  readonly reads: Pick<Reads, "accounts">;
  readonly stats: Transactions["stats"];
};
/** A member, as far as works need one. */
type Person = { readonly player: Parameters<typeof selectSkin>[2]; readonly skins: readonly string[] };

async function openSide(url: string, isolation: string): Promise<Side> {
  const pool = openPool({
    address: parseAddress(url),
    requestSlots: 10,
    prepared: true,
    applicationName: "bench",
    log: { info: () => undefined, warn: () => undefined },
  });
  await pool.start();
  const transactions = createTransactions({
    pool: { transaction: pool.transaction, beginText: () => `BEGIN ISOLATION LEVEL ${isolation}` },
    makePlace: (sender) => makePlace(sender, systemClock, () => undefined),
  });
  return {
    transact: createTransact({ atomically: transactions.inLane("requests"), clock: systemClock }),
    reads: readsOf(pool.read, searchesOf(pool.read)),
    stats: transactions.stats,
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

async function peopleOf(url: string): Promise<readonly Person[]> {
  await using sql = new SQL({ url, max: 1 });
  const rows = await sql`
    SELECT players.id::int AS id, players.account_id::int AS "accountId", array_agg(skins.uuid) AS skins
    FROM players JOIN skins ON skins.account_id = players.account_id
    WHERE players.id % 97 = 0 GROUP BY 1, 2`;
  return rows.map(({ skins, ...player }: { readonly skins: readonly string[] }) => ({ player, skins }));
}

type Sides = readonly [strict: Side, loose: Side];
type Work = (side: Side) => Promise<unknown>;

/** Eight at once. */
async function compareRates([strict, loose]: Sides, what: string, goal: number, work: Work): Promise<Line> {
  const before = strict.stats();
  const { first, second, ratio } = await inTurn(
    rounds,
    () => rateOf(strict, 8, work),
    () => rateOf(loose, 8, work),
  );
  const after = strict.stats();
  const repeats = (repeatsOf(after) - repeatsOf(before)) / (after.commits - before.commits);
  return {
    measure: `${what}, 8 at once, SERIALIZABLE against READ COMMITTED`,
    goal: { atLeast: goal },
    measured: ratio,
    unit: "of calm",
    detail: `${digits(first)} against ${digits(second)} a second; ${digits(repeats)} repeats a commit, ${after.givenUp - before.givenUp} given up`,
  };
}

function repeatsOf({ repeats }: ReturnType<Side["stats"]>): number {
  return Object.values(repeats).reduce((sum, count) => sum + count, 0);
}

async function rateOf(side: Side, atOnce: number, work: Work): Promise<number> {
  const start = performance.now();
  let left = works;
  const workOn = async () => {
    // One that is given up is counted by the transactions.
    while (left-- > 0)
      await work(side).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.kind !== "unavailable") throw error;
      });
  };
  await Promise.all(Array.from({ length: atOnce }, workOn));
  return works / ((performance.now() - start) / 1000);
}

let turn = 0;

function nextOf(people: readonly Person[]): Person {
  turn += 1;
  const person = people[(turn * 389) % people.length];
  if (person === undefined) throw new Error("There are no members");
  return person;
}

async function select({ transact }: Side, people: readonly Person[]): Promise<void> {
  const { player, skins } = nextOf(people);
  const uuid = skins[Math.floor(turn / people.length) % 2] as Parameters<typeof selectSkin>[3];
  await selectSkin({ transact }, { ...commandLine, accountId: player.accountId }, player, uuid);
}

/** A new bitmap's rows. */
async function upload({ transact }: Side, people: readonly Person[]): Promise<void> {
  const { accountId } = nextOf(people).player;
  const digest = new Bun.CryptoHasher("sha256").update(newUuid()).digest("hex");
  const hash = parseTextureHash(digest);
  if (hash === null) throw new Error("A digest is no name of a texture");
  const texture = { hash, digest, width: 64, height: 64 };
  await transact({ ...commandLine, accountId }, async (tx) => {
    await checkWardrobe(tx.textures, accountId, 10_000);
    await tx.textures.insertTexture({ ...texture, file: newTextureFile(hash), createdAt: tx.now });
    await insertSkin(tx, accountId, { texture, model: "slim" });
  });
}

const registering = {
  hasher: {
    ...cheapHasher,
    hash: () => Promise.resolve("a hash"),
    verify: () => Promise.resolve(true),
  },
  codes: { hash: (code: string) => code, limitFactor: 1 },
  pages: () => pagesOf("https://www.example.org", "?"),
  uniformAnswers: false,
};

async function registerOne({ transact, reads }: Side): Promise<void> {
  const mail = `${newUuid()}@example.org`;
  const person = { mail, password: "x7-Kq!m2-racer", language: "en", address: "192.0.2.1" } as const;
  const given = { ...registering, transact, reads };
  await onBehalfOf({ client: mail, gone: null }, () => register(given, person));
}

/** A change that is in the audit. Null: of no account. */
async function changeAudited(
  { transact }: Side,
  people: readonly Person[],
  by: AccountId | null,
): Promise<void> {
  const { accountId } = nextOf(people).player;
  await transact({ ...commandLine, accountId: by }, async (tx) => {
    await tx.accounts.updateAccount(accountId, { language: turn % 2 ? "de" : "en" });
    tx.audit("user.update", accountId, { id: turn });
  });
}

const names = { pattern: /^\w{3,16}$/, holdSeconds: 3600 };

/** One of fifty gets it. */
async function wantName({ transact }: Side, people: readonly Person[]): Promise<void> {
  const { id, accountId } = nextOf(people).player;
  const name = parseUsername(`Name_${Math.floor(turn / 50)}`, names.pattern);
  await transact({ ...commandLine, accountId }, async (tx) => {
    const look = await tx.players.findLook({ by: "id", value: id });
    if (look !== null) await renamePlayer(tx, look.player, name, names);
  }).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.kind !== "conflict") throw error;
  });
}

async function countRepeats(side: Side, what: string, atOnce: number, work: Work): Promise<Line> {
  const before = side.stats();
  const rate = await rateOf(side, atOnce, work);
  const after = side.stats();
  const givenUp = after.givenUp - before.givenUp;
  return {
    measure: `repeats a work: ${what}`,
    goal: { atMost: 1.5 },
    measured: (repeatsOf(after) - repeatsOf(before)) / works,
    unit: "made",
    detail: `${digits(rate)} a second; ${givenUp} given up`,
  };
}
