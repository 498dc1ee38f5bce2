import { Elysia } from "elysia";
import { liftBan } from "../../../domain/textures/ban-texture.ts";
import { unread } from "../../body.ts";
import { ok } from "../../envelope.ts";
import { readTextureHash } from "../../fields.ts";
import { describe } from "../../openapi/describe.ts";
import { examples } from "../../openapi/examples.ts";
import { pageAnswer, pageQuery, readPage, readRows } from "../../paging.ts";
import { staffGuard, type GuardDeps } from "../../session.ts";
import { presentBan } from "./present-texture.ts";
import { banParams, bansEnvelope } from "./schema-texture.ts";

/** Bitmaps that no texture may have (decisions, Added since: removing a skin). */
export function banRoutes(deps: GuardDeps) {
  return new Elysia().use(lookRoute(deps)).use(liftRoute(deps));
}

function lookRoute(deps: GuardDeps) {
  const { textures } = deps.reads;
  return new Elysia().use(staffGuard(deps, "inspect")).get(
    "/bans",
    async ({ query, set }) => {
      const list = { rows: textures.listBans, count: textures.countBans };
      const { rows, headers } = await readRows(list, readPage(query), "/api/admin/bans");
      Object.assign(set.headers, headers);
      return ok("Bans", rows.map(presentBan));
    },
    {
      query: pageQuery,
      response: { 200: bansEnvelope },
      detail: describe({
        operationId: "listBans",
        summary: "All banned bitmaps, by id",
        description: "`q` is the beginning of a hash, or an id.",
        who: "moderators",
        msg: "Bans",
        answers: pageAnswer,
      }),
    },
  );
}

function liftRoute(deps: GuardDeps) {
  return new Elysia().use(staffGuard(deps, "moderate")).delete(
    "/bans/:hash",
    async ({ actor, params, set }) => {
      await liftBan(deps, actor, readTextureHash(params.hash));
      set.status = 204;
    },
    {
      ...unread,
      params: banParams,
      detail: describe({
        operationId: "liftBan",
        summary: "Lift the ban of a bitmap",
        description: "It may be uploaded again. Skins that the ban removed do not come back.",
        who: "moderators",
        errors: { not_found: `hash: there is no ban of ${examples.texture}` },
        answers: { 204: { description: "The ban is lifted" } },
      }),
    },
  );
}
