/* Everything that writes, at once and without end: players, newcomers, an administrator and another service. */
import { skinPng, capePng } from "../support/textures.ts";
import type { Ledger } from "./ledger.ts";
import { formOf, type Person } from "./people.ts";
import type { Answer, Request, Service } from "./service.ts";

export const serviceToken = "the token of a service that is long enough";

export type Cast = {
  readonly service: Service;
  readonly ledger: Ledger;
  readonly random: () => number;
  /** No more is begun after this. */
  readonly over: AbortSignal;
  readonly players: readonly Person[];
  readonly administrator: Person;
};

/** So many pictures are in use: few enough for players to share files, and to delete what another uploads. */
const pictures = 6;
const wardrobe = 6;
const capesMax = 5;
/** Everybody gets each of these mails, and the service sends ten a second. */
const bulkMailShare = 0.004;

export async function liveTogether(cast: Cast): Promise<void> {
  const lives = [
    ...cast.players.map((player) => keepWardrobe(cast, player)),
    administer(cast),
    administer(cast),
    arrive(cast),
  ];
  await Promise.all(lives);
}

/** Uploads, selects and deletes skins. */
async function keepWardrobe(cast: Cast, player: Person): Promise<void> {
  for (let number = 1; !cast.over.aborted; number++) {
    const home = await insist(cast, { line: "GET /api/home", token: player.token });
    if (home === null) return;
    const skins = home.data["Skin"] as readonly { readonly Uuid: string; readonly Name: string }[];
    const selected = skins.find(({ Uuid }) => Uuid === home.data["Selected_Skin"])?.Name ?? null;
    const chosen = skins[Math.floor(cast.random() * skins.length)];
    const dice = cast.random();
    if (chosen === undefined || (skins.length < wardrobe && dice < 0.45)) {
      await upload(cast, player, { name: `Skin ${number}`, selects: chosen === undefined });
    } else if (dice < 0.7) {
      await select(cast, player, { chosen, selected });
    } else {
      await discard(cast, player, { chosen, selected });
    }
  }
}

type Skin = { readonly Uuid: string; readonly Name: string };
type Choice = { readonly chosen: Skin; readonly selected: string | null };

async function upload(
  { service, ledger, random }: Cast,
  { id, token }: Person,
  { name, selects }: { readonly name: string; readonly selects: boolean },
): Promise<void> {
  const file = skinPng(1 + Math.floor(random() * pictures));
  const form = () => formOf({ skin: file, slim: "false", name });
  const adds = [skinFact(id, name), ...(selects ? [selectedFact(id, name)] : [])];
  const request = { line: "POST /api/home/edit/upload", form, token };
  expectStatus(await ledger.change({ adds }, () => service.ask(request)), [200]);
}

async function select({ service, ledger }: Cast, { id, token }: Person, choice: Choice): Promise<void> {
  const { chosen, selected } = choice;
  const removes = selected === null || selected === chosen.Name ? [] : [selectedFact(id, selected)];
  const json = { skinid: chosen.Uuid };
  const request = { line: "POST /api/home/edit/skin/select", json, token };
  const facts = { adds: [selectedFact(id, chosen.Name)], removes };
  expectStatus(await ledger.change(facts, () => service.ask(request)), [200]);
}

async function discard({ service, ledger }: Cast, { id, token }: Person, choice: Choice): Promise<void> {
  const { chosen, selected } = choice;
  const removes = [
    skinFact(id, chosen.Name),
    ...(selected === chosen.Name ? [selectedFact(id, selected)] : []),
  ];
  const request = { line: "DELETE /api/home/edit/skin", json: { skinid: chosen.Uuid }, token };
  expectStatus(await ledger.change({ removes }, () => service.ask(request)), [204]);
}

/** Gives roles with and without an end, as staff and as a service; uploads, grants and deletes capes; writes to everybody. */
async function administer(cast: Cast): Promise<void> {
  // Two administrators at once share the players and the capes between them, so that each knows what becomes of its own.
  const half = halves.get(cast) ?? 0;
  halves.set(cast, half + 1);
  const own = cast.players.filter((_, number) => number % 2 === half % 2);
  const levels = new Map<number, number>();
  const capes = new Map<string, string>();
  for (let number = 1; !cast.over.aborted; number++) {
    const player = own[Math.floor(cast.random() * own.length)];
    if (player === undefined) return;
    const dice = cast.random();
    if (dice < bulkMailShare) await writeToAll(cast, `News ${half}-${number}`);
    else if (dice < 0.4) await promote(cast, player, levels);
    else if (capes.size < capesMax && dice < 0.75)
      await addCape(cast, player, { capes, name: `Cape ${half}-${number}` });
    else await dropCape(cast, capes);
  }
}
const halves = new WeakMap<Cast, number>();

