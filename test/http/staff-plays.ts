import { capeForm } from "../support/capes.ts";
import { system } from "../../src/domain/model/actor.ts";
import type { Harness } from "../support/harness.ts";
import { addMember, addSkin, grantCape, type Member } from "../support/members.ts";
import { bitmapHash, capePng, skinBitmap, skinPng } from "../support/textures.ts";
import type { Play, World } from "./openapi-world.ts";

type MakePlay = (world: World) => Play | Promise<Play>;

/** A list of staff's that is not searched. */
function placePlays(path: string): readonly MakePlay[] {
  return [
    ({ chief }) => ({ request: `GET ${path}?limit=1`, actor: chief, status: 200 }),
    ({ chief }) => ({ request: `GET ${path}?after=1`, actor: chief, status: 200 }),
    ({ chief }) => ({ request: `GET ${path}?limit=1001`, actor: chief, status: 400 }),
  ];
}

/** A mail to the member, and what a try to send it resulted in; null: it was not tried. */
async function postMail(
  { services }: Harness,
  { account }: Member,
  state: "sent" | "failed" | null,
): Promise<number> {
  return services.transact(system, async ({ mail, outbox, now }) => {
    const id = await mail(account, { template: "password-changed", username: "Alice" });
    if (id === null) throw new Error("the member has no address");
    const reply = "550 5.1.1 no such user";
    if (state !== null) await outbox.recordResult(id, { state, dueAt: now, reply });
    return id;
  });
}

/** A list of staff's: a page with a next one, and a page that cannot be. */
function listPlays(path: string): readonly MakePlay[] {
  return [
    ({ chief }) => ({ request: `GET ${path}?limit=1`, actor: chief, status: 200 }),
    ({ chief }) => ({ request: `GET ${path}?q=alice&after=1`, actor: chief, status: 200 }),
    ({ chief }) => ({ request: `GET ${path}?limit=1001`, actor: chief, status: 400 }),
  ];
}

const userPlays: readonly MakePlay[] = [
  ({ chief }) => ({ request: "GET /api/admin/overview", actor: chief, status: 200 }),
  ({ chief }) => ({ request: "GET /api/admin/installation", actor: chief, status: 200 }),
  ...listPlays("/api/admin/users"),
  ({ chief }) => ({ request: "GET /api/admin/users?order=name&limit=2", actor: chief, status: 200 }),
  ({ chief }) => ({ request: "GET /api/admin/users?order=seen&after=1,5", actor: chief, status: 200 }),
  ({ chief, alice }) => ({ request: `GET /api/admin/user/${alice.name}`, actor: chief, status: 200 }),
  ({ chief, unfinished }) => ({
    request: `GET /api/admin/user/${unfinished.account.id}`,
    actor: chief,
    status: 200,
  }),
  ({ chief, alice }) => ({
    request: `PATCH /api/admin/user/${alice.mail}`,
    actor: chief,
    json: { mail_verify: true, dsid: true, perms: 2 },
    status: 200,
  }),
  ({ chief }) => ({
    request: `PATCH /api/admin/user/${chief.uuid}`,
    actor: chief,
    json: { perms: 1 },
    status: 409,
  }),
  ({ chief, nobody }) => ({
    request: `PATCH /api/admin/user/${nobody}`,
    actor: chief,
    json: { perms: 1 },
    status: 404,
  }),
  async ({ harness, chief }) => {
    const { name } = await addMember(harness, "Leaving");
    return { request: `DELETE /api/admin/user/${name}`, actor: chief, status: 200 };
  },
  ({ chief }) => ({ request: `DELETE /api/admin/user/${chief.name}`, actor: chief, status: 409 }),
  ({ chief }) => ({ request: "GET /api/admin/user/Nobody", actor: chief, status: 404 }),
  ({ chief }) => ({ request: "DELETE /api/admin/user/Nobody", actor: chief, status: 404 }),
];

