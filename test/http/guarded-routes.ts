import { serviceRights } from "../../src/domain/model/service-token.ts";
import { createPlayer } from "../../src/domain/players/create-player.ts";
import { createToken } from "../../src/domain/services/tokens.ts";
import { commandLine, system } from "../../src/domain/model/actor.ts";
import { banTexture } from "../../src/domain/textures/ban-texture.ts";
import { parseTextureHash } from "../../src/kernel/ids.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { capeForm } from "../support/capes.ts";
import type { Harness } from "../support/harness.ts";
import {
  addAlias,
  addMember,
  addPlayer,
  addSharedSkin,
  addSkin,
  allowPlayers,
  grantCape,
  signIn,
  uploadForm,
  type Member,
} from "../support/members.ts";
import { orderMailCode } from "../support/registration.ts";
import { bitmapHash, skinBitmap, skinPng } from "../support/textures.ts";
import { link } from "./openapi-world.ts";

/** The right that a route asks for. */
export type Guarded = "member" | "player" | "moderator" | "administrator" | "service";

/** A member who acts, and another one to act on. */
export type Cast = { readonly harness: Harness; readonly actor: Member; readonly other: Member };

/** A request that makes a change. */
export type Change = { readonly path: string; readonly json?: unknown; readonly form?: FormData };

type GuardedRoute = {
  readonly who: Guarded;
  /** False where the route only looks. */
  readonly changes?: false;
  /** The slow work that comes before the change. */
  readonly waitsFor?: "password" | "texture";
  /** A request that succeeds and changes something; what it needs is made first. */
  readonly change: (cast: Cast) => Promise<Change>;
};

