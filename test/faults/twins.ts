/* A member's second player: made, renamed, dressed and deleted, without end. */
import { bareFact, heldNameFact, nameFact } from "./facts.ts";
import type { Ledger } from "./ledger.ts";
import { password, type Person } from "./people.ts";
import { expectStatus, insist, type Served } from "./service.ts";

type World = {
  readonly service: Served;
  readonly ledger: Ledger;
  readonly random: () => number;
  readonly over: AbortSignal;
};
type Twin = { readonly uuid: string; readonly name: string; readonly own_cape: string };

/**
 * One change after the other, so that it knows what becomes of the player. Of the two names one is held at
 * most.
 */
export async function keepTwin(world: World, person: Person): Promise<void> {
  const { service, random, over } = world;
  const names = ["a", "b"].map((end) => `${person.name}_${end}`);
  while (!over.aborted) {
    const list = await insist(() => service.ask({ line: "GET /api/home/players", token: person.token }));
    expectStatus(list, [200]);
    const [, twin] = list.data["players"] as readonly Twin[];
    const dice = random();
    const other = names.find((name) => name !== twin?.name) ?? "";
    if (twin === undefined) await create(world, person, names[dice < 0.5 ? 0 : 1] ?? "");
    else if (dice < 0.5) await dress(world, person, twin);
    else if (dice < 0.75) await rename(world, person, { twin, name: other });
    else await remove(world, person, twin);
  }
}

async function create({ service, ledger }: World, { mail, token }: Person, name: string): Promise<void> {
  const facts = { adds: [nameFact(mail, name)], removes: [heldNameFact(mail, name)] };
  const request = { line: "POST /api/home/players", json: { name }, token };
  expectStatus(await ledger.change(facts, () => service.ask(request)), [200]);
}

async function dress({ service, ledger }: World, { token }: Person, twin: Twin): Promise<void> {
  const fact = [bareFact(twin.uuid)];
  const hides = twin.own_cape !== "none";
  const json = { cloakid: hides ? "none" : "" };
  const request = { line: `PATCH /api/home/players/${twin.uuid}`, json, token };
  const facts = hides ? { adds: fact } : { removes: fact };
  expectStatus(await ledger.change(facts, () => service.ask(request)), [200]);
}

async function rename(
  { service, ledger }: World,
  { mail, token }: Person,
  { twin, name }: { readonly twin: Twin; readonly name: string },
): Promise<void> {
  const facts = {
    adds: [nameFact(mail, name), heldNameFact(mail, twin.name)],
    removes: [nameFact(mail, twin.name), heldNameFact(mail, name)],
  };
  const request = { line: `PATCH /api/home/players/${twin.uuid}`, json: { name, password }, token };
  expectStatus(await ledger.change(facts, () => service.ask(request)), [200]);
}

async function remove({ service, ledger }: World, { mail, token }: Person, twin: Twin): Promise<void> {
  const facts = {
    adds: [heldNameFact(mail, twin.name)],
    removes: [nameFact(mail, twin.name), bareFact(twin.uuid)],
  };
  const request = { line: `DELETE /api/home/players/${twin.uuid}`, json: { password }, token };
  expectStatus(await ledger.change(facts, () => service.ask(request)), [204]);
}
