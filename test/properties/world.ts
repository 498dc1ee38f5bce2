/* A service with somebody and something of everything, and what a request to it may rightly name. */
import { commandLine } from "../../src/domain/model/actor.ts";
import type { Level } from "../../src/domain/model/account.ts";
import { banTexture } from "../../src/domain/textures/ban-texture.ts";
import { parseTextureHash } from "../../src/kernel/ids.ts";
import { checkAnswers, type CheckedHarness } from "../support/answer-check.ts";
import type { DatabaseReader } from "../support/database-reader.ts";
import { openHarness, type HarnessOptions } from "../support/harness.ts";
import { addMember, addSkin, grantCape, type Member } from "../support/members.ts";
import { capePng, skinPng } from "../support/textures.ts";

export const actorKinds = [
  "stranger",
  "forger",
  "unfinished",
  "player",
  "moderator",
  "administrator",
  "service",
] as const;
export type ActorKind = (typeof actorKinds)[number];

/** What a request may rightly name, as it is at this moment; nothing for a field that takes anything. */
export type Known = (field: string, actor: ActorKind) => readonly unknown[];

export type World = AsyncDisposable & {
  readonly harness: CheckedHarness;
  readonly known: Known;
  readonly authorization: (actor: ActorKind) => string | null;
  /** Puts another in the place of somebody who was signed out, demoted or deleted. */
  readonly replace: (actor: ActorKind) => Promise<void>;
};

const serviceToken = "the token of a service that is long enough";
const levels: Partial<Record<ActorKind, Level>> = {
  unfinished: 1,
  player: 1,
  moderator: 2,
  administrator: 3,
};

