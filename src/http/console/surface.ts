import { Elysia } from "elysia";
import type { Parts } from "../parts.ts";
import type { Surface } from "../surface.ts";
import { assetServer, assetsPath } from "./assets.ts";
import { communityRoutes } from "./community.ts";
import { createPageAnswers, type PageAnswers } from "./page-answers.ts";
import { consolePages } from "./pages.ts";
import type { ConsoleParts } from "./parts.ts";

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
    new Elysia()
      .use(pageRoutes(pages))
      .use(assetRoutes(own))
      .use(new Elysia({ prefix: "/console" }).use(communityRoutes(parts, own)));
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
