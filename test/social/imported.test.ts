/** People who came from another system with a social account, and without a password. */
import { afterAll, expect, test } from "bun:test";
import { applyImport } from "../../src/domain/import/apply.ts";
import { withImportRun } from "../../src/domain/import/run.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { newAccount, plannedAccount, plannedImport } from "../support/planned-import.ts";
import { send, signInStatus } from "../support/registration.ts";
import {
  createAccount,
  newPerson,
  openSocialWorld,
  signInSocially,
  type SignedIn,
} from "../support/social/social-world.ts";

// A name that is chosen gives another uuid here, which a name that stays must not.
const world = await openSocialWorld({ settings: { PLAYER_UUIDS: "offline" } });
afterAll(() => world[Symbol.asyncDispose]());
const { harness } = world;
newPerson(world);
await createAccount(world);
const issuer = String(harness.database.rows("SELECT issuer FROM identities").at(0)?.["issuer"]);

/** Brings an account over that the person at the provider has, and signs them in. */
async function come(name: string, passwordHash: string | null) {
  const { backgroundReads: reads, backgroundTransact: transact, blobs, clock, rules } = harness.services;
  const deps = { reads, transact, blobs, clock, rules };
  const identity = { provider: "discord", issuer, subject: newPerson(world), username: name };
  const planned = plannedAccount(name, { account: newAccount({ passwordHash }), identity });
  const { signal } = new AbortController();
  await withImportRun(deps, { source: name, system: "drasl", signal, onWaiting: () => undefined }, (run) =>
    applyImport(deps, run, plannedImport({ accounts: [planned] })),
  );
  const { data } = await readJson<Envelope<SignedIn>>(await signInSocially(world));
  return { uuid: planned.players[0]?.uuid ?? "", authorization: `Bearer ${data.jwt}` };
}

const finish = (username: string, authorization: string) =>
  send(
    harness,
    "POST /api/home/registerfinish",
    { username, password: "seven horses in rain" },
    { authorization },
  );

test("they choose a password, and their name and uuid stay", async () => {
  const { uuid, authorization } = await come("Olga", null);
  expect((await finish("Olga", authorization)).status).toBe(200);
  expect(await signInStatus(harness, "Olga", "seven horses in rain")).toBe(200);
  const look = await harness.services.reads.accounts.findMember({ by: "name", value: "olga" });
  expect(String(look?.player?.uuid)).toBe(uuid);
  expect((await finish("Olga", authorization)).status).toBe(409);
});

test("those who have a password do not", async () => {
  const { authorization } = await come("Petra", "$argon2id$v=19$m=8,t=1,p=1$AAAA$AAAA");
  expect((await finish("Petra", authorization)).status).toBe(409);
});
