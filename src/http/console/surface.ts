import { Elysia, t } from "elysia";
import { consolePages } from "../../words/page-list.ts";
import type { Parts } from "../parts.ts";
import type { Surface } from "../surface.ts";
import { assetServer, assetsPath } from "./assets.ts";
import { brandRoutes, createBrand, logoPath, wellKnownTouchIconPath } from "./brand.ts";
import { communityRoutes } from "./community.ts";
import { createPageAnswers, type PageAnswers } from "./page-answers.ts";
import type { ConsoleParts } from "./parts.ts";
import { sessionRoutes } from "./session.ts";
import { confirmRoutes } from "./confirm.ts";
import { setupRoutes } from "./setup.ts";
import { consoleSocialRoutes } from "./social.ts";

export type ConsoleSurface = {
  readonly surface: Surface;
  /** The page that says that nothing is at an address. */
  readonly notFound: PageAnswers["notFound"];
};

/**
 * The web console: its pages, the files that they load, and what they know of the community. Failures are the API's envelopes,
 * which the pages' scripts read; the app shows a page instead to a person who opens an address.
 */
export function consoleSurface(
  parts: Parts,
  own: ConsoleParts,
  presentFailure: Surface["presentFailure"],
): ConsoleSurface {
  const made = createBrand(own);
  const pages = createPageAnswers(parts, own, made.brand);
  const routes = () =>
    new Elysia()
      .use(pageRoutes(pages))
      .use(fileRoutes(parts, own))
      .use(brandRoutes(parts, made, () => readTouchIcon(own)))
      .use(programRoutes(parts, own));
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
  const routes = new Elysia();
  for (const page of consolePages) {
    if (page.path === playerPagePath) {
      routes.get(playerPagePath, ({ request, params }) => pages.player(request, page, params.name ?? ""), {
        params: playerParams,
      });
    } else routes.get(page.path, ({ request }) => pages.answer(request, page));
  }
  return routes;
}

function fileRoutes(parts: Parts, { openFiles, logo }: ConsoleParts) {
  const serve = assetServer(parts, openFiles);
  return new Elysia()
    .get(`${assetsPath}/:file`, ({ params, request }) => serve(request, params.file))
    .get(iconPath, async ({ redirect }) => {
      const { manifest } = await openFiles();
      return redirect(logo === null ? `${assetsPath}/${manifest.icon}` : logoPath, 302);
    });
}

async function readTouchIcon({ openFiles }: ConsoleParts): Promise<Uint8Array<ArrayBuffer>> {
  const { manifest, read } = await openFiles();
  return read(manifest.touchIcon);
}

/** What the pages' scripts ask for (docs/contract/console.md). */
function programRoutes(parts: Parts, own: ConsoleParts) {
  return new Elysia({ prefix: "/console", tags: ["Console"] })
    .use(communityRoutes(parts, own))
    .use(sessionRoutes(parts))
    .use(confirmRoutes(parts))
    .use(setupRoutes(parts))
    .use(consoleSocialRoutes(parts));
}
