/** A community for the launchers and games that the tests run: two people, one of whom has two players. */
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness, type Harness, type HarnessOptions } from "../support/harness.ts";
import { addMember, edit, type Member } from "../support/members.ts";

export type Person = {
  readonly member: Member;
  readonly mail: string;
  readonly password: string;
  readonly players: readonly Profile[];
};

/** As launchers see a player: its id has no dashes. */
export type Profile = { readonly id: string; readonly name: string };

export type GameWorld = AsyncDisposable & {
  readonly harness: Harness;
  /** The address of the server that listens. */
  readonly address: string;
  /** The address that launchers get. */
  readonly root: string;
  readonly anna: Person;
  /** Has the players Bert and Bert_2. */
  readonly bert: Person;
  /** What must not stand in the log from now on. */
  readonly hide: (...secrets: readonly string[]) => void;
};

/** The service listens on the loopback address, which its answers name too. */
export async function openGameWorld({ settings, ...options }: HarnessOptions = {}): Promise<GameWorld> {
  const hidden: string[] = [];
  const harness = await openHarness({
    ...options,
    settings: { PUBLIC_URL: undefined, PLAYERS_MAX: "5", ...settings },
    secrets: () => hidden,
  });
  const address = harness.listen().address;
  const anna = await personOf(await addMember(harness, "Anna"), []);
  const second = await addMember(harness, "Bert");
  const bert = await personOf(second, [await addPlayer(harness, second, "Bert_2")]);
  return {
    harness,
    address,
    root: `${address}/api/yggdrasil`,
    anna,
    bert,
    hide: (...secrets) => void hidden.push(...secrets),
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  };
}

async function personOf(member: Member, further: readonly Profile[]): Promise<Person> {
  const main = { id: bare(member.uuid), name: member.name };
  return { member, mail: member.mail, password: member.password, players: [main, ...further] };
}

/** A further player of a member. */
export async function addPlayer(harness: Harness, member: Member, name: string): Promise<Profile> {
  const made = await edit(harness, member, "POST /api/home/players", { name });
  if (made.status !== 200) throw new Error(`player: ${await made.text()}`);
  const { data } = await readJson<Envelope<{ uuid: string }>>(made);
  return { id: bare(data.uuid), name };
}

/** Gives a player of the member another name. */
export async function renamePlayer(
  harness: Harness,
  { member, password }: Person,
  { id }: Profile,
  name: string,
): Promise<void> {
  const request = `PATCH /api/home/players/${dashed(id)}`;
  const changed = await edit(harness, member, request, { name, password });
  if (changed.status !== 200) throw new Error(`rename: ${await changed.text()}`);
}

export const bare = (uuid: string): string => uuid.replaceAll("-", "");

export const dashed = (id: string): string =>
  id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** The first player of a person. */
export function mainOf({ players: [main] }: Person): Profile {
  if (main === undefined) throw new Error("This person has no player");
  return main;
}
