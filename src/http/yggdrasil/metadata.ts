import { publicKeyPem } from "../../domain/model/pem.ts";
import type { ShownJson } from "../answers.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import type { Site } from "../site.ts";
import { failureAnswer } from "./failures.ts";
import { root } from "./places.ts";
import { openJsonHeaders } from "../textures/answers.ts";
import { route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

/** What launchers and games read first: who this is, what it can do, and where everything is. */
export function metadataRoutes(
  services: Pick<Services, "game" | "rules">,
  http: Pick<Http, "answers" | "site">,
) {
  return [
    route("GET", "", {
      operationId: "getYggdrasilMetadata",
      summary: "What launchers show of this server, and the public key of its signatures",
      protocol: true,
      answers: {
        200: { schema: metadata, headers: openJsonHeaders },
        500: failureAnswer("The server has no usable key"),
      },
      handle: ({ request }) => http.answers.json(request, () => metadataShown(services, http.site)),
    }),
    route("GET", "/discovery/minecraft/client", {
      operationId: "getDiscovery",
      summary: "The addresses of everything that the game asks for",
      description: "For versions that read their addresses from here, in place of rewriting them.",
      protocol: true,
      answers: { 200: { schema: discovery }, 500: failureAnswer("A fault of the server") },
      handle: () => discoveryOf(http.site.publicUrl()),
    }),
    route("GET", "/discovery", { ...again, handle: () => discoveryOf(http.site.publicUrl()) }),
    route("GET", "/minecraft/client", {
      ...again,
      handle: () => discoveryOf(http.site.publicUrl()),
    }),
  ];
}

/**
 * Its other addresses are for games that ask the address of their setting as it stands, and for injectors
 * that shorten it.
 */
const again = { alias: `${root}/discovery/minecraft/client` };

const metadata = t.Object(
  {
    meta: t.Object({
      serverName: t.String({ examples: ["A community"] }),
      implementationName: t.String({ examples: ["cloakroom"] }),
      implementationVersion: t.String({ examples: ["1.0.0"] }),
      links: t.Object({
        homepage: t.String({ examples: ["https://www.example.org"] }),
        register: t.String({ examples: ["https://www.example.org/register"] }),
      }),
      "feature.non_email_login": t.Literal(true),
      "feature.legacy_skin_api": t.Literal(true),
      "feature.enable_profile_key": t.Literal(true),
    }),
    skinDomains: t.Array(t.String(), {
      description: "Hosts of textures; one that begins with a dot stands for all names below it",
      examples: [["skins.example.org"]],
    }),
    signaturePublickey: t.String({
      description: "PEM",
      examples: ["-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n"],
    }),
  },
  { component: "YggdrasilMetadata" },
);

async function metadataShown(
  { game: { signer }, rules }: Pick<Services, "game" | "rules">,
  { communityName, version, pages, ...urls }: Site,
): Promise<ShownJson> {
  const { id, publicKey } = await signer.key();
  const { hostname } = new URL(urls.publicUrl());
  const homepage = urls.siteUrl();
  const body: typeof metadata.static = {
    meta: {
      serverName: rules.game.serverName ?? communityName ?? new URL(homepage).hostname,
      implementationName: "cloakroom",
      implementationVersion: version,
      links: { homepage, register: pages().register },
      "feature.non_email_login": true,
      "feature.legacy_skin_api": true,
      "feature.enable_profile_key": true,
    },
    skinDomains: [...new Set([hostname, ...rules.game.skinDomains])],
    signaturePublickey: `${publicKeyPem(publicKey)}\n`,
  };
  return { body, subjects: [], holds: () => signer.isInForce(id) };
}

const endpoint = t.Object({ uri: t.String() });
const endpoints = t.Object({ endpoints: t.Record(t.String(), endpoint) });
const discovery = t.Object(
  {
    environment: t.Literal("prod"),
    product: t.Literal("minecraft"),
    discovery: t.Object({
      authentication: endpoints,
      session: endpoints,
      player: endpoints,
      profiles: t.Object({
        endpoints: t.Object({
          getManyByName: endpoint,
          getByName: endpoint,
          getTexture: t.Object({ validUris: t.Array(t.String()) }),
        }),
      }),
      telemetry: endpoints,
    }),
  },
  {
    component: "GameDiscovery",
    examples: [discoveryOf("https://skins.example.org")],
  },
);

function discoveryOf(publicUrl: string) {
  const at = (place: string) => (path: string) => ({ uri: `${publicUrl}${root}${place}${path}` });
  const session = at("/sessionserver/session/minecraft");
  const services = at("/minecraftservices");
  const lookup = at("/minecraftservices/minecraft/profile/lookup");
  return {
    environment: "prod",
    product: "minecraft",
    discovery: {
      authentication: {
        endpoints: {
          getPublicKeys: services("/publickeys"),
          loginXbox: services("/authentication/login_with_xbox"),
        },
      },
      session: {
        endpoints: {
          getProfileById: session("/profile/{profileId}"),
          verify: session("/hasJoined"),
          join: session("/join"),
        },
      },
      player: {
        endpoints: {
          updatePresence: services("/presence"),
          sendReport: services("/player/report"),
          getAttributes: services("/player/attributes"),
          updateAttributes: services("/player/attributes"),
          getFriends: services("/friends"),
          updateFriends: services("/friends"),
          getCertificates: services("/player/certificates"),
          getBlocklist: services("/privacy/blocklist"),
        },
      },
      profiles: {
        endpoints: {
          getManyByName: lookup("/bulk/byname"),
          getByName: lookup("/name/{name}"),
          getTexture: { validUris: [`${publicUrl}/textures/{textureId}`] },
        },
      },
      telemetry: { endpoints: { sendEvents: services("/events") } },
    },
  };
}