const sessionPlays: readonly MakePlay[] = [
  ({ chief, alice }) => ({
    request: `GET /api/admin/user/${alice.name}/sessions`,
    actor: chief,
    status: 200,
  }),
  ({ chief }) => ({ request: "GET /api/admin/user/Nobody/sessions", actor: chief, status: 404 }),
  ({ chief, alice }) => ({
    request: `GET /api/admin/user/${alice.name}/sessions?limit=0`,
    actor: chief,
    status: 400,
  }),
  async ({ harness, chief }) => {
    const { name, account } = await addMember(harness, "Elsewhere");
    const [session] = await harness.services.reads.sessions.listSessions(account.id, 0);
    return { request: `DELETE /api/admin/user/${name}/sessions/${session?.id}`, actor: chief, status: 204 };
  },
  async ({ harness, chief }) => {
    const { name } = await addMember(harness, "Everywhere");
    return { request: `DELETE /api/admin/user/${name}/sessions`, actor: chief, status: 204 };
  },
  ({ chief }) => ({ request: "DELETE /api/admin/user/Nobody/sessions", actor: chief, status: 404 }),
  ({ chief, alice, nobody }) => ({
    request: `DELETE /api/admin/user/${alice.name}/sessions/${nobody}`,
    actor: chief,
    status: 404,
  }),
];

const playerPlays: readonly MakePlay[] = [
  ({ chief, alice }) => ({
    request: `GET /api/admin/user/${alice.name}/players`,
    actor: chief,
    status: 200,
  }),
  ({ chief }) => ({ request: "GET /api/admin/user/Nobody/players", actor: chief, status: 404 }),
  ({ chief, alice }) => ({
    request: `POST /api/admin/user/${alice.name}/players`,
    actor: chief,
    json: { name: "Alice_Alt", uuid: "3f1c9a52-7d0e-4b86-a2c4-5e6f7a8b9c0d" },
    status: 200,
  }),
  ({ chief, alice }) => ({
    request: `POST /api/admin/user/${alice.name}/players`,
    actor: chief,
    json: { name: "Alice_Alt" },
    status: 409,
  }),
  ({ chief }) => ({
    request: "POST /api/admin/user/Nobody/players",
    actor: chief,
    json: { name: "Alice_Alt2" },
    status: 404,
  }),
  ({ chief, skin, alice, cape }) => ({
    request: `PATCH /api/admin/players/${alice.uuid}`,
    actor: chief,
    json: { skinid: skin, cloakid: cape.uuid },
    status: 200,
  }),
  ({ chief }) => ({
    request: "PATCH /api/admin/players/3f1c9a52-7d0e-4b86-a2c4-5e6f7a8b9c0d",
    actor: chief,
    json: { name: chief.name },
    status: 409,
  }),
  ({ chief }) => ({
    request: "DELETE /api/admin/players/3f1c9a52-7d0e-4b86-a2c4-5e6f7a8b9c0d",
    actor: chief,
    status: 204,
  }),
  ({ chief }) => ({ request: `DELETE /api/admin/players/${chief.uuid}`, actor: chief, status: 409 }),
  ...["PATCH", "DELETE"].map((method): MakePlay => ({ chief, nobody }) => ({
    request: `${method} /api/admin/players/${nobody}`,
    actor: chief,
    ...(method === "PATCH" ? { json: { name: "Nobody_2" } } : {}),
    status: 404,
  })),
];

const rolePlays: readonly MakePlay[] = [
  ({ chief, bare }) => ({
    request: `POST /api/admin/user/role/${bare.name}`,
    actor: chief,
    json: { user: bare.account.id, role_level: 2, expired_at: "2150-01-01T00:00:00Z" },
    status: 200,
  }),
  ({ chief, bare }) => ({
    request: `POST /api/admin/user/role/${bare.name}`,
    actor: chief,
    json: { user: bare.account.id, role_level: 1 },
    status: 200,
  }),
  ({ chief }) => ({
    request: `POST /api/admin/user/role/${chief.name}`,
    actor: chief,
    json: { user: chief.account.id, role_level: 1 },
    status: 409,
  }),
  ({ chief }) => ({
    request: "POST /api/admin/user/role/Nobody",
    actor: chief,
    json: { user: 1, role_level: 1 },
    status: 404,
  }),
];