/** Every route that asks for a right and is no GET. One that is missing here fails a test. */
export const guardedRoutes: Readonly<Record<string, GuardedRoute>> = {
  "POST /api/auth/logout": {
    who: "member",
    change: async () => ({ path: "/api/auth/logout" }),
  },
  "POST /api/home/registerfinish": {
    who: "member",
    waitsFor: "password",
    change: async ({ actor }) => ({
      path: "/api/home/registerfinish",
      json: { username: `F${actor.account.id}x`, password: "a password that will do" },
    }),
  },
  "DELETE /api/home/sessions/:id": {
    who: "player",
    change: async ({ harness, actor }) => {
      await signIn(harness, actor.mail, actor.password);
      const headers = { authorization: actor.authorization };
      const response = await harness.fetch("/api/home/sessions", { headers });
      const { data } = await readJson<Envelope<readonly { id: string; current: boolean }[]>>(response);
      return { path: `/api/home/sessions/${data.find(({ current }) => !current)?.id}` };
    },
  },
  "POST /api/home/delete": {
    who: "member",
    waitsFor: "password",
    change: async ({ actor }) => ({ path: "/api/home/delete", json: { password: actor.password } }),
  },
  "DELETE /api/home/delete": {
    who: "member",
    change: async ({ harness, actor }) => {
      const { id } = actor.account;
      harness.database.change(`UPDATE accounts SET delete_at = 9999999999 WHERE id = ${id}`);
      return { path: "/api/home/delete" };
    },
  },
  "DELETE /api/home/aliases/:name": {
    who: "member",
    change: async ({ harness, actor }) => {
      const name = `old_${actor.account.id}`;
      addAlias(harness, actor.account, name);
      return { path: `/api/home/aliases/${name}` };
    },
  },
  "PATCH /api/home/edit/username": {
    who: "player",
    waitsFor: "password",
    change: async ({ actor }) => ({
      path: "/api/home/edit/username",
      json: { username: `N${actor.account.id}x`, password: actor.password },
    }),
  },
  "PATCH /api/home/edit/password": {
    who: "player",
    waitsFor: "password",
    change: async ({ actor }) => ({
      path: "/api/home/edit/password",
      json: { newpassword: "a password that will do", password: actor.password },
    }),
  },
  "PATCH /api/home/edit/language": {
    who: "player",
    change: async () => ({ path: "/api/home/edit/language", json: { language: "de" } }),
  },
  "POST /api/home/mail/request": {
    who: "player",
    waitsFor: "password",
    change: async ({ actor }) => ({
      path: "/api/home/mail/request",
      json: { mail: `new-${actor.mail}`, password: actor.password },
    }),
  },
  "POST /api/home/mail/validate": {
    who: "player",
    waitsFor: "password",
    change: async ({ harness, actor }) => ({
      path: "/api/home/mail/validate",
      json: {
        code: await orderMailCode(harness, actor, `new-${actor.mail}`),
        password: actor.password,
      },
    }),
  },
  "POST /api/home/edit/removesocial": {
    who: "player",
    waitsFor: "password",
    change: async ({ harness, actor }) => {
      await link(harness, actor, { provider: "discord", subject: String(actor.account.id) });
      return { path: "/api/home/edit/removesocial", json: { password: actor.password } };
    },
  },
  "POST /api/home/edit/upload": {
    who: "player",
    waitsFor: "texture",
    change: async ({ actor }) => ({
      path: "/api/home/edit/upload",
      form: uploadForm({ file: skinPng(actor.account.id) }),
    }),
  },
  "PUT /api/home/edit/skin": {
    who: "player",
    change: async ({ harness, actor }) => ({
      path: "/api/home/edit/skin",
      json: { skinid: await addSkin(harness, actor, {}), name: "Another name" },
    }),
  },
  "POST /api/home/edit/skin/select": {
    who: "player",
    change: async ({ harness, actor }) => {
      await addSkin(harness, actor, {});
      const skinid = await addSkin(harness, actor, { file: skinPng(2) });
      return { path: "/api/home/edit/skin/select", json: { skinid } };
    },
  },
  "POST /api/home/edit/skin/copy": {
    who: "player",
    change: async ({ harness, actor }) => ({
      path: "/api/home/edit/skin/copy",
      json: { player: await addSharedSkin(harness, `Sharer${actor.account.id}`) },
    }),
  },
  "DELETE /api/home/edit/skin": {
    who: "player",
    change: async ({ harness, actor }) => ({
      path: "/api/home/edit/skin",
      // A texture that nothing else shows, so that its file would go, too.
      json: { skinid: await addSkin(harness, actor, { file: skinPng(actor.account.id) }) },
    }),
  },
  "POST /api/home/players": {
    who: "player",
    change: async ({ harness, actor }) => {
      await allowPlayers(harness, actor);
      return { path: "/api/home/players", json: { name: `P${actor.account.id}x` } };
    },
  },
  "PATCH /api/home/players/:uuid": {
    who: "player",
    waitsFor: "password",
    change: async ({ actor }) => ({
      path: `/api/home/players/${actor.uuid}`,
      json: { name: `N${actor.account.id}x`, password: actor.password },
    }),
  },
  "DELETE /api/home/players/:uuid": {
    who: "player",
    waitsFor: "password",
    change: async ({ harness, actor }) => {
      await allowPlayers(harness, actor);
      const { uuid } = await addPlayer(harness, actor, `P${actor.account.id}x`);
      return { path: `/api/home/players/${uuid}`, json: { password: actor.password } };
    },
  },
  "PATCH /api/admin/skin/:uuid": {
    who: "moderator",
    change: async ({ harness, other }) => ({
      path: `/api/admin/skin/${await addSkin(harness, other, {})}`,
      json: { name: "Moderated" },
    }),
  },
  "DELETE /api/admin/skin/:uuid": {
    who: "moderator",
    change: async ({ harness, other }) => ({
      path: `/api/admin/skin/${await addSkin(harness, other, { file: skinPng(other.account.id) })}`,
      json: { reason: "It offends", ban: true },
    }),
  },
  "DELETE /api/admin/bans/:hash": {
    who: "moderator",
    change: async ({ harness, other }) => {
      const hash = parseTextureHash(bitmapHash(skinBitmap(other.account.id)))!;
      await banTexture(harness.services, commandLine, { hash, reason: "" });
      return { path: `/api/admin/bans/${hash}` };
    },
  },
  "PATCH /api/admin/user/:identifier": {
    who: "administrator",
    waitsFor: "password",
    change: async ({ other }) => ({
      path: `/api/admin/user/${other.name}`,
      json: { password: "the administrator's choice", perms: 2 },
    }),
  },
  "DELETE /api/admin/user/:identifier": {
    who: "administrator",
    change: async ({ harness, other }) => {
      await addSkin(harness, other, { file: skinPng(other.account.id) });
      return { path: `/api/admin/user/${other.name}` };
    },
  },
  "POST /api/admin/user/:identifier/players": {
    who: "administrator",
    change: async ({ other }) => ({
      path: `/api/admin/user/${other.account.id}/players`,
      json: { name: `P${other.account.id}x` },
    }),
  },
  "PATCH /api/admin/players/:uuid": {
    who: "administrator",
    change: async ({ other }) => ({
      path: `/api/admin/players/${other.uuid}`,
      json: { name: `N${other.account.id}x`, uuid: crypto.randomUUID() },
    }),
  },
  "DELETE /api/admin/players/:uuid": {
    who: "administrator",
    change: async ({ harness: { services }, other: { account } }) => {
      const input = { identifier: String(account.id), name: `D${account.id}x`, uuid: null };
      const { player } = await createPlayer(services, commandLine, input);
      return { path: `/api/admin/players/${player.uuid}` };
    },
  },
  "DELETE /api/admin/user/:identifier/sessions": {
    who: "moderator",
    change: async ({ other }) => ({ path: `/api/admin/user/${other.name}/sessions` }),
  },
  "DELETE /api/admin/user/:identifier/sessions/:sid": {
    who: "moderator",
    change: async ({ harness, actor, other }) => {
      const path = `/api/admin/user/${other.name}/sessions`;
      const response = await harness.fetch(path, { headers: { authorization: actor.authorization } });
      const { data } = await readJson<Envelope<readonly { id: string }[]>>(response);
      return { path: `${path}/${data[0]?.id}` };
    },
  },
  "POST /api/admin/user/role/:identifier": {
    who: "administrator",
    change: async ({ other: { account } }) => ({
      path: `/api/admin/user/role/${account.id}`,
      json: { user: account.id, role_level: 3 },
    }),
  },
  "POST /api/admin/user/cape/:identifier": {
    who: "administrator",
    change: async ({ harness, other: { account } }) => ({
      path: `/api/admin/user/cape/${account.id}`,
      json: { user: account.id, cape: [(await grantCape(harness, [])).id] },
    }),
  },
  "POST /api/admin/user/cape/upload": {
    who: "administrator",
    waitsFor: "texture",
    change: async ({ other }) => ({
      path: "/api/admin/user/cape/upload",
      form: capeForm({ owners: String(other.account.id) }),
    }),
  },
  "DELETE /api/admin/user/cape/upload": {
    who: "administrator",
    change: async ({ harness, other }) => ({
      path: "/api/admin/user/cape/upload",
      json: { capeid: (await grantCape(harness, [other])).uuid },
    }),
  },
  "POST /api/admin/cape/:cape/owners": {
    who: "administrator",
    change: async ({ harness, other }) => ({
      path: `/api/admin/cape/${(await grantCape(harness, [])).id}/owners`,
      json: { who: [other.account.id] },
    }),
  },
  "DELETE /api/admin/cape/:cape/owners": {
    who: "administrator",
    change: async ({ harness, other }) => ({
      path: `/api/admin/cape/${(await grantCape(harness, [other])).uuid}/owners`,
      json: { who: "everybody" },
    }),
  },
  "POST /api/admin/mail": {
    who: "administrator",
    change: async ({ actor }) => ({
      path: "/api/admin/mail",
      json: { subject: `From ${actor.name}`, message: "The server moves." },
    }),
  },
  "POST /api/admin/mail/preview": {
    who: "administrator",
    changes: false,
    change: async () => ({
      path: "/api/admin/mail/preview",
      json: { subject: "News", message: "The server moves." },
    }),
  },
  "POST /api/admin/mail/trial": {
    who: "administrator",
    change: async ({ actor }) => ({
      path: "/api/admin/mail/trial",
      json: { subject: `From ${actor.name}`, message: "The server moves." },
    }),
  },
  "POST /api/admin/outbox/:id/retry": {
    who: "administrator",
    change: async ({ harness, other }) => ({
      path: `/api/admin/outbox/${await postMail(harness, other)}/retry`,
    }),
  },
  "POST /api/admin/outbox/test": {
    who: "administrator",
    change: async () => ({ path: "/api/admin/outbox/test", json: {} }),
  },
  "POST /api/admin/tokens": {
    who: "administrator",
    change: async ({ actor }) => ({
      path: "/api/admin/tokens",
      json: { name: `made-${actor.account.id}` },
    }),
  },
  "DELETE /api/admin/tokens/:name": {
    who: "administrator",
    change: async ({ harness, actor }) => {
      const name = `revoked-${actor.account.id}`;
      await createToken(harness.services, commandLine, name);
      return { path: `/api/admin/tokens/${name}` };
    },
  },
  "POST /api/service/user": {
    who: "service",
    changes: false,
    change: async ({ other }) => ({ path: "/api/service/user", json: { Playername: other.name } }),
  },
  "POST /api/service/permission": {
    who: "service",
    change: async ({ other }) => ({
      path: "/api/service/permission",
      json: { userid: other.account.id, permission: 3 },
    }),
  },
  "POST /api/service/cape": {
    who: "service",
    change: async ({ harness, other }) => ({
      path: "/api/service/cape",
      json: { userid: other.account.id, cape: (await grantCape(harness, [])).uuid },
    }),
  },
  "DELETE /api/service/cape": {
    who: "service",
    change: async ({ harness, other }) => ({
      path: "/api/service/cape",
      json: { userid: other.account.id, cape: (await grantCape(harness, [other])).id },
    }),
  },
};

