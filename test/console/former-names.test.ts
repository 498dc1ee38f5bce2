/** Names that players gave up, as addresses of their pages. */
import { expect, test } from "bun:test";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addPlayer, edit, signIn, type Member } from "../support/members.ts";

const nameHoldDays = 30;
const settings = {
  USERNAME_PATTERN: "^[^/?#]{2,64}$",
  PLAYERS_MAX: "20",
  RENAME_HOURS: "0",
  NAME_HOLD_DAYS: String(nameHoldDays),
};

/** The status of an address of a player, and where it leads. */
async function whereFrom(harness: Harness, name: string): Promise<string> {
  const { status, headers } = await harness.fetch(`/u/${encodeURIComponent(name)}`);
  if (status === 302) expect(headers.get("cache-control")).toBe("no-store");
  return `${status} ${headers.get("location")}`;
}

async function rename(harness: Harness, member: Member, uuid: string, name: string): Promise<void> {
  const { password } = member;
  const response = await edit(harness, member, `PATCH /api/home/players/${uuid}`, { name, password });
  expect(response.status).toBe(200);
}

test("a name that a player gave up leads to the one it has now, until it is another's or free", async () => {
  await using harness = await openHarness({ settings });
  const [owner, other] = [await addMember(harness, "Walker"), await addMember(harness, "Runner")];
  expect((await harness.fetch("/u/Walker")).status).toBe(200);
  await rename(harness, owner, owner.uuid, "Strider");
  await rename(harness, owner, owner.uuid, "Пешеход");
  for (const name of ["Walker", "WALKER", "strider"])
    expect(await whereFrom(harness, name)).toBe(`302 /u/${encodeURIComponent("Пешеход")}`);
  // Its own way back is a page again, and what was remembered of it is dropped.
  await rename(harness, owner, owner.uuid, "Walker");
  expect(await (await harness.fetch("/u/Walker")).text()).toContain('<h1 dir="auto">Walker</h1>');
  expect(await whereFrom(harness, "strider")).toBe("302 /u/Walker");
  harness.clock.advance(nameHoldDays * 24 * 60 * 60);
  expect(await whereFrom(harness, "strider")).toBe("404 null");
  const again = { ...other, authorization: `Bearer ${await signIn(harness, "Runner", other.password)}` };
  await rename(harness, again, other.uuid, "Strider");
  expect(await (await harness.fetch("/u/Strider")).text()).toContain('<h1 dir="auto">Strider</h1>');
  expect(await whereFrom(harness, "Runner")).toBe("302 /u/Strider");
});

test("the name of a deleted player leads nowhere: not to another player of the account, nor after it", async () => {
  await using harness = await openHarness({ settings });
  const chief = await addMember(harness, "Chief", { level: 3 });
  const alice = await addMember(harness, "Alice");
  const { uuid } = await addPlayer(harness, alice, "Ghost");
  await rename(harness, alice, uuid, "Spectre");
  expect(await whereFrom(harness, "Ghost")).toBe("302 /u/Spectre");
  const { password } = alice;
  const removed = await edit(harness, alice, `DELETE /api/home/players/${uuid}`, { password });
  expect(removed.status).toBe(204);
  for (const name of ["Ghost", "Spectre"]) expect(await whereFrom(harness, name)).toBe("404 null");

  const gone = await addMember(harness, "Gone");
  await rename(harness, gone, gone.uuid, "Leaver");
  const { authorization } = chief;
  const deleted = await harness.fetch(`/api/admin/user/${gone.account.id}`, {
    method: "DELETE",
    headers: { authorization },
  });
  expect(deleted.status).toBe(200);
  for (const name of ["Gone", "Leaver"]) expect(await whereFrom(harness, name)).toBe("404 null");
});
