/** A changed skin, model or cape shows at once (docs/contract/delivery.md#caching). */
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { compose } from "../../src/boot/compose.ts";
import { uploadSkin } from "../../src/domain/textures/wardrobe.ts";
import { runProcess } from "../cli/run-program.ts";
import { openDeliveryWorld } from "../support/delivery-world.ts";
import { addMember, addSkin, edit, grantCape, playerOf, wearCape, type Member } from "../support/members.ts";
import { checkHeaders, expectError } from "../support/scenario.ts";
import { capePng, skinPng } from "../support/textures.ts";
import { shownWithinMs } from "../support/storages.ts";

const { harness, get, skin } = await openDeliveryWorld();
afterAll(() => harness[Symbol.asyncDispose]());
afterEach(() => expect(harness.takeComplaints()).toEqual([]));

let count = 0;
const someone = () => addMember(harness, `member${(count += 1)}`);

describe("a change shows at once", () => {
  const skinAddresses = [
    "/api/skin/head/*",
    "/api/skin/head/*?type=player&size=30",
    "/api/skin/body/*",
    "/api/skin/body/*?type=player&size=30",
    "/api/skin/standart/*",
    "/api/skin/launcher/*",
    "/api/skin/launcher/envelope/*",
  ];
  const modelAddresses = skinAddresses.filter((address) => /body|launcher/.test(address));
  const capeAddresses = [
    "/api/skin/standart/cape/*",
    "/api/skin/standart/cape/*?type=player&size=30",
    "/api/skin/launcher/*",
    "/api/skin/launcher/envelope/*",
  ];
  type Change = (member: Member, skins: readonly string[]) => Promise<unknown>;
  const changes: readonly (readonly [string, readonly string[], Change])[] = [
    [
      "another skin",
      skinAddresses,
      (member, [, skinid]) => edit(harness, member, "POST /api/home/edit/skin/select", { skinid }),
    ],
    [
      "other arms",
      modelAddresses,
      (member, [skinid]) => edit(harness, member, "PUT /api/home/edit/skin", { skinid, slim: true }),
    ],
    [
      "a cape taken off",
      capeAddresses,
      (member, [skinid]) => edit(harness, member, "PUT /api/home/edit/skin", { skinid, cloakid: null }),
    ],
    [
      "a deleted skin",
      [...skinAddresses, ...capeAddresses],
      (member, [skinid]) => edit(harness, member, "DELETE /api/home/edit/skin", { skinid }),
    ],
  ];
  test.each(changes)("%s", async (_, addresses, change) => {
    const member = await someone();
    const skins = [
      await addSkin(harness, member, { file: skinPng(90 + count), slim: "false" }),
      await addSkin(harness, member, { file: skinPng(190 + count), slim: "false" }),
    ];
    await wearCape(harness, member, skins[0]!, await grantCape(harness, [member], capePng(90)));
    const before = await tagsOf(member, addresses);
    expect(await tagsOf(member, addresses)).toEqual(before);
    await change(member, skins);
    const after = await tagsOf(member, addresses);
    expect(after.filter((tag, i) => tag === before[i])).toEqual([]);
  });

  test("another cape", async () => {
    const member = await someone();
    const own = await addSkin(harness, member, { file: skinPng(91) });
    await wearCape(harness, member, own, await grantCape(harness, [member], capePng(91)));
    const before = await tagsOf(member, capeAddresses);
    await wearCape(harness, member, own, await grantCape(harness, [member], capePng(92)));
    const after = await tagsOf(member, capeAddresses);
    expect(after.filter((tag, i) => tag === before[i])).toEqual([]);
  });

  test("to a first skin, whose member was asked for before", async () => {
    const member = await someone();
    const before = await tagsOf(member, skinAddresses);
    await addSkin(harness, member, { file: skinPng(93) });
    const after = await tagsOf(member, skinAddresses);
    expect(after.filter((tag, i) => tag === before[i])).toEqual([]);
    checkHeaders(await get(`/api/skin/head/${member.uuid}`), { "x-texture-default": null });
  });

  test("and a page that had the old picture gets the new one", async () => {
    const member = await someone();
    await addSkin(harness, member, { file: skinPng(94) });
    const path = `/api/skin/head/${member.uuid}`;
    const tag = (await get(path)).headers.get("etag") ?? "";
    expect((await get(path, { "if-none-match": tag })).status).toBe(304);
    const second = await addSkin(harness, member, { file: skinPng(95) });
    await edit(harness, member, "POST /api/home/edit/skin/select", { skinid: second });
    expect((await get(path, { "if-none-match": tag })).status).toBe(200);
  });

  test("sizes and types have tags of their own", async () => {
    const paths = ["", "?size=50", "?type=player", "?type=player&size=50"].map(
      (query) => `/api/skin/head/${skin}${query}`,
    );
    const others = [
      `/api/skin/body/${skin}`,
      `/api/skin/body/${skin}?type=player`,
      `/api/skin/cloak/${skin}`,
    ];
    const tags = await Promise.all(
      [...paths, ...others].map(async (path) => (await get(path)).headers.get("etag")),
    );
    expect(new Set(tags).size).toBe(tags.length);
  });

  test("members who wear the same skin share a tag", async () => {
    const [one, two] = [await someone(), await someone()];
    for (const member of [one, two]) await addSkin(harness, member, { file: skinPng(96) });
    expect(await tagsOf(one, ["/api/skin/head/*"])).toEqual(await tagsOf(two, ["/api/skin/head/*"]));
  });

  test("when a new user takes a name that was unknown", async () => {
    await expectError(await get("/api/skin/head/Latecomer"), 404);
    await addMember(harness, "Latecomer");
    expect((await get("/api/skin/head/Latecomer")).status).toBe(200);
  });
});