/** A mail to the member that waits in the outbox. */
async function postMail({ services }: Harness, { account }: Member): Promise<number> {
  const letter = { template: "password-changed", username: "" } as const;
  return (await services.transact(system, ({ mail }) => mail(account, letter))) ?? 0;
}

/** Somebody with the right that the route asks for: for good, or by a level that ends in an hour. */
export async function castFor(harness: Harness, who: Guarded, isTemporary: boolean) {
  const serial = (harness.countRows("accounts") + 1).toString();
  const level = who === "administrator" ? 3 : who === "moderator" ? 2 : 1;
  const actor = await addMember(harness, `Actor${serial}`, {
    level: isTemporary ? 1 : level,
    finished: who !== "member",
  });
  if (isTemporary) {
    const temporaryLevel = { level, expiresAt: harness.clock.nowSeconds() + temporarySeconds } as const;
    const levels = { permanentLevel: 1, temporaryLevel } as const;
    await harness.services.transact(system, ({ accounts }) =>
      accounts.updateAccount(actor.account.id, levels),
    );
  }
  const other = await addMember(harness, `Other${serial}`);
  const isService = who === "service";
  const made = isService
    ? await createToken(harness.services, commandLine, tokenName(actor), serviceRights)
    : null;
  return { harness, actor, other, authorization: made?.token ?? actor.authorization };
}

/** How long a level holds that holds for a time; less than a session. */
export const temporarySeconds = 3600;

/** The service token that goes with an actor. */
export function tokenName({ account }: Member): string {
  return `shop-${account.id}`;
}
