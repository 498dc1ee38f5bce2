/** What staff see of one skin (docs/contract/admin.md#skins). */
import { afterAll, expect, test } from "bun:test";
import { openHarness } from "../support/harness.ts";
import { addMember, addSkin, type Member } from "../support/members.ts";
import { ask } from "../support/registration.ts";
import { play } from "../support/scenario.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { skinPng } from "../support/textures.ts";

const harness = await openHarness({ settings: { WARDROBE_MAX: "50" } });
afterAll(() => harness[Symbol.asyncDispose]());
const now = harness.clock.nowSeconds();
const warden = await addMember(harness, "Warden", { level: 2 });

type Look = {
  readonly others: readonly object[];
  readonly others_total: number;
  readonly removals: object[];
};
async function look(uuid: string): Promise<Look> {
  const { authorization } = warden;
  const response = await harness.fetch(`/api/admin/skin/${uuid}`, { headers: { authorization } });
  return (await readJson<Envelope<Look>>(response)).data;
}

const add = (member: Member, file: Uint8Array, name: string) =>
  addSkin(harness, member, { file, slim: "false", name });

test("a skin is shown with its owner, its measures and what it is", async () => {
  const alice = await addMember(harness, "Alice");
  const uuid = await add(alice, skinPng(1), "First");
  await play(harness, {
    name: "",
    request: `GET /api/admin/skin/${uuid.replaceAll("-", "").toUpperCase()}`,
    actor: warden,
    status: 200,
    data: {
      id: expect.any(Number),
      iss: "Alice",
      action: "skin",
      for: alice.account.id,
      time: now,
      uuid,
      name: "First",
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      width: 64,
      height: 64,
      slim: false,
      hd: false,
      cloak_id: "",
      selected: true,
      others: [],
      others_total: 0,
      removals: [],
    },
  });
});

test("others with the same picture are named, the newest first, twenty at most, and counted", async () => {
  const file = skinPng(7);
  const owner = await addMember(harness, "Owner");
  const uuid = await add(owner, file, "Shared");
  await add(owner, file, "Own copy");
  const others: Member[] = [];
  for (let at = 0; at < 21; at++) {
    const other = await addMember(harness, `Other_${at}`);
    if (at === 20) await add(other, skinPng(8), "Worn");
    await add(other, file, `Copy ${at}`);
    others.push(other);
  }
  const found = await look(uuid);
  expect(found.others_total).toBe(21);
  expect(found.others).toHaveLength(20);
  const entry = (at: number, selected: boolean) => ({
    user: others[at]?.account.id,
    username: `Other_${at}`,
    uuid: expect.any(String),
    name: `Copy ${at}`,
    selected,
  });
  expect(found.others.slice(0, 2)).toEqual([entry(20, false), entry(19, true)]);
});

test("the last five removals of the owner's skins are shown, with their reasons", async () => {
  const owner = await addMember(harness, "Removed");
  const other = await addMember(harness, "Bystander");
  const remove = async (member: Member, number: number, body?: object) => {
    const uuid = await add(member, skinPng(number), `Skin ${number}`);
    await ask(harness, `DELETE /api/admin/skin/${uuid}`, body ?? {}, warden);
  };
  for (let number = 20; number < 25; number++) await remove(owner, number);
  await remove(other, 30, { reason: "not theirs" });
  await remove(owner, 31, { reason: "Copied", ban: true });
  // The owner's own removals are no matter of staff.
  const own = await add(owner, skinPng(32), "Own");
  await ask(harness, "DELETE /api/home/edit/skin", { skinid: own }, owner);
  const { removals } = await look(await add(owner, skinPng(33), "Now"));
  const entry = { id: expect.any(Number), time: now, iss: "Warden" };
  expect(removals).toHaveLength(5);
  expect(removals.slice(0, 2)).toEqual([
    { ...entry, name: "Skin 31", reason: "Copied", ban: true },
    { ...entry, name: "Skin 24", reason: "", ban: false },
  ]);
});
