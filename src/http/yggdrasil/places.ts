import { Elysia, type AnyElysia } from "elysia";
import { describe, describeAlias, type Description } from "../openapi/describe.ts";

/** Where the protocol lives: the root that launchers are given. */
export const root = "/api/yggdrasil";

/** The `detail` of a route, whose path below its place this is. */
export type Say = (path: string, described: Description) => object;

/** The hosts that clients replace by paths, and the root itself, for libraries with one base address for all of them. */
type Place = "/authserver" | "/sessionserver" | "/api" | "/minecraftservices" | "/minecraftservices/api" | "";

/** Registers the same routes at several places. The API's document shows them at the first. */
export function atPlaces(places: readonly [Place, ...Place[]], routesAt: (say: Say) => AnyElysia): AnyElysia {
  const [first] = places;
  const all = new Elysia();
  for (const prefix of places) {
    const say: Say = (path, described) =>
      prefix === first ? describe({ ...described, protocol: true }) : describeAlias(root + first + path);
    all.use(new Elysia({ prefix }).use(routesAt(say)));
  }
  return all;
}
