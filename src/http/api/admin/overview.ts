import type { Services } from "../../../domain/use-cases/services.ts";
import type { Http } from "../../http.ts";
import { overviewEnvelope, presentOverview } from "../../resources/overview.ts";
import { route } from "../../routing/route.ts";

/** How the community is and how the server does (docs/contract/admin.md#overview). */
export function overviewRoute({ health, textures, clock }: Services, { guards, site }: Http) {
  const started_at = clock.nowSeconds();
  return route("GET", "/overview", {
    guard: guards.staff("inspect"),
    envelope: overviewEnvelope,
    operationId: "getOverview",
    summary: "Counts, the last days, mail, disk, cache, and what is not in order",
    description:
      "The checks are those of `cloakroom doctor` that make sense while the server runs. They are remembered for a minute.",
    msg: "Overview",
    handle: async () => {
      const { hits, misses } = textures.pictures.statistics();
      const server = { cache: { hits, misses }, version: site.version, started_at };
      return presentOverview(await health.overview(), server);
    },
  });
}