const texturePlays: readonly MakePlay[] = [
  ...listPlays("/api/admin/skins"),
  ...listPlays("/api/admin/allcapes"),
  ({ chief, alice }) => ({ request: `GET /api/admin/users/skin/${alice.uuid}`, actor: chief, status: 200 }),
  ({ chief, nobody }) => ({ request: `GET /api/admin/users/skin/${nobody}`, actor: chief, status: 404 }),
  ({ chief, skin }) => ({ request: `GET /api/admin/skin/${skin}`, actor: chief, status: 200 }),
  ({ chief, nobody }) => ({ request: `GET /api/admin/skin/${nobody}`, actor: chief, status: 404 }),
  ({ chief, skin, cape }) => ({
    request: `PATCH /api/admin/skin/${skin}`,
    actor: chief,
    json: { name: "Diver", slim: true, hd: false, cloakid: cape.uuid },
    status: 200,
  }),
  ({ chief, nobody }) => ({
    request: `PATCH /api/admin/skin/${nobody}`,
    actor: chief,
    json: { name: "Diver" },
    status: 404,
  }),
  ({ chief, alice, bare }) => ({
    request: "POST /api/admin/user/cape/upload",
    actor: chief,
    form: capeForm({ owners: `${alice.account.id}, ${bare.account.id}`, expired_at: "2150-01-01T00:00:00Z" }),
    status: 200,
  }),
  ({ chief }) => ({
    request: "POST /api/admin/user/cape/upload",
    actor: chief,
    form: capeForm(),
    status: 200,
  }),
  ({ chief }) => ({ request: "POST /api/admin/user/cape/upload", actor: chief, json: {}, status: 415 }),
  ({ chief }) => ({
    request: "POST /api/admin/user/cape/upload",
    actor: chief,
    form: capeForm({ cape: new Uint8Array(1_500_000) }),
    status: 413,
  }),
  ({ chief, alice, cape }) => ({
    request: `POST /api/admin/user/cape/${alice.name}`,
    actor: chief,
    json: { user: alice.account.id, cape: [cape.id], expired_at: "2150-01-01T00:00:00Z" },
    status: 200,
  }),
  ({ chief, alice }) => ({ request: `GET /api/admin/user/${alice.name}`, actor: chief, status: 200 }),
  ({ chief, cape }) => ({ request: `GET /api/admin/cape/${cape.uuid}/owners`, actor: chief, status: 200 }),
  ({ chief }) => ({ request: "GET /api/admin/cape/999999/owners", actor: chief, status: 404 }),
  async ({ harness, chief, bare }) => ({
    request: `POST /api/admin/cape/${(await grantCape(harness, [])).uuid}/owners`,
    actor: chief,
    json: { who: [bare.account.id], expired_at: "2150-01-01T00:00:00Z" },
    status: 200,
  }),
  ({ chief }) => ({
    request: "POST /api/admin/cape/999999/owners",
    actor: chief,
    json: { who: "everybody" },
    status: 404,
  }),
  async ({ harness, chief, bare, cape }) => ({
    request: `DELETE /api/admin/cape/${(await grantCape(harness, [bare])).uuid}/owners`,
    actor: chief,
    json: { who: `owners:${cape.uuid}` },
    status: 200,
  }),
  ({ chief }) => ({
    request: "DELETE /api/admin/cape/999999/owners",
    actor: chief,
    json: { who: "everybody" },
    status: 404,
  }),
  ({ chief }) => ({
    request: "POST /api/admin/user/cape/Nobody",
    actor: chief,
    json: { user: 1, cape: [] },
    status: 404,
  }),
  async ({ harness, chief, bare }) => {
    const capeid = (await grantCape(harness, [bare])).uuid;
    await addSkin(harness, bare, {});
    return { request: "DELETE /api/admin/user/cape/upload", actor: chief, json: { capeid }, status: 200 };
  },
  ({ chief, nobody }) => ({
    request: "DELETE /api/admin/user/cape/upload",
    actor: chief,
    json: { capeid: nobody },
    status: 404,
  }),
];