async function promote(cast: Cast, player: Person, levels: Map<number, number>): Promise<void> {
  const { ledger, service, random, administrator } = cast;
  const before = levels.get(player.id) ?? 1;
  const level = 1 + Math.floor(random() * 3);
  const asService = random() < 0.5;
  const end = random() < 0.3 ? { expired_at: Math.floor(Date.now() / 1000) + 86_400 } : {};
  const request = asService
    ? {
        line: "POST /api/service/permission",
        json: { userid: player.id, permission: level, ...end },
        token: serviceToken,
      }
    : {
        line: `POST /api/admin/user/role/${player.id}`,
        json: { user: player.id, role_level: level, ...end },
        token: administrator.token,
      };
  const adds = [levelFact(player.id, level)];
  const removes = before === level ? [] : [levelFact(player.id, before)];
  const answer = await ledger.change({ adds, removes }, () => service.ask(request));
  expectStatus(answer, [200]);
  if (answer !== null) return void levels.set(player.id, level);
  const now = await insist(cast, { line: `GET /api/admin/user/${player.id}`, token: administrator.token });
  if (now !== null) levels.set(player.id, Number(now.data["PermLvl"]));
}

type Capes = Map<string, string>;

async function addCape(
  { ledger, service, random, administrator }: Cast,
  player: Person,
  { capes, name }: { readonly capes: Capes; readonly name: string },
): Promise<void> {
  const file = capePng(1 + Math.floor(random() * pictures));
  const form = () => formOf({ cape: file, name, owners: String(player.id) });
  const request = { line: "POST /api/admin/user/cape/upload", form, token: administrator.token };
  const adds = [capeFact(name), `cape of ${player.id}: ${name}`];
  const answer = await ledger.change({ adds }, () => service.ask(request));
  expectStatus(answer, [200]);
  if (answer !== null) capes.set(name, `${String(answer.data["capeid"])} ${player.id}`);
}

async function dropCape({ ledger, service, administrator }: Cast, capes: Capes): Promise<void> {
  const [oldest] = capes;
  if (oldest === undefined) return;
  const [name, known] = oldest;
  const [capeid, owner] = known.split(" ");
  capes.delete(name);
  const request = {
    line: "DELETE /api/admin/user/cape/upload",
    json: { capeid },
    token: administrator.token,
  };
  const removes = [capeFact(name), `cape of ${owner}: ${name}`];
  expectStatus(await ledger.change({ removes }, () => service.ask(request)), [200]);
}

async function writeToAll({ ledger, service, administrator }: Cast, subject: string): Promise<void> {
  const json = { subject, message: "There is something new." };
  const request = { line: "POST /api/admin/mail", json, token: administrator.token };
  expectStatus(await ledger.change({ adds: [`news: ${subject}`] }, () => service.ask(request)), [200]);
}

/** Newcomers register, and are not heard of again. */
async function arrive({ ledger, service, random, over }: Cast): Promise<void> {
  for (let number = 1; !over.aborted; number++) {
    const mail = `newcomer${number}@example.org`;
    const json = { mail, password: `the password of ${number}` };
    const request = { line: "POST /api/auth/register", json };
    expectStatus(await ledger.change({ adds: [`account: ${mail}`] }, () => service.ask(request)), [200]);
    await Bun.sleep(random() * 200);
  }
}

function skinFact(account: number, name: string): string {
  return `skin of ${account}: ${name}`;
}

function selectedFact(account: number, name: string): string {
  return `selected by ${account}: ${name}`;
}

function levelFact(account: number, level: number): string {
  return `level of ${account}: ${level}`;
}

function capeFact(name: string): string {
  return `cape: ${name}`;
}

/** Asks until there is an answer; null when it is over. */
async function insist({ service, over }: Cast, request: Request): Promise<Answer | null> {
  while (!over.aborted) {
    const answer = await service.ask(request);
    if (answer === null) continue;
    expectStatus(answer, [200]);
    return answer;
  }
  return null;
}

function expectStatus(answer: Answer | null, allowed: readonly number[]): void {
  if (answer === null || allowed.includes(answer.status)) return;
  throw new Error(`Answered with ${answer.status} (${answer.msg}), not ${allowed.join(" or ")}`);
}
