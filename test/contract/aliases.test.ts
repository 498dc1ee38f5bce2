/** Names of another system sign in, and name nothing else; no other account takes them. */
import { describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { createPlayer } from "../../src/domain/players/create-player.ts";
import { deleteAccount, updateUser } from "../../src/domain/members/administer.ts";
import { nameState } from "../../src/domain/players/name-state.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import {
  addAlias,
  addMember,
  addNameless,
  allowPlayers,
  edit,
  signIn,
  type Member,
} from "../support/members.ts";
import { profileOf, send, signInStatus } from "../support/registration.ts";
import { createAccount, newPerson, openSocialWorld } from "../support/social/social-world.ts";

const get = (harness: Harness, path: string, { authorization }: Member) =>
  harness.fetch(path, { headers: { authorization } });
const aliasesOf = async (harness: Harness, member: Member) =>
  (await readJson<Envelope<unknown>>(await get(harness, "/api/home/aliases", member))).data;
const remove = async (harness: Harness, { authorization }: Member, name: string) =>
  (await send(harness, `DELETE /api/home/aliases/${encodeURIComponent(name)}`, undefined, { authorization }))
    .status;

describe("an alias", () => {
  test.each([
    ["as it was", "Анна Старая"],
    ["in other letters", "АННА СТАРАЯ"],
    ["with a wide blank", "анна\u3000старая"],
  ])("signs in on the website %s", async (_, typed) => {
    await using harness = await openHarness();
    const anna = await addMember(harness, "Anna");
    addAlias(harness, anna.account, "Анна Старая");
    expect(await signInStatus(harness, typed, anna.password)).toBe(200);
    expect(await signInStatus(harness, typed, "a wrong password")).toBe(401);
    const jwt = await signIn(harness, typed, anna.password);
    expect((await profileOf(harness, { authorization: `Bearer ${jwt}` }))["Username"]).toBe("Anna");
  });

  test("signs in at a launcher, which gets the player's own name", async () => {
    await using harness = await openHarness();
    const anna = await addMember(harness, "Anna");
    addAlias(harness, anna.account, "anna_of_old");
    const body = { username: "Anna_of_old", password: anna.password };
    const answer = await send(harness, "POST /api/yggdrasil/authserver/authenticate", body);
    expect(answer.status).toBe(200);
    const { selectedProfile } = (await answer.json()) as { selectedProfile: { name: string } };
    expect(selectedProfile.name).toBe("Anna");
  });

  test("counts wrong passwords as the account's other names do", async () => {
    await using harness = await openHarness({ settings: { RATE_LIMIT_FACTOR: "1" } });
    const anna = await addMember(harness, "Anna");
    addAlias(harness, anna.account, "anna_of_old");
    for (let tries = 1; tries <= 5; tries++) await signInStatus(harness, "anna_of_old", "a wrong password");
    expect(await signInStatus(harness, "anna_of_old", anna.password)).toBe(429);
    expect(await signInStatus(harness, "Anna", anna.password)).toBe(401);
  });

  test.each([
    ["GET", "/api/skin/head/anna_of_old", 404],
    ["GET", "/api/yggdrasil/api/users/profiles/minecraft/anna_of_old", 404],
    ["GET", "/u/anna_of_old", 404],
  ])("names no player: %s %s is %d", async (method, path, status) => {
    await using harness = await openHarness();
    const anna = await addMember(harness, "Anna");
    addAlias(harness, anna.account, "anna_of_old");
    expect((await harness.fetch(path, { method })).status).toBe(status);
  });

  test("is no identifier, and no search finds it", async () => {
    await using harness = await openHarness();
    const chief = await addMember(harness, "Chief", { level: 3 });
    const anna = await addMember(harness, "Anna");
    addAlias(harness, anna.account, "anna_of_old");
    expect((await get(harness, "/api/admin/user/anna_of_old", chief)).status).toBe(404);
    const found = await get(harness, "/api/admin/users?q=anna_of_old", chief);
    expect((await readJson<Envelope<unknown>>(found)).data).toEqual([]);
    const shown = await readJson<Envelope<{ aliases: unknown }>>(
      await get(harness, "/api/admin/user/Anna", chief),
    );
    expect(shown.data.aliases).toEqual(["anna_of_old"]);
  });
});

