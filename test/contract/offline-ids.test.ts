/**
 * A server without authentication makes a player's id of the name, and games ask for that
 * (docs/contract/yggdrasil.md#offline-ids).
 */
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { offlineUuid } from "../../src/domain/model/player-uuid.ts";
import { repairOfflineUuids } from "../../src/domain/players/repair-offline-uuids.ts";
import { defaultModel } from "../../src/domain/textures/delivery.ts";
import { parseUuid } from "../../src/kernel/ids.ts";
import { dashless } from "../support/delivery-world.ts";
import {
  addMember,
  addSkin,
  edit,
  grantCape,
  playerOf,
  upload,
  wearCape,
  type Member,
} from "../support/members.ts";
import { auroraSecret, openProtocols } from "../protocols/protocol-world.ts";
import { capePng, skinPng } from "../support/textures.ts";
import { badToken, enter, hasJoined, join, plain } from "../yggdrasil/game-world.ts";

const world = await openProtocols({ settings: { RENAME_HOURS: "0", NAME_HOLD_DAYS: "0" } });
const { harness } = world;
afterAll(() => world[Symbol.asyncDispose]());
afterEach(() => expect(harness.takeComplaints()).toEqual([]));

const chief = await addMember(harness, "Chief", { level: 3 });
let seed = 0;

/** A player with a skin and a cape with wings that no other has. */
async function addWearer(name = `Wearer${(seed += 1)}`): Promise<Member> {
  const member = await addMember(harness, name);
  seed += 1;
  const skin = await addSkin(harness, member, { file: skinPng(seed), slim: "true" });
  await wearCape(harness, member, skin, await grantCape(harness, [member], capePng(seed, { wings: true })));
  return member;
}

/**
 * Every open read that takes an id. `{id}` is one with dashes, `{hex}` one without, `{name}` the player's
 * name.
 */
const doors = [
  "/api/skin/head/{id}?size=16",
  "/api/skin/head/{hex}?size=16&default=none",
  "/api/skin/body/{id}?size=16&type=player",
  "/api/skin/standart/{id}",
  "/api/skin/standart/cape/{id}",
  "/api/skin/elytra/{id}",
  "/api/skin/launcher/{id}",
  "/api/skin/launcher/envelope/{id}",
  "/crafatar/avatars/{id}",
  "/crafatar/skins/{hex}",
  "/crafatar/capes/{hex}",
  "/minotar/helm/{hex}/16.png",
  "/mc-heads/body/{id}/16",
  "/usm/{name}.{id}.json",
  "/api/gravit/textures/{id}",
  "/api/gravit/auth/user/uuid/{id}",
  "/api/yggdrasil/sessionserver/session/minecraft/profile/{hex}?unsigned=false",
  "/api/yggdrasil/session/minecraft/profile/{id}",
  "/api/yggdrasil/minecraftservices/minecraft/profile/lookup/{hex}",
  "/api/yggdrasil/minecraft/profile/lookup/{id}",
] as const;

const filled = (door: string, id: string, name: string) =>
  door.replace("{id}", id).replace("{hex}", dashless(id)).replace("{name}", name);

