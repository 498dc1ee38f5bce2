import { consolePages } from "../../words/page-list.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import type { Surface } from "../surface.ts";
import { assetServer, assetsPath } from "./assets.ts";
import { brandRoutes, createBrand, logoPath, wellKnownTouchIconPath } from "./brand.ts";
import { communityRoutes } from "./community.ts";
import { createPageAnswers, type PageAnswers } from "./page-answers.ts";
import type { ConsoleSettings } from "./settings.ts";
import { sessionRoutes } from "./session.ts";
import { confirmRoutes } from "./confirm.ts";
import { setupRoutes } from "./setup.ts";
import { consoleSocialRoutes } from "./social.ts";
import { below, route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

export type ConsoleSurface = {
  readonly surface: Surface;
  /** The page that says that nothing is at an address. */
  readonly notFound: PageAnswers["notFound"];
};

/**
 * The web console: its pages, the files that they load, and what they know of the community. Failures are the
 * API's envelopes, which the pages' scripts read; the app shows a page instead to a person who opens an
 * address.
 */
export function consoleSurface(
  services: Pick<
    Services,
    | "accounts"
    | "clock"
    | "limits"
    | "members"
    | "players"
    | "reads"
    | "rules"
    | "sessions"
    | "social"
    | "textures"
  >,
  http: Http,
  own: ConsoleSettings,
  presentFailure: Surface["presentFailure"],
): ConsoleSurface {
  const made = createBrand(own);
  const pages = createPageAnswers(services, http, own, made.brand);
  const routes = () => [
    ...pageRoutes(pages),
    ...fileRoutes(http, own),
    ...brandRoutes(services, http, made, () => readTouchIcon(own)),
    ...programRoutes(services, http, own),
  ];
  return {
    surface: {
      prefixes: ["/console", iconPath, wellKnownTouchIconPath, ...pagePrefixes],
      isClosed: true,
      routes,
      presentFailure,
    },
    notFound: pages.notFound,
  };
}

/** Browsers ask for it beside whatever they show that is no page of ours. */
const iconPath = "/favicon.ico";

/** The first segment of every page: `/`, `/u`, `/home`. */
const pagePrefixes = [...new Set(consolePages.map(({ path }) => `/${path.split("/")[1] ?? ""}`))];

const playerPagePath = "/u/:name";
// Null for a path that is no valid percent-encoding, which names no player either.
const playerParams = t.Object({ name: t.Union([t.String(), t.Null()]) });

function pageRoutes(pages: PageAnswers) {
  return consolePages.map((page) => {
    if (page.path !== playerPagePath)
      return route("GET", page.path, { handle: ({ request }) => pages.answer(request, page) });
    return route("GET", playerPagePath, {
      params: playerParams,
      handle: ({ request, params }) => pages.player(request, page, params.name ?? ""),
    });
  });
}

function fileRoutes(http: Pick<Http, "changes" | "responseCache">, { openFiles, logo }: ConsoleSettings) {
  const serve = assetServer(http, openFiles);
  return [
    route("GET", `${assetsPath}/:file`, {
      params: t.Object({ file: t.String() }),
      handle: ({ params, request }) => serve(request, params.file),
    }),
    route("GET", iconPath, {
      handle: async () => {
        const { manifest } = await openFiles();
        const location = logo === null ? `${assetsPath}/${manifest.icon}` : logoPath;
        return new Response(null, { status: 302, headers: { location } });
      },
    }),
  ];
}

async function readTouchIcon({ openFiles }: ConsoleSettings): Promise<Uint8Array<ArrayBuffer>> {
  const { manifest, read } = await openFiles();
  return read(manifest.touchIcon);
}

/** What the pages' scripts ask for (docs/contract/console.md). */
function programRoutes(
  services: Pick<
    Services,
    "accounts" | "clock" | "limits" | "members" | "reads" | "rules" | "sessions" | "social"
  >,
  http: Http,
  own: ConsoleSettings,
) {
  return below("/console", "Console", [
    communityRoutes(services, http, own),
    ...sessionRoutes(services, http),
    ...confirmRoutes(services, http),
    setupRoutes(services, http),
    ...consoleSocialRoutes(services, http),
  ]);
}
