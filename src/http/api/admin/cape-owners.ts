import { refusals } from "../../../domain/model/refusals.ts";
import { capeOwnersList } from "../../../domain/textures/capes.ts";
import type { Services } from "../../../domain/use-cases/services.ts";
import { limits } from "../../../kernel/limits.ts";
import { readExpiry } from "../../fields.ts";
import type { Http } from "../../http.ts";
import { examples } from "../../openapi/examples.ts";
import { refusalsOf } from "../../openapi/refusal-groups.ts";
import { pageAnswer, placeQuery, readRows } from "../../paging.ts";
import { readCapeField } from "../../resources/cape-grant.ts";
import {
  readStep,
  capeOwnersEnvelope,
  capeOwnersStepEnvelope,
  capeParams,
  giveBody,
  presentCapeOwner,
  presentStep,
  takeBody,
} from "../../resources/cape-owners.ts";
import { route } from "../../routing/route.ts";

const steps = `A step changes ${limits.ownersChangedMax} people at most: send the same again with \`after\`, the \`next\` of the answer, until that is null.`;

/** Who may wear a cape (docs/contract/admin.md#owners-of-a-cape). */
export function capeOwnerRoutes({ reads, members, clock }: Services, { guards }: Http) {
  return [
    route("GET", "/cape/:cape/owners", {
      guard: guards.staff("inspect"),
      params: capeParams,
      query: placeQuery,
      envelope: capeOwnersEnvelope,
      operationId: "listCapeOwners",
      summary: "The users that may wear a cape, in the order of granting",
      msg: "Owners",
      errors: [refusals.unknownCape(examples.cape)],
      answers: pageAnswer,
      refuses: [...refusalsOf.page, ...refusalsOf.search],
      handle: async ({ params, query, set, path: route }) => {
        const list = capeOwnersList(reads.textures, readCapeField(params.cape));
        return (await readRows(list, { query, set, route })).map(presentCapeOwner);
      },
    }),
    route("POST", "/cape/:cape/owners", {
      guard: guards.staff("administer"),
      params: capeParams,
      body: giveBody,
      envelope: capeOwnersStepEnvelope,
      operationId: "giveCapeToMany",
      summary: "Give a cape to more people",
      description: `A grant that is there keeps its end. ${steps}`,
      action: "Giving",
      errors: [refusals.unknownCape(examples.cape)],
      refuses: [...refusalsOf.end, refusals.unknownIds, refusals.unknownNamedCape],
      handle: async ({ actor, params, body }) => {
        const step = { cape: readCapeField(params.cape), ...readStep(body) };
        const expiresAt = readExpiry(body.expired_at, clock.nowSeconds());
        return presentStep(await members.giveCapeToMany(actor, { ...step, expiresAt }));
      },
    }),
    route("DELETE", "/cape/:cape/owners", {
      guard: guards.staff("administer"),
      params: capeParams,
      body: takeBody,
      envelope: capeOwnersStepEnvelope,
      operationId: "takeCapeFromMany",
      summary: "Take a cape from people, and off their skins and players",
      description: steps,
      action: "Taking",
      errors: [refusals.unknownCape(examples.cape)],
      refuses: [refusals.unknownIds, refusals.unknownNamedCape],
      handle: async ({ actor, params, body }) => {
        const step = { cape: readCapeField(params.cape), ...readStep(body) };
        return presentStep(await members.takeCapeFromMany(actor, step));
      },
    }),
  ];
}
