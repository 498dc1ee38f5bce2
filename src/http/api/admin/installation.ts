import { Elysia } from "elysia";
import { guarding } from "../../routing/legacy.ts";
import { ok } from "../../envelope.ts";
import { staffGuard } from "../../guards.ts";
import { describe } from "../../openapi/describe.ts";
import type { Parts } from "../../parts.ts";
import { installationEnvelope, presentInstallation } from "../../resources/installation.ts";

const said = { installation: "Installation" } as const;

/** Where the settings of this server are, and how its commands are typed (docs/contract/admin.md#installation). */
export function installationRoute(parts: Parts) {
  return new Elysia()
    .use(guarding(staffGuard(parts, "administer")))
    .get(
      "/installation",
      async () => ok(said.installation, presentInstallation(await parts.installation())),
      {
        response: { 200: installationEnvelope },
        detail: describe({
          operationId: "getInstallation",
          summary: "Where settings go, which are given, and how the server was started",
          description:
            "For the page that helps to set the server up. It has no value of a setting. The file is looked at at each request. Of several nodes, the one that answers describes itself.",
          who: "administrators",
          msg: said.installation,
        }),
      },
    );
}
