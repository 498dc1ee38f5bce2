/** Skins that others may wear, too (docs/contract/home.md#shared-skins). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { wearShared } from "../../src/domain/players/wear-shared.ts";
import { parseTextureHash } from "../../src/kernel/ids.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addPlayer, addSkin, allowPlayers, edit, type Member } from "../support/members.ts";
import { bitmapHash, skinBitmap, skinPng, slimSkinPng } from "../support/textures.ts";

let harness: Harness;
let serial = 0;
beforeAll(async () => {
  harness = await openHarness({ settings: { WARDROBE_MAX: "3" } });
});
afterAll(() => harness[Symbol.asyncDispose]());

const someone = () => addMember(harness, `Member${++serial}`);

type Home = {
  readonly Selected_Skin: string;
  readonly Skin: readonly { readonly Uuid: string; readonly Name: string; readonly Slim: boolean }[];
};

async function homeOf({ authorization }: Member): Promise<Home> {
  const response = await harness.fetch("/api/home", { headers: { authorization } });
  return (await readJson<Envelope<Home>>(response)).data;
}

async function share(member: Member, shares_skin: boolean, uuid = member.uuid): Promise<void> {
  const response = await edit(harness, member, `PATCH /api/home/players/${uuid}`, { shares_skin });
  expect(response.status).toBe(200);
  const { data } = await readJson<Envelope<object>>(response);
  expect(data).toMatchObject({ uuid, shares_skin });
}

async function copy(member: Member, player: string, in_ = harness) {
  const response = await edit(in_, member, "POST /api/home/edit/skin/copy", { player });
  const { msg } = await readJson<{ readonly msg: string }>(response);
  return { status: response.status, msg, location: response.headers.get("location") };
}

const shownOf = async (uuid: string) => {
  const response = await harness.fetch(`/api/skin/launcher/envelope/${uuid}`);
  const { data } =
    await readJson<Envelope<{ readonly SKIN?: { readonly digest: string }; readonly shares_skin: boolean }>>(
      response,
    );
  return data;
};

describe("a shared skin", () => {
  test("is in the copier's wardrobe and worn, with its arms and the other player's name", async () => {
    const [owner, copier] = [await someone(), await someone()];
    await addSkin(harness, copier, {});
    await addSkin(harness, owner, { file: slimSkinPng(++serial), slim: "true" });
    expect((await shownOf(owner.uuid)).shares_skin).toBe(false);
    await share(owner, true);
    expect((await shownOf(owner.uuid)).shares_skin).toBe(true);

    const { status, msg, location } = await copy(copier, owner.uuid);
    expect([status, msg]).toEqual([200, "Skin copy successfully"]);
    const { Selected_Skin, Skin } = await homeOf(copier);
    expect(location).toBe(`/api/skin/public/${Selected_Skin}`);
    expect(Skin.find(({ Uuid }) => Uuid === Selected_Skin)).toMatchObject({ Name: owner.name, Slim: true });
    expect((await shownOf(copier.uuid)).SKIN).toEqual((await shownOf(owner.uuid)).SKIN);

    // The same again keeps one, and the copy stays with its owner.
    expect((await copy(copier, owner.uuid)).status).toBe(200);
    await share(owner, false);
    await edit(harness, owner, "DELETE /api/home/edit/skin", { skinid: (await homeOf(owner)).Selected_Skin });
    expect((await homeOf(copier)).Skin).toHaveLength(2);
    expect((await harness.fetch(location!)).status).toBe(200);
  });

  test("is that of the one player whose owner said so", async () => {
    const [owner, copier] = [await someone(), await someone()];
    await allowPlayers(harness, owner);
    const second = await addPlayer(harness, owner, `Member${++serial}`);
    await addSkin(harness, owner, { file: skinPng(++serial) });
    const { Selected_Skin: skinid } = await homeOf(owner);
    await edit(harness, owner, `PATCH /api/home/players/${second.uuid}`, { skinid });
    await share(owner, true, second.uuid);
    expect((await copy(copier, owner.uuid)).status).toBe(400);
    expect((await copy(copier, second.uuid)).status).toBe(200);
  });

  test.each<readonly [string, string, (owner: Member, copier: Member) => Promise<string | void>]>([
    [
      "that is not shared",
      "does not share this skin",
      async (owner) => void (await addSkin(harness, owner, { file: skinPng(++serial) })),
    ],
    ["of a player in a default skin", "default skin", async (owner) => share(owner, true)],
    ["of nobody", "No player has this uuid", async () => crypto.randomUUID()],
    [
      "of one's own",
      "your own",
      async (_, copier) => (await addSkin(harness, copier, {}), await share(copier, true), copier.uuid),
    ],
    [
      "for which there is no room",
      "the wardrobe holds 3 skins already",
      async (owner, copier) => {
        for (let left = 3; left > 0; left--) await addSkin(harness, copier, { file: skinPng(++serial) });
        await addSkin(harness, owner, { file: skinPng(++serial) });
        await share(owner, true);
      },
    ],
  ])("%s is not copied", async (_, reason, prepare) => {
    const [owner, copier] = [await someone(), await someone()];
    const player = (await prepare(owner, copier)) ?? owner.uuid;
    const before = await homeOf(copier);
    const { status, msg } = await copy(copier, player);
    expect(status).toBe(400);
    expect(msg).toStartWith("Skin copy failed: ");
    expect(msg).toContain(reason);
    expect(await homeOf(copier)).toEqual(before);
  });

  test("that is banned is not copied, also while the ban has not reached every wardrobe", async () => {
    const [owner, copier] = [await someone(), await someone()];
    const seed = ++serial;
    await addSkin(harness, owner, { file: skinPng(seed) });
    await share(owner, true);
    const hash = parseTextureHash(bitmapHash(skinBitmap(seed)))!;
    const ban = { hash, issuer: "cli", createdAt: 1, reason: "" };
    await harness.services.transact(commandLine, ({ textures }) => textures.insertBan(ban));
    expect(await copy(copier, owner.uuid)).toMatchObject({
      status: 400,
      msg: expect.stringContaining("banned"),
    });
  });

  test("that is wider than uploads may be by now is not copied", async () => {
    const [owner, copier] = [await someone(), await someone()];
    await addSkin(harness, owner, { file: skinPng(++serial, { width: 128 }) });
    await share(owner, true);
    const { player } = (await harness.services.reads.accounts.findMember({
      by: "id",
      value: copier.account.id,
    }))!;
    const key = { by: "uuid", value: owner.account.uuid } as const;
    const narrower = {
      ...harness.services,
      rules: {
        ...harness.services.rules,
        textures: { ...harness.services.rules.textures, wardrobeMax: 3, skinWidthMax: 64 },
      },
    };
    const copied = wearShared(narrower, commandLine, player!, key);
    expect(await copied.catch(({ message }: Error) => message)).toContain("128 pixels wide");
    expect((await copy(copier, owner.uuid)).status).toBe(200);
  });

  test("counts as an upload", async () => {
    await using other = await openHarness({ settings: { RATE_LIMIT_FACTOR: "1" } });
    const [owner, copier] = [await addMember(other, "Owner"), await addMember(other, "Copier")];
    await addSkin(other, owner, { file: skinPng(++serial) });
    await edit(other, owner, `PATCH /api/home/players/${owner.uuid}`, { shares_skin: true });
    const statuses = new Set<number>();
    for (let left = 40; left > 0 && !statuses.has(429); left--)
      statuses.add((await copy(copier, owner.uuid, other)).status);
    expect([...statuses]).toEqual([200, 429]);
  });
});
