import { Elysia } from "elysia";
import type { Parts } from "../parts.ts";
import type { Surface } from "../surface.ts";
import { assetServer, assetsPath } from "./assets.ts";
import { communityRoutes } from "./community.ts";
import { createPageAnswers, type PageAnswers } from "./page-answers.ts";
import { consolePages } from "./pages.ts";
import type { ConsoleParts } from "./parts.ts";
import { sessionRoutes } from "./session.ts";
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
  const pages = createPageAnswers(parts, own);
  const routes = () =>
    new Elysia().use(pageRoutes(pages)).use(assetRoutes(own)).use(programRoutes(parts, own));
  return {
    surface: { prefixes: ["/console", ...pagePrefixes], routes, presentFailure },
    notFound: pages.notFound,
  };
}

/** The first segment of every page: `/`, `/u`, `/home`. */
const pagePrefixes = [...new Set(consolePages.map(({ path }) => `/${path.split("/")[1] ?? ""}`))];

function pageRoutes({ answer }: PageAnswers) {
  const routes = new Elysia();
  for (const page of consolePages) routes.get(page.path, ({ request }) => answer(request, page));
  return routes;
}

function assetRoutes({ openFiles }: ConsoleParts) {
  const serve = assetServer(openFiles);
  return new Elysia().get(`${assetsPath}/:file`, ({ params, request }) => serve(request, params.file));
}

/** What the pages' scripts ask for (docs/contract/console.md). */
function programRoutes(parts: Parts, own: ConsoleParts) {
  const ofPeople = new Elysia()
    .headers({ "cache-control": "no-store" })
    .use(sessionRoutes(parts))
    .use(setupRoutes(parts))
    .use(consoleSocialRoutes(parts));
  return new Elysia({ prefix: "/console", tags: ["Console"] }).use(communityRoutes(parts, own)).use(ofPeople);
}
