/* A service with somebody and something of everything, and what a request to it may rightly name. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { commandLine } from "../../src/domain/model/actor.ts";
import type { Level } from "../../src/domain/model/account.ts";
import { banTexture } from "../../src/domain/textures/ban-texture.ts";
import { newUuid, parseTextureHash } from "../../src/kernel/ids.ts";
import { checkAnswers, type CheckedHarness } from "../support/answer-check.ts";
import { openHarness } from "../support/harness.ts";
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

export async function openWorld(limitFactor: number): Promise<World> {
  await using opened = new AsyncDisposableStack();
  const settings = {
    PLAYERS_MAX: "4",
    RATE_LIMIT_FACTOR: String(limitFactor),
    SERVICE_API_TOKEN: serviceToken,
  };
  const harness = await checkAnswers(opened.use(await openHarness({ settings })));
  const database = opened.use(new Database(join(harness.folder, "cloakroom.db"), { readonly: true }));
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
    known: (field, actor) => knownOf(database, field, members.get(actor)),
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

/** Which rows a field may name: the newest first, the actor's own before others'. */
const queries: Readonly<Record<string, string>> = {
  skinid: "SELECT uuid FROM skins ORDER BY account_id = $account DESC, id DESC LIMIT 4",
  selected_skin: "SELECT uuid FROM skins ORDER BY account_id = $account DESC, id DESC LIMIT 4",
  cloakid:
    "SELECT uuid FROM capes ORDER BY id IN (SELECT cape_id FROM cape_grants WHERE account_id = $account) DESC LIMIT 3",
  capeid: "SELECT uuid FROM capes ORDER BY id DESC LIMIT 9",
  cape: "SELECT json_array(uuid) FROM capes UNION SELECT json_array(id) FROM capes UNION SELECT '[]' LIMIT 9",
  owners: "SELECT json_array(id) FROM accounts UNION ALL SELECT '' LIMIT 9",
  hash: "SELECT hash FROM texture_bans UNION ALL SELECT hash FROM textures LIMIT 9",
  user: "SELECT id FROM accounts ORDER BY id DESC LIMIT 9",
  userid: "SELECT id FROM accounts ORDER BY id DESC LIMIT 9",
  username: "SELECT name FROM players UNION ALL SELECT mail FROM accounts ORDER BY 1 DESC LIMIT 9",
  Playername: "SELECT name FROM players LIMIT 9",
  mail: "SELECT mail FROM accounts WHERE mail IS NOT NULL ORDER BY id DESC LIMIT 9",
  identifier:
    "SELECT id FROM accounts UNION ALL SELECT uuid FROM accounts UNION ALL SELECT name FROM players LIMIT 30",
  uuid: "SELECT uuid FROM players UNION ALL SELECT uuid FROM skins UNION ALL SELECT uuid FROM capes LIMIT 30",
  id: `SELECT id FROM sessions UNION ALL SELECT id FROM capes UNION ALL SELECT uuid FROM capes
       UNION ALL SELECT uuid FROM skins LIMIT 40`,
  code: `SELECT json_extract(content, '$.code') FROM outbox
         WHERE json_extract(content, '$.code') IS NOT NULL ORDER BY id DESC LIMIT 5`,
  after: "SELECT id FROM accounts ORDER BY id DESC LIMIT 9",
};

function knownOf(database: Database, field: string, actor: Member | undefined): readonly unknown[] {
  const query = queries[field];
  if (query !== undefined) {
    const parameters = query.includes("$account") ? [{ $account: actor?.account.id ?? 0 }] : [];
    const values = database
      .query(query)
      .values(...parameters)
      .flat();
    return field === "cape" ? values.map((list) => JSON.parse(String(list))) : values;
  }
  if (field === "password") return [actor?.password ?? "an unknown password", "another password of mine"];
  if (field === "newpassword") return ["another password of mine"];
  if (field === "expired_at") return [4_200_000_000, "2110-01-01T00:00:00Z", null];
  if (field === "size") return [8, 16, 64];
  if (field === "new mail") return [`${newUuid()}@example.org`];
  return [];
}
