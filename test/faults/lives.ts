/*
 * Everything that writes, at once and without end: newcomers, players, an administrator and another service.
 */
import { skinPng, capePng } from "../support/textures.ts";
import { accountFact, capeFact, grantFact, newsFact, selectedFact, skinFact } from "./facts.ts";
import { keepTwin } from "./twins.ts";
import { newcomer, settleIn, type Newcomer, type World } from "./newcomer.ts";
import { formOf, type Person } from "./people.ts";
import { expectStatus, insist } from "./service.ts";

export const serviceToken = "the token of a service that is long enough";

export type Cast = World & {
  readonly random: () => number;
  /** No more is begun after this, but newcomers settle in. */
  readonly over: AbortSignal;
  readonly players: readonly Person[];
  readonly administrator: Person;
  /** The people who have come by now. */
  readonly newcomers: Newcomer[];
  readonly newcomersAtOnce: number;
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
    ...cast.players.map((player) => keepTwin(cast, player)),
    ...Array.from({ length: cast.newcomersAtOnce }, () => welcome(cast)),
    // Two at once share the players and the capes between them, so that each knows what becomes of its own.
    administer(cast, 0),
    administer(cast, 1),
  ];
  await Promise.all(lives);
}

/** Uploads, selects and deletes skins. */
async function keepWardrobe(cast: Cast, player: Person): Promise<void> {
  for (let number = 1; !cast.over.aborted; number++) {
    const home = await insist(() => cast.service.ask({ line: "GET /api/home", token: player.token }));
    expectStatus(home, [200]);
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
  { mail, token }: Person,
  { name, selects }: { readonly name: string; readonly selects: boolean },
): Promise<void> {
  const file = skinPng(1 + Math.floor(random() * pictures));
  const form = () => formOf({ skin: file, slim: "false", name });
  const adds = [skinFact(mail, name), ...(selects ? [selectedFact(mail, name)] : [])];
  const request = { line: "POST /api/home/edit/upload", form, token };
  expectStatus(await ledger.change({ adds }, () => service.ask(request)), [200]);
}

async function select({ service, ledger }: Cast, { mail, token }: Person, choice: Choice): Promise<void> {
  const { chosen, selected } = choice;
  const removes = selected === null || selected === chosen.Name ? [] : [selectedFact(mail, selected)];
  const json = { skinid: chosen.Uuid };
  const request = { line: "POST /api/home/edit/skin/select", json, token };
  const facts = { adds: [selectedFact(mail, chosen.Name)], removes };
  expectStatus(await ledger.change(facts, () => service.ask(request)), [200]);
}

async function discard({ service, ledger }: Cast, { mail, token }: Person, choice: Choice): Promise<void> {
  const { chosen, selected } = choice;
  const removes = [
    skinFact(mail, chosen.Name),
    ...(selected === chosen.Name ? [selectedFact(mail, selected)] : []),
  ];
  const request = { line: "DELETE /api/home/edit/skin", json: { skinid: chosen.Uuid }, token };
  expectStatus(await ledger.change({ removes }, () => service.ask(request)), [204]);
}

/**
 * Gives roles with and without an end, as staff and as a service; uploads, grants and deletes capes; writes
 * to everybody.
 */
async function administer(cast: Cast, half: 0 | 1): Promise<void> {
  const own = cast.players.filter((_, number) => number % 2 === half);
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
  const adds = [accountFact(player.mail, level)];
  const removes = before === level ? [] : [accountFact(player.mail, before)];
  const answer = await ledger.change({ adds, removes }, () => service.ask(request));
  expectStatus(answer, [200]);
  if (answer !== null) return void levels.set(player.id, level);
  const line = `GET /api/admin/user/${player.id}`;
  const now = await insist(() => service.ask({ line, token: administrator.token }));
  expectStatus(now, [200]);
  levels.set(player.id, Number(now.data["PermLvl"]));
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
  const adds = [capeFact(name), grantFact(player.mail, name)];
  const answer = await ledger.change({ adds }, () => service.ask(request));
  expectStatus(answer, [200]);
  if (answer !== null) capes.set(name, `${String(answer.data["capeid"])} ${player.mail}`);
}

async function dropCape({ ledger, service, administrator }: Cast, capes: Capes): Promise<void> {
  const [oldest] = capes;
  if (oldest === undefined) return;
  const [name, known] = oldest;
  const [capeid, owner = ""] = known.split(" ");
  capes.delete(name);
  const request = {
    line: "DELETE /api/admin/user/cape/upload",
    json: { capeid },
    token: administrator.token,
  };
  const removes = [capeFact(name), grantFact(owner, name)];
  expectStatus(await ledger.change({ removes }, () => service.ask(request)), [200]);
}

async function writeToAll({ ledger, service, administrator }: Cast, subject: string): Promise<void> {
  const json = { subject, message: "There is something new." };
  const request = { line: "POST /api/admin/mail", json, token: administrator.token };
  expectStatus(await ledger.change({ adds: [newsFact(subject)] }, () => service.ask(request)), [200]);
}

/** One newcomer after the other. */
async function welcome(cast: Cast): Promise<void> {
  while (!cast.over.aborted) {
    const number = cast.newcomers.length;
    const self = newcomer(number);
    cast.newcomers.push(self);
    await settleIn(cast, self, number);
  }
}