const banPlays: readonly MakePlay[] = [
  async ({ harness, chief, bare }) => {
    const skin = await addSkin(harness, bare, { file: skinPng(900) });
    return { request: `DELETE /api/admin/skin/${skin}`, actor: chief, status: 204 };
  },
  ({ chief, nobody }) => ({ request: `DELETE /api/admin/skin/${nobody}`, actor: chief, status: 404 }),
  async ({ harness, chief, bare }) => {
    // The bitmap of the cape that there is.
    const skin = await addSkin(harness, bare, { file: capePng(1) });
    return { request: `DELETE /api/admin/skin/${skin}`, actor: chief, json: { ban: true }, status: 409 };
  },
  ...[901, 902].map((seed): MakePlay => async ({ harness, chief, bare }) => {
    const skin = await addSkin(harness, bare, { file: skinPng(seed) });
    const json = { reason: "It shows a forbidden symbol", ban: true };
    return { request: `DELETE /api/admin/skin/${skin}`, actor: chief, json, status: 204 };
  }),
  ...listPlays("/api/admin/bans"),
  ({ chief }) => ({
    request: `DELETE /api/admin/bans/${bitmapHash(skinBitmap(901))}`,
    actor: chief,
    status: 204,
  }),
  ({ chief }) => ({ request: `DELETE /api/admin/bans/${"0".repeat(64)}`, actor: chief, status: 404 }),
];

const news = { subject: "News", message: "The server moves." };

const mailPlays: readonly MakePlay[] = [
  ({ chief }) => ({ request: "POST /api/admin/mail", actor: chief, json: news, status: 200 }),
  ({ chief }) => ({ request: "POST /api/admin/mail", actor: chief, json: news, status: 409 }),
  ({ chief }) => ({
    request: "POST /api/admin/mail",
    actor: chief,
    json: { ...news, subject: "More news" },
    status: 200,
  }),
  ({ chief }) => ({ request: "POST /api/admin/mail/preview", actor: chief, json: news, status: 200 }),
  ({ chief }) => ({ request: "POST /api/admin/mail/trial", actor: chief, json: news, status: 200 }),
  ...placePlays("/api/admin/mail"),
  ({ chief, alice }) => ({
    request: "POST /api/admin/outbox/test",
    actor: chief,
    json: { to: alice.mail, language: "de" },
    status: 200,
  }),
  ({ chief }) => ({ request: "POST /api/admin/outbox/test", actor: chief, status: 200 }),
  ...placePlays("/api/admin/outbox"),
  ({ chief }) => ({
    request: "GET /api/admin/outbox?state=waiting&mailing=1&limit=1",
    actor: chief,
    status: 200,
  }),
  async ({ harness, chief, alice }) => ({
    request: `POST /api/admin/outbox/${await postMail(harness, alice, null)}/retry`,
    actor: chief,
    status: 200,
  }),
  async ({ harness, chief, alice }) => ({
    request: `GET /api/admin/outbox/${await postMail(harness, alice, "failed")}`,
    actor: chief,
    status: 200,
  }),
  async ({ harness, chief, alice }) => ({
    request: `POST /api/admin/outbox/${await postMail(harness, alice, "sent")}/retry`,
    actor: chief,
    status: 409,
  }),
  ({ chief }) => ({ request: "GET /api/admin/outbox/4711", actor: chief, status: 404 }),
  ({ chief }) => ({ request: "POST /api/admin/outbox/4711/retry", actor: chief, status: 404 }),
  ({ unsubscribe }) => ({ request: `GET ${unsubscribe}`, status: 200 }),
  ({ unsubscribe }) => ({ request: `POST ${unsubscribe}`, status: 200 }),
  ({ unsubscribe }) => ({ request: `POST ${unsubscribe}`, json: "x".repeat(20_000), status: 413 }),
];