/** `options`: what the harness gets beside the settings of a world. */
export async function openWorld(limitFactor: number, options: HarnessOptions = {}): Promise<World> {
  await using opened = new AsyncDisposableStack();
  const settings = {
    PLAYERS_MAX: "4",
    RATE_LIMIT_FACTOR: String(limitFactor),
    SERVICE_API_TOKEN: serviceToken,
  };
  const harness = await checkAnswers(
    opened.use(await openHarness({ ...options, settings: { ...settings, ...options.settings } })),
  );
  const members = new Map<ActorKind, Member>();
  let made = 0;
  const replace = async (actor: ActorKind): Promise<void> => {
    const level = levels[actor];
    if (level === undefined) return;
    made += 1;
    members.set(actor, await equip(harness, { number: made, level, actor }));
  };
  for (const actor of actorKinds) await replace(actor);
  for (const digit of ["a", "b", "c"]) await ban(harness, digit.repeat(64));
  const closing = opened.move();

  return {
    harness,
    known: (field, actor) => knownOf(harness.database, field, members.get(actor)),
    authorization: (actor) => {
      if (actor === "stranger") return null;
      if (actor === "service") return serviceToken;
      return members.get(actor)?.authorization ?? "Bearer e30.e30.e30";
    },
    // Where attempts are limited, a sign-in may be refused: there everybody stays who they are.
    replace: limitFactor === 0 ? replace : () => Promise.resolve(),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Makes an actor, with two skins and a cape of their own where the registration is finished. */
async function equip(
  harness: CheckedHarness,
  { number, level, actor }: { readonly number: number; readonly level: Level; readonly actor: ActorKind },
): Promise<Member> {
  const finished = actor !== "unfinished";
  const member = await addMember(harness, `Actor_${number}`, { level, finished });
  if (!finished) return member;
  // No one else has these bitmaps: others may have been banned by now.
  await grantCape(harness, [member], capePng(1000 + number));
  for (const seed of [1000, 2000]) await addSkin(harness, member, { file: skinPng(seed + number) });
  return member;
}

async function ban({ services }: CheckedHarness, hash: string): Promise<void> {
  const bitmap = parseTextureHash(hash);
  if (bitmap !== null) await banTexture(services, commandLine, { hash: bitmap, reason: "Rude" });
}

type Look = { readonly statements: readonly string[]; readonly most: number };
const look = (most: number, ...statements: readonly string[]): Look => ({ statements, most });

const ofAccounts = "SELECT id AS value FROM accounts ORDER BY id DESC LIMIT 9";
const ofCapes = "SELECT uuid AS value FROM capes ORDER BY id DESC LIMIT 9";
const ofSkins = "SELECT uuid AS value FROM skins ORDER BY id DESC LIMIT 9";
const ownSkins =
  "SELECT uuid AS value FROM skins ORDER BY CASE WHEN account_id = $account THEN 0 ELSE 1 END, id DESC LIMIT 4";

/**
 * Which rows a field may name: the newest first, the actor's own before others'. Every order is one of both
 * engines.
 */
const looks: Readonly<Record<string, Look>> = {
  skinid: look(4, ownSkins),
  selected_skin: look(4, ownSkins),
  cloakid: look(
    3,
    `SELECT uuid AS value FROM capes
     ORDER BY CASE WHEN id IN (SELECT cape_id FROM cape_grants WHERE account_id = $account) THEN 0 ELSE 1 END, id LIMIT 3`,
  ),
  capeid: look(9, ofCapes),
  hash: look(
    9,
    "SELECT hash AS value FROM texture_bans ORDER BY hash LIMIT 9",
    "SELECT hash AS value FROM textures ORDER BY hash LIMIT 9",
  ),
  user: look(9, ofAccounts),
  userid: look(9, ofAccounts),
  username: look(
    9,
    "SELECT name AS value FROM players ORDER BY id DESC LIMIT 5",
    "SELECT mail AS value FROM accounts WHERE mail IS NOT NULL ORDER BY id DESC LIMIT 5",
  ),
  Playername: look(9, "SELECT name AS value FROM players ORDER BY id LIMIT 9"),
  mail: look(9, "SELECT mail AS value FROM accounts WHERE mail IS NOT NULL ORDER BY id DESC LIMIT 9"),
  identifier: look(
    30,
    ofAccounts,
    "SELECT uuid AS value FROM accounts ORDER BY id LIMIT 9",
    "SELECT name AS value FROM players ORDER BY id LIMIT 9",
  ),
  uuid: look(30, "SELECT uuid AS value FROM players ORDER BY id LIMIT 9", ofSkins, ofCapes),
  id: look(
    40,
    "SELECT id AS value FROM sessions ORDER BY created_at DESC, account_id LIMIT 9",
    "SELECT id AS value FROM capes ORDER BY id DESC LIMIT 9",
    ofCapes,
    ofSkins,
  ),
  after: look(9, ofAccounts),
};

function knownOf(database: DatabaseReader, field: string, actor: Member | undefined): readonly unknown[] {
  const found = looks[field];
  if (found !== undefined) return valuesOf(database, found, actor);
  const some = valuesOf.bind(null, database);
  if (field === "cape")
    return [
      [],
      ...[ofCapes, idsOfCapes].flatMap((statement) => some(look(4, statement), actor)).map((one) => [one]),
    ];
  if (field === "owners") return [...some(look(9, ofAccounts), actor).map((id) => JSON.stringify([id])), ""];
  if (field === "code") return newestCodes(database);
  if (field === "password") return [actor?.password ?? "an unknown password", "another password of mine"];
  if (field === "newpassword") return ["another password of mine"];
  if (field === "expired_at") return [4_200_000_000, "2110-01-01T00:00:00Z", null];
  if (field === "size") return [8, 16, 64];
  return [];
}

const idsOfCapes = "SELECT id AS value FROM capes ORDER BY id DESC LIMIT 4";

function valuesOf(
  { rows }: DatabaseReader,
  { statements, most }: Look,
  actor: Member | undefined,
): readonly unknown[] {
  const account = String(actor?.account.id ?? 0);
  return statements
    .flatMap((statement) => rows(statement.replaceAll("$account", account)))
    .map(({ value }) => value)
    .slice(0, most);
}

function newestCodes(database: DatabaseReader): readonly string[] {
  return database
    .mails()
    .flatMap(({ mail }) => ("code" in mail ? [mail.code] : []))
    .toReversed()
    .slice(0, 5);
}