/** Doors that answer unknown ids with a default picture or an empty document. */
const takesAny = (door: string) => /launcher\/\{id|avatars|skins|helm|mc-heads|gravit\/textures/.test(door);

/** What a door answers, without the times that documents have, and with the id put aside. */
async function answerAt(door: string, id: string, name: string) {
  const response = await harness.fetch(filled(door, id, name));
  const type = response.headers.get("content-type");
  const bytes = await response.bytes();
  if (type?.startsWith("application/json") !== true)
    return {
      status: response.status,
      type,
      what: String(Bun.hash(bytes)),
      isDefault: response.headers.get("x-texture-default"),
    };
  const text = new TextDecoder().decode(bytes);
  return { status: response.status, type, text: withoutId(text, id) };
}

/** What all doors answer for the offline id of a name. */
const shown = (name: string) => Promise.all(doors.map((door) => answerAt(door, offlineUuid(name), name)));

/**
 * The document with \u0001 in place of the id that was asked for, also within Base64; times and signatures
 * are left out.
 */
function withoutId(text: string, id: string): string {
  const opened = text.replaceAll(/"value":"([A-Za-z0-9+/=]{60,})"/g, (_, value: string) =>
    Buffer.from(value, "base64").toString(),
  );
  return opened
    .replaceAll(/"(?:timestamp|signature)":(?:\d+|"[^"]*"),?/g, "")
    .replaceAll(id, "\u0001")
    .replaceAll(dashless(id), "\u0001");
}

const aurora = async (userUUID: string) => {
  const response = await harness.fetch(`/api/aurora/${auroraSecret}/profile`, {
    method: "POST",
    body: JSON.stringify({ userUUID }),
  });
  return response.json();
};

describe("an offline id shows what the player shows, under the id that was asked", () => {
  test.each(doors)("%s", async (door) => {
    const { uuid, name } = await addWearer();
    const own = await answerAt(door, uuid, name);
    expect(own.status).toBe(200);
    const offline = offlineUuid(name);
    expect(await answerAt(door, offline, name)).toEqual(own);
    const text = await (await harness.fetch(filled(door, offline, name))).text();
    for (const id of [uuid, dashless(uuid)]) expect(text).not.toContain(id);
  });

  test("AuroraLauncher's profile", async () => {
    const { uuid, name } = await addWearer();
    expect(await aurora(offlineUuid(name))).toEqual(await aurora(uuid));
    expect(await aurora(offlineUuid(name.toLowerCase()))).toMatchObject({ success: false });
  });

  test("in the signed text as well", async () => {
    const { name } = await addWearer();
    const hex = dashless(offlineUuid(name));
    const response = await harness.fetch(
      `/api/yggdrasil/sessionserver/session/minecraft/profile/${hex}?unsigned=false`,
    );
    const profile = (await response.json()) as {
      id: string;
      properties: { value: string; signature: string }[];
    };
    expect(profile.id).toBe(hex);
    const textures = JSON.parse(Buffer.from(profile.properties[0]!.value, "base64").toString());
    expect(textures).toMatchObject({ profileId: hex, profileName: name });
    expect(profile.properties[0]!.signature).toMatch(/^[A-Za-z0-9+/]{340,}={0,2}$/);
  });

  test("a player without a skin has the default that games show for that id", async () => {
    const { uuid, name } = await addMember(harness, "Bare");
    const models = await Promise.all(
      [uuid, offlineUuid(name)].map(async (id) => {
        const shown = (await harness.fetch(`/api/skin/head/${id}`)).headers.get("x-texture-default");
        const site = (await harness.fetch(`/crafatar/avatars/${id}`)).headers.get("x-texture-default");
        expect(site).toBe(shown);
        return shown;
      }),
    );
    expect(models).not.toContain(null);
    expect((await harness.fetch(`/api/skin/head/${offlineUuid(name)}?default=none`)).status).toBe(404);
  });
});

describe("an offline id is none of", () => {
  test.each([
    ["a name in other case", (name: string) => offlineUuid(name.toLowerCase())],
    ["another version", (name: string) => parseUuid(offlineUuid(name).replace(/(?<=^.{14})3/, "4"))!],
  ])("%s", async (_, idFor) => {
    const { name } = await addWearer();
    const statuses = doors.map(async (door) => (await answerAt(door, idFor(name), name)).status);
    const found = await Promise.all(statuses);
    expect(doors.filter((door, i) => found[i] === 200 && !takesAny(door))).toEqual([]);
    const descriptor = await harness.fetch(`/api/skin/launcher/${idFor(name)}`);
    expect(await descriptor.json()).toEqual({});
  });

  test("a stored id, which wins", async () => {
    const [anna, other] = [await addWearer(), await addWearer()];
    const player = await playerOf(harness, other);
    const shared = offlineUuid(anna.name);
    const path = `/api/yggdrasil/minecraft/profile/lookup/${shared}`;
    expect(await (await harness.fetch(path)).json()).toMatchObject({ name: anna.name });
    expect((await harness.fetch(`/usm/${anna.name}.${shared}.json`)).status).toBe(200);
    await harness.services.transact(commandLine, ({ players }) => players.setUuid(player.id, shared));
    expect(await (await harness.fetch(path)).json()).toMatchObject({ name: other.name });
    const usm = await harness.fetch(`/usm/${anna.name}.${shared}.json`);
    expect([usm.status, await usm.json()]).toMatchObject([400, { errno: 2 }]);
  });
});

/** The arms of the default skin that a game shows for a player without one. */
const modelOf = (name: string) => defaultModel(offlineUuid(name));

describe("changes show at once", () => {
  test("a rename: the old name's id is unknown, and the new one's is the player", async () => {
    const anna = await addWearer();
    const before = await shown(anna.name);
    // Both ids have the same default skin.
    const others = ["New", "Next", "Now", "Old", "Other", "Own", "Pale", "Red"].map(
      (word) => `${word}${anna.name}`,
    );
    const next = others.find((name) => modelOf(name) === modelOf(anna.name))!;
    const unknown = await shown(next);
    const json = { username: next, password: anna.password };
    expect((await edit(harness, anna, "PATCH /api/home/edit/username", json)).status).toBe(200);
    const [after, old] = [await shown(next), await shown(anna.name)];
    const named = (answers: typeof before) => JSON.stringify(answers).replaceAll(next, anna.name);
    expect(named(after)).toEqual(named(before));
    expect(named(old)).toEqual(named(unknown));
  });

  test("a new player, whose id was asked for before, and one that is deleted", async () => {
    const name = "Newcomer";
    const unknown = await shown(name);
    const member = await addWearer(name);
    const known = await shown(name);
    expect(known.filter(({ status }) => status !== 200)).toEqual([]);
    expect(known.filter((answer, i) => Bun.deepEquals(answer, unknown[i]))).toEqual([]);
    await edit(harness, chief, `DELETE /api/admin/user/${member.uuid}`, undefined);
    expect(await shown(name)).toEqual(unknown);
  });

  test("another skin", async () => {
    const anna = await addWearer();
    const before = await shown(anna.name);
    const skinid = await addSkin(harness, anna, { file: skinPng(4000), slim: "false" });
    await edit(harness, anna, "POST /api/home/edit/skin/select", { skinid });
    const after = await shown(anna.name);
    const same = doors.filter((_, i) => Bun.deepEquals(after[i], before[i]));
    expect(same.filter((door) => !door.includes("lookup"))).toEqual([]);
  });
});

test("rows of a release before are found out by the uuid that they have, and are repaired", async () => {
  const [anna, renamed] = [await addWearer(), await addWearer()];
  const door = "/api/skin/head/{id}?size=16";
  const statuses = async (...names: readonly string[]) =>
    Promise.all(names.map(async (name) => (await answerAt(door, offlineUuid(name), name)).status));
  harness.database.change(`UPDATE players SET offline_uuid = NULL WHERE uuid = '${anna.uuid}'`);
  harness.database.change(
    `UPDATE players SET name = 'Later', name_key = 'later' WHERE uuid = '${renamed.uuid}'`,
  );
  expect(await statuses(anna.name, renamed.name, "Later")).toEqual([404, 404, 404]);
  expect(await repairOfflineUuids(harness.services, null)).toEqual({ written: 2, next: null });
  expect(await statuses(anna.name, renamed.name, "Later")).toEqual([200, 404, 200]);
  expect(await repairOfflineUuids(harness.services, null)).toEqual({ written: 0, next: null });
});

describe("opens nothing", () => {
  test("a game that joins with it is refused, and by name a server learns the stored id", async () => {
    const anna = await addWearer();
    const session = await enter(harness, anna);
    const id = plain(offlineUuid(anna.name));
    const refused = await join(harness, { ...session, selectedProfile: { id, name: anna.name } }, "abc");
    expect(refused).toEqual(badToken);
    expect((await join(harness, session, "abc")).status).toBe(204);
    const joined = await hasJoined(harness, { username: anna.name, serverId: "abc" });
    expect(joined.body).toMatchObject({ id: plain(anna.uuid) });
  });

  test("uploads, the home area and staff's addresses do not know it", async () => {
    const anna = await addWearer();
    const { accessToken } = await enter(harness, anna);
    const id = offlineUuid(anna.name);
    const asks: readonly (readonly [request: string, authorization: string])[] = [
      [`DELETE /api/yggdrasil/api/user/profile/${plain(id)}/skin`, `Bearer ${accessToken}`],
      [`GET /api/admin/user/${id}`, chief.authorization],
      [`DELETE /api/admin/players/${id}`, chief.authorization],
      [`DELETE /api/home/players/${id}`, anna.authorization],
    ];
    for (const [request, authorization] of asks) {
      const [method = "", path = ""] = request.split(" ");
      const json = method === "GET" || path.includes("yggdrasil") ? undefined : { password: anna.password };
      const as = { ...anna, authorization };
      const response =
        json === undefined
          ? await harness.fetch(path, { method, headers: { authorization } })
          : await edit(harness, as, request, json);
      expect([request, response.status]).toEqual([request, 404]);
    }
    expect((await upload(harness, anna, { file: skinPng(4001) })).status).toBe(200);
  });

  test("staff's roles are kept from it", async () => {
    const response = await harness.fetch(`/api/gravit/auth/user/uuid/${offlineUuid(chief.name)}`);
    expect(await response.json()).toMatchObject({ username: "Chief", permissions: { roles: [] } });
  });
});
