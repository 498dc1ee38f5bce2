import { Elysia } from "elysia";
import { guarding, reading } from "../../routing/legacy.ts";
import { giveCapeToMany, takeCapeFromMany } from "../../../domain/members/cape-owners.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import { capeOwnersList } from "../../../domain/textures/capes.ts";
import { limits } from "../../../kernel/limits.ts";
import { jsonReader } from "../../body.ts";
import { done, ok } from "../../envelope.ts";
import { readExpiry } from "../../fields.ts";
import { staffGuard } from "../../guards.ts";
import { describe, succeeded } from "../../openapi/describe.ts";
import { examples } from "../../openapi/examples.ts";
import { pageAnswer, placeQuery, readRows } from "../../paging.ts";
import type { Parts } from "../../parts.ts";
import { readCapeField } from "../../resources/cape-grant.ts";
import {
  capeOwnersEnvelope,
  capeOwnersStepEnvelope,
  capeParams,
  giveBody,
  presentCapeOwner,
  presentStep,
  readStep,
  takeBody,
} from "../../resources/cape-owners.ts";

const said = { owners: "Owners" } as const;
const actions = { give: "Giving", take: "Taking" } as const;

/** Who may wear a cape (docs/contract/admin.md#owners-of-a-cape). */
export function capeOwnerRoutes(parts: Parts) {
  return new Elysia().use(lookRoute(parts)).use(giveRoute(parts)).use(takeRoute(parts));
}

const steps = `A step changes ${limits.ownersChangedMax} people at most: send the same again with \`after\`, the \`next\` of the answer, until that is null.`;

function lookRoute(parts: Parts) {
  return new Elysia().use(guarding(staffGuard(parts, "inspect"))).get(
    "/cape/:cape/owners",
    async ({ params, query, set, path: route }) => {
      const list = capeOwnersList(parts.reads.textures, readCapeField(params.cape));
      return ok(said.owners, (await readRows(list, { query, set, route })).map(presentCapeOwner));
    },
    {
      params: capeParams,
      query: placeQuery,
      response: { 200: capeOwnersEnvelope },
      detail: describe({
        operationId: "listCapeOwners",
        summary: "The users that may wear a cape, in the order of granting",
        who: "moderators",
        msg: said.owners,
        errors: [refusals.unknownCape(examples.cape)],
        answers: pageAnswer,
      }),
    },
  );
}

function giveRoute(parts: Parts) {
  return new Elysia()
    .use(guarding(staffGuard(parts, "administer")))
    .use(reading(jsonReader()))
    .post(
      "/cape/:cape/owners",
      async ({ actor, params, body }) => {
        const step = { cape: readCapeField(params.cape), ...readStep(body) };
        const expiresAt = readExpiry(body.expired_at, parts.clock.nowSeconds());
        return done(actions.give, presentStep(await giveCapeToMany(parts, actor, { ...step, expiresAt })));
      },
      {
        params: capeParams,
        body: giveBody,
        response: { 200: capeOwnersStepEnvelope },
        detail: describe({
          operationId: "giveCapeToMany",
          summary: "Give a cape to more people",
          description: `A grant that is there keeps its end. ${steps}`,
          who: "administrators",
          msg: succeeded(actions.give),
          errors: [refusals.unknownCape(examples.cape)],
        }),
      },
    );
}

function takeRoute(parts: Parts) {
  return new Elysia()
    .use(guarding(staffGuard(parts, "administer")))
    .use(reading(jsonReader()))
    .delete(
      "/cape/:cape/owners",
      async ({ actor, params, body }) => {
        const step = { cape: readCapeField(params.cape), ...readStep(body) };
        return done(actions.take, presentStep(await takeCapeFromMany(parts, actor, step)));
      },
      {
        params: capeParams,
        body: takeBody,
        response: { 200: capeOwnersStepEnvelope },
        detail: describe({
          operationId: "takeCapeFromMany",
          summary: "Take a cape from people, and off their skins and players",
          description: steps,
          who: "administrators",
          msg: succeeded(actions.take),
          errors: [refusals.unknownCape(examples.cape)],
        }),
      },
    );
}