describe("the name of an alias", () => {
  const taken = "Anna_of_old";

  test.each<[string, (harness: Harness, other: Member) => Promise<number>]>([
    [
      "a renaming",
      async (harness, other) =>
        (
          await edit(harness, other, "PATCH /api/home/edit/username", {
            username: taken,
            password: other.password,
          })
        ).status,
    ],
    [
      "a further player",
      async (harness, other) => {
        await allowPlayers(harness, other);
        return (await edit(harness, other, "POST /api/home/players", { name: taken })).status;
      },
    ],
    [
      "the end of a registration",
      async (harness) => {
        const newcomer = await addMember(harness, "Newcomer", { finished: false });
        const body = { username: taken, password: "a new password of hers" };
        return (await edit(harness, newcomer, "POST /api/home/registerfinish", body)).status;
      },
    ],
    ["an operator's account", async (harness) => outcome(addMember(harness, taken))],
    [
      "an operator's player",
      async ({ services }, { account }) =>
        outcome(
          createPlayer(services, commandLine, { identifier: String(account.id), name: taken, uuid: null }),
        ),
    ],
    [
      "a change by staff",
      async ({ services }, { account }) =>
        outcome(
          updateUser(services, commandLine, { identifier: String(account.id), change: { username: taken } }),
        ),
    ],
  ])("is not taken by %s of another account", async (_, take) => {
    await using harness = await openHarness();
    const anna = await addMember(harness, "Anna");
    const other = await addMember(harness, "Other");
    addAlias(harness, anna.account, "anna_of_old");
    // Edits of the home area answer 400 for a conflict (docs/contract/home.md#edits).
    expect([400, 409]).toContain(await take(harness, other));
    const { services } = harness;
    expect(await services.reads.accounts.findMember({ by: "name", value: "anna_of_old" })).toBeNull();
    expect(await nameState(services, other.account.id, taken)).toBe("taken");
    expect(await nameState(services, anna.account.id, taken)).toBe("free");
  });

  test("is not made from a social provider's name", async () => {
    await using world = await openSocialWorld();
    const anna = await addMember(world.harness, "Anna");
    addAlias(world.harness, anna.account, "berta");
    newPerson(world, { username: "berta", global_name: "Berta" });
    const authorization = `Bearer ${await createAccount(world)}`;
    expect(String((await profileOf(world.harness, { authorization }))["Username"])).toMatch(/^berta.+/i);
  });

  test("is taken by a player of its own account, and still signs in after a further renaming", async () => {
    await using harness = await openHarness({ settings: { RENAME_HOURS: "0" } });
    const anna = await addMember(harness, "Anna");
    addAlias(harness, anna.account, "anna_of_old");
    for (const username of ["anna_of_old", "Berta"]) {
      const body = { username, password: anna.password };
      expect((await edit(harness, anna, "PATCH /api/home/edit/username", body)).status).toBe(200);
      expect(await signInStatus(harness, "anna_of_old", anna.password)).toBe(200);
    }
  });
});

describe("one's aliases", () => {
  test("are listed, the oldest first, and belong to no other account", async () => {
    await using harness = await openHarness();
    const anna = await addMember(harness, "Anna");
    const other = await addMember(harness, "Other");
    addAlias(harness, anna.account, "B_later", 7);
    addAlias(harness, anna.account, "A_later", 7);
    addAlias(harness, anna.account, "Earlier", 5);
    expect(await aliasesOf(harness, anna)).toEqual([
      { name: "Earlier", created: 5 },
      { name: "A_later", created: 7 },
      { name: "B_later", created: 7 },
    ]);
    expect(await aliasesOf(harness, other)).toEqual([]);
    expect(await remove(harness, other, "Earlier")).toBe(404);
    expect(await remove(harness, anna, "nobody")).toBe(404);
    expect(await remove(harness, anna, "EARLIER")).toBe(204);
    expect(await remove(harness, anna, "Earlier")).toBe(404);
    expect(await signInStatus(harness, "Earlier", anna.password)).toBe(401);
    expect(
      (
        await edit(harness, other, "PATCH /api/home/edit/username", {
          username: "Earlier",
          password: other.password,
        })
      ).status,
    ).toBe(200);
  });

  test("stay while nothing else signs in", async () => {
    await using harness = await openHarness();
    const nameless = await addNameless(harness, "前の名前");
    addAlias(harness, nameless.account, "second", 2);
    expect(await signInStatus(harness, "前の名前", nameless.password)).toBe(200);
    expect(await remove(harness, nameless, "second")).toBe(204);
    expect(await remove(harness, nameless, "前の名前")).toBe(409);
    expect(await aliasesOf(harness, nameless)).toEqual([{ name: "前の名前", created: 1 }]);
  });

  test("go with their account", async () => {
    await using harness = await openHarness();
    const anna = await addMember(harness, "Anna");
    addAlias(harness, anna.account, "anna_of_old");
    await deleteAccount(harness.services, commandLine, "Anna");
    expect(harness.countRows("aliases")).toBe(0);
  });
});

async function outcome(work: Promise<unknown>): Promise<number> {
  return work.then(
    () => 200,
    (error: unknown) => ((error as { kind?: string }).kind === "conflict" ? 409 : 500),
  );
}
