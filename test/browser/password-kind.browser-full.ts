/** How a person's password is hashed, on their page for staff: `bun run test:browser`. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { system } from "../../src/domain/model/actor.ts";
import { openConsole, type Console } from "../support/console-browser.ts";
import { faultsEverywhere } from "../support/everywhere.ts";
import { addMember, type Member } from "../support/members.ts";

let world: Console;
let chief: Member;
beforeAll(async () => {
  world = await openConsole();
  chief = await addMember(world.harness, "Chief", { level: 3 });
});
afterAll(() => world[Symbol.asyncDispose]());

test.each([
  [
    "of another system",
    "Imported",
    "$wrapped$double-sha256-hex$$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc$MDEyMzQ1Njc4OWFiY2RlZg",
    /^Passwordwrapped-double-sha256-hexfrom another system, until the next sign-in$/,
  ],
  ["of none", "Mailed", null, /^Passwordnone$/],
])("a password %s is shown by its kind", async (_, name, passwordHash, shown) => {
  const { account } = await addMember(world.harness, name);
  await world.harness.services.transact(system, ({ accounts }) =>
    accounts.updateAccount(account.id, { passwordHash }),
  );
  await using visitor = await world.visit({ as: chief, bypassCSP: true });
  const { page, open } = visitor;
  await open(`/admin/users/${account.id}`);
  const label = page.locator("dt", { hasText: /^Password$/ });
  await label.waitFor();
  expect((await label.textContent()) + ((await label.locator("+ dd").textContent()) ?? "")).toMatch(shown);
  expect(await faultsEverywhere(visitor)).toEqual([]);
});
