import { below, type Route } from "../routing/route.ts";

/** Where the protocol lives: the root that launchers are given. */
export const root = "/api/yggdrasil";

/**
 * The hosts that clients replace by paths, and the root itself, for libraries with one base address for all
 * of them.
 */
type Place = "/authserver" | "/sessionserver" | "/api" | "/minecraftservices" | "/minecraftservices/api" | "";

/** The same routes at several places. The API's document shows them at the first. */
export function atPlaces(places: readonly [Place, ...Place[]], routes: readonly Route[]): readonly Route[] {
  const [first, ...others] = places;
  const shown = routes.map((one) => ({ ...one, protocol: true as const }));
  const again = routes.map(({ summary: _summary, ...one }) => {
    return { ...one, alias: root + first + one.path };
  });
  return [...below(first, undefined, shown), ...others.flatMap((place) => below(place, undefined, again))];
}
