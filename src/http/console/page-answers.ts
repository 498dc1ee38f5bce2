import { escapeHtml } from "../../domain/mail/html.ts";
import type { Language } from "../../domain/model/mail.ts";
import { communityNameOf } from "../community-name.ts";
import { variantOf } from "../negotiation.ts";
import { serverWords } from "../../words/server.ts";
import type { ConsolePage } from "../../words/page-list.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import { assetsPath } from "./assets.ts";
import type { Brand } from "./brand.ts";
import { presentCommunity } from "./community.ts";
import { dataBlock, documentWriter, headElement, type WriteDocument } from "./document.ts";
import type { Manifest } from "./files.ts";
import { pageHeaders } from "./headers.ts";
import { modulesOf } from "./pages.ts";
import type { ConsoleSettings } from "./settings.ts";
import { contentOf, notFoundContent, type Content } from "./page-content.ts";
import { findPlayer, playerHtml, playerPath, playerPreview, type MovedPlayer } from "./player-page.ts";
import { answerWith, formsOfText, type Lasting, type Representation } from "./representation.ts";

export type PageAnswers = {
  readonly answer: (request: Request, page: ConsolePage) => Promise<Response>;
  /**
   * The page of a player, or the way to it under the name that the player has now. Fails with not_found for
   * an unknown one.
   */
  readonly player: (request: Request, page: ConsolePage, name: string) => Promise<Response>;
  /** The page for an address where nothing is. */
  readonly notFound: (request: Request) => Promise<Response>;
};

/** Makes the answers of pages. Those without a player are written once for each language. */
export function createPageAnswers(
  services: Pick<Services, "clock" | "members" | "players" | "reads" | "rules" | "social">,
  http: Pick<Http, "changes" | "responseCache" | "site">,
  own: ConsoleSettings,
  brand: Brand,
): PageAnswers {
  const write = createWriter(services, http, own, brand);
  const written = new Map<string, (request: Request) => Representation>();

  const find = async (key: string, language: Language, contentOf: () => Promise<Content>) => {
    const isSetupNeeded = await services.members.isSetupOpen();
    const fullKey = `${key} ${language} ${isSetupNeeded}`;
    const forms = written.get(fullKey) ?? (await write(language, isSetupNeeded, await contentOf()));
    written.set(fullKey, forms);
    return { forms, isSetupNeeded };
  };

  return {
    answer: async (request, page) => {
      const { language } = variantOf(request);
      const position = http.changes.position();
      const { forms, isSetupNeeded } = await find(page.path, language, () =>
        contentOf(http.site, { ...own, picture: brand.pictureAddress() }, page, language),
      );
      const lasting = { position, subjects: [], ...until(services.clock, isSetupNeeded) };
      return answerWith(http, request, forms(request), lasting);
    },
    player: async (request, page, name) => {
      const { language } = variantOf(request);
      const position = http.changes.position();
      const player = await findPlayer(services, name);
      // Never remembered: the name may be another player's by the next request.
      if ("movedTo" in player) return moved(player);
      const words = await serverWords[language].served();
      const place = { publicUrl: http.site.publicUrl(), community: communityNameOf(http.site) };
      const isSetupNeeded = await services.members.isSetupOpen();
      const forms = await write(language, isSetupNeeded, {
        module: page.module,
        heading: player.name,
        head:
          playerPreview(player, words, place) + dataBlock("player", { name: player.name, uuid: player.uuid }),
        body: playerHtml(player, words, language),
        noScript: words.noScriptPlayer,
      });
      const form = forms(request);
      const kept = { position, subjects: player.subjects, ownBytes: form.body.size };
      const lasting = { ...kept, ...until(services.clock, isSetupNeeded) };
      return answerWith(http, request, form, lasting);
    },
    notFound: async (request) => {
      const { language } = variantOf(request);
      const { forms } = await find("", language, () => notFoundContent(language));
      return missing(forms(request));
    },
  };
}

/** How long a page holds: the first administrator may be made at any time, by another process too. */
function until(clock: Services["clock"], isSetupNeeded: boolean): Partial<Pick<Lasting, "holds">> {
  if (!isSetupNeeded) return {};
  const end = clock.steadySeconds() + 1;
  return { holds: () => clock.steadySeconds() < end };
}

function moved({ movedTo }: MovedPlayer): Response {
  return new Response(null, {
    status: 302,
    headers: { location: playerPath(movedTo), "cache-control": "no-store" },
  });
}

function missing({ body, headers: kept }: Representation): Response {
  const headers = new Headers(kept);
  headers.delete("etag");
  headers.set("cache-control", "no-store");
  headers.append("vary", "accept, sec-fetch-dest");
  return new Response(body, { status: 404, headers });
}

function createWriter(
  services: Pick<Services, "rules" | "social">,
  http: Pick<Http, "site">,
  own: ConsoleSettings,
  brand: Brand,
) {
  let writer: WriteDocument | null = null;

  return async (language: Language, isSetupNeeded: boolean, content: Content) => {
    const { module, heading, head, body } = content;
    const noScript = content.noScript ?? (await serverWords[language].served()).noScript;
    const { manifest } = await own.openFiles();
    writer ??= documentWriter(manifest.page);
    const community = communityNameOf(http.site);
    const style = brand.styleAddress();
    const html = writer({
      language,
      title: heading === null ? community : `${heading} · ${community}`,
      icon: brand.logoAddress() ?? `${assetsPath}/${manifest.icon}`,
      touchIcon: brand.touchIconAddress() ?? `${assetsPath}/${manifest.touchIcon}`,
      head: [
        style === null ? "" : headElement("link", { rel: "stylesheet", href: style }),
        ...preloads(manifest, modulesOf(module, language)),
        head,
        dataBlock("community", presentCommunity(services, http.site, own, isSetupNeeded)),
      ].join(""),
      body: body === "" ? "" : frame(community, body),
      noScript,
    });
    return formsOfText(html, {
      ...pageHeaders,
      "cache-control": "no-cache",
      "content-language": language,
      vary: "accept-encoding, accept-language",
    });
  };
}

/**
 * Scripts that the page would ask for only after the first one has run; so the browser loads them beside it.
 */
function preloads({ scripts }: Manifest, modules: readonly string[]): readonly string[] {
  const [first, ...further] = [
    ...new Set(["web/index.html", ...modules].flatMap((module) => scripts[module] ?? [])),
  ];
  const needed = first === undefined ? [] : further;
  return needed.map((name) =>
    headElement("link", { rel: "modulepreload", crossorigin: "", href: `${assetsPath}/${name}` }),
  );
}

/**
 * The frame of the page that its script draws too, so that nothing moves when it does. Long names as in
 * `src/web/shell/header.tsx`.
 */
function frame(community: string, body: string): string {
  const style = community.length > 30 ? ' class="brand-long"' : "";
  return `<div><header class="header"><a class="brand" href="/"><span dir="auto"${style}>${escapeHtml(community)}</span></a></header><main id="main"><div class="page">${body}</div></main></div>`;
}
