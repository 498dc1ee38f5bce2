import type { Http } from "../../http.ts";
import { installationEnvelope, presentInstallation } from "../../resources/installation.ts";
import { route } from "../../routing/route.ts";

/**
 * Where the settings of this server are, and how its commands are typed
 * (docs/contract/admin.md#installation).
 */
export function installationRoute({ guards, site }: Http) {
  return route("GET", "/installation", {
    guard: guards.staff("administer"),
    envelope: installationEnvelope,
    operationId: "getInstallation",
    summary: "Where settings go, which are given, and how the server was started",
    description:
      "For the page that helps to set the server up. It has no value of a setting. The file is looked at at each request. Of several nodes, the one that answers describes itself.",
    msg: "Installation",
    handle: async () => presentInstallation(await site.installation()),
  });
}