describe("a change by another process shows in time", () => {
  test("a second handle on the database", async () => {
    const member = await someone();
    await addSkin(harness, member, { file: skinPng(101) });
    const paths = [`/api/skin/head/${member.uuid}`, `/api/skin/launcher/${member.uuid}`];
    const tags = await Promise.all(paths.map(async (path) => (await get(path)).headers.get("etag")));
    await using services = await compose(harness.config, { clock: harness.clock });
    const input = { file: skinPng(102), model: null, name: null, select: true } as const;
    await uploadSkin(services, commandLine, await playerOf(harness, member), input);
    for (const [i, path] of paths.entries()) expect(await changed(path, tags[i] ?? null)).toBe(true);
  });

  test("the command line", async () => {
    const member = await someone();
    await addSkin(harness, member, { file: skinPng(103) });
    const path = `/api/skin/head/${member.uuid}`;
    const tag = (await get(path)).headers.get("etag");
    await Bun.write(`${harness.folder}/new.png`, skinPng(104));
    const add = ["skin", "add", "--user", member.name, "--file", "new.png", "--select"];
    expect(
      await runProcess(add, { folder: harness.folder, environment: harness.storageSettings }),
    ).toMatchObject({ code: 0 });
    expect(await changed(path, tag)).toBe(true);
  });
});

/** What every address that follows a member answers now. */
async function tagsOf(member: Member, addresses: readonly string[]): Promise<(string | null)[]> {
  const answers = await Promise.all(addresses.map((address) => get(address.replace("*", member.uuid))));
  return answers.map(({ status, headers }) => (status === 200 ? headers.get("etag") : String(status)));
}

/**
 * Asks until the answer has changed, and once more when the time is up, so a slow machine does not fail the
 * test.
 */
async function changed(path: string, tag: string | null): Promise<boolean> {
  const deadline = performance.now() + shownWithinMs(100);
  for (;;) {
    const last = performance.now() >= deadline;
    if ((await get(path)).headers.get("etag") !== tag) return true;
    if (last) return false;
    await Bun.sleep(5);
  }
}