const tokenPlays: readonly MakePlay[] = [
  ({ chief }) => ({
    request: "POST /api/admin/tokens",
    actor: chief,
    json: { name: "web-shop", rights: ["find", "cape"] },
    status: 200,
  }),
  ({ chief }) => ({
    request: "POST /api/admin/tokens",
    actor: chief,
    json: { name: "web-shop" },
    status: 409,
  }),
  ({ chief }) => ({ request: "GET /api/admin/tokens", actor: chief, status: 200 }),
  ({ chief }) => ({ request: "DELETE /api/admin/tokens/web-shop", actor: chief, status: 204 }),
  ({ chief }) => ({ request: "DELETE /api/admin/tokens/web-shop", actor: chief, status: 404 }),
  ({ chief }) => ({ request: "DELETE /api/admin/tokens/default", actor: chief, status: 409 }),
];

const servicePlays: readonly MakePlay[] = [
  ({ service }) => ({ request: "GET /api/service/events", actor: service, status: 200 }),
  ({ service }) => ({ request: "GET /api/service/events?after=x", actor: service, status: 400 }),
  ({ service }) => ({
    request: "POST /api/service/user",
    actor: service,
    json: { Social_id: "80351110224678912", Playername: "Alice" },
    status: 200,
  }),
  ({ service, chief }) => ({
    request: "POST /api/service/user",
    actor: service,
    json: { Playername: chief.name },
    status: 200,
  }),
  ({ service }) => ({
    request: "POST /api/service/user",
    actor: service,
    json: { Social_id: "7" },
    status: 404,
  }),
  ({ service }) => ({
    request: "POST /api/service/user",
    actor: service,
    json: { Social_id: 42 },
    status: 409,
  }),
  ({ service, bare }) => ({
    request: "POST /api/service/permission",
    actor: service,
    json: { userid: bare.account.id, permission: 2, expired_at: 5_000_000_000 },
    status: 200,
  }),
  ({ service }) => ({
    request: "POST /api/service/permission",
    actor: service,
    json: { userid: 4711, permission: 2 },
    status: 404,
  }),
  ({ service, chief }) => ({
    request: "POST /api/service/permission",
    actor: service,
    json: { userid: chief.account.id, permission: 1 },
    status: 409,
  }),
  ({ service, bare, cape }) => ({
    request: "POST /api/service/cape",
    actor: service,
    json: { userid: bare.account.id, cape: cape.uuid, expires_at: "2150-01-01T00:00:00Z" },
    status: 200,
  }),
  async ({ harness, service, bare }) => {
    const json = { userid: bare.account.id, cape: (await grantCape(harness, [bare])).id };
    return { request: "DELETE /api/service/cape", actor: service, json, status: 200 };
  },
  ...["POST", "DELETE"].map((method): MakePlay => ({ service, bare, nobody }) => ({
    request: `${method} /api/service/cape`,
    actor: service,
    json: { userid: bare.account.id, cape: nobody },
    status: 404,
  })),
];

/** What staff and services ask for, with whatever has a cause of its own. */
export const staffPlays: readonly MakePlay[] = [
  ...userPlays,
  ...sessionPlays,
  ...playerPlays,
  ...rolePlays,
  ...texturePlays,
  ...banPlays,
  ...mailPlays,
  ...tokenPlays,
  ...listPlays("/api/admin/audit"),
  ({ chief, alice }) => ({
    request: `GET /api/admin/audit?for=${alice.account.id}&action=user.create&since=0&until=2100-12-31T00:00:00Z`,
    actor: chief,
    status: 200,
  }),
  ({ chief }) => ({ request: "GET /api/admin/audit?since=yesterday", actor: chief, status: 400 }),
  ({ chief }) => ({ request: "GET /api/admin/audit/export?format=csv", actor: chief, status: 200 }),
  ({ chief }) => ({ request: "GET /api/admin/audit/export?format=jsonl", actor: chief, status: 200 }),
  ({ chief }) => ({ request: "GET /api/admin/audit/export?format=xml", actor: chief, status: 400 }),
  ({ chief }) => ({ request: "GET /api/admin/audit/chain", actor: chief, status: 200 }),
  ...servicePlays,
];
