import { escapeHtml } from "../../domain/mail/html.ts";
import type { Language } from "../../domain/model/mail.ts";
import type { ConsolePage } from "../../words/page-list.ts";
import type { PlayWords } from "../../words/play.ts";
import { serverWords } from "../../words/server.ts";
import { communityNameOf } from "../community-name.ts";
import type { Site } from "../site.ts";
import { launcherAddressOf } from "./community.ts";
import type { ConsoleSettings } from "./settings.ts";
import { playHtml } from "./play/play-page.ts";
import { previewElements } from "./player-page.ts";

/** What a page has of its own. */
export type Content = {
  /** Null: there is none. */
  readonly module: string | null;
  /** Its heading; null: the community's name. */
  readonly heading: string | null;
  readonly head: string;
  readonly body: string;
  /** What people without scripts read; left out: that the page needs them. */
  readonly noScript?: string;
};

/** What pages show of the community: with the address of its picture. */
type ShownCommunity = Pick<ConsoleSettings, "text" | "links"> & { readonly picture: string };

/** The content of a page that is the same for everybody who reads its language. */
export async function contentOf(
  site: Site,
  own: ShownCommunity,
  { path, module, title }: ConsolePage,
  language: Language,
): Promise<Content> {
  const { play, pages } = await serverWords[language].served();
  if (path === "/play") return { module, head: "", ...playContent(site, own, play, language) };
  const heading = title?.(pages) ?? null;
  const head = path === "/" ? communityPreview(site, own) : "";
  return { module, heading, head, body: "" };
}

function playContent(site: Site, { links }: ShownCommunity, words: PlayWords, language: Language) {
  const community = communityNameOf(site);
  const { protocols } = site;
  const body = playHtml(words, { language, community, links, protocols, address: launcherAddressOf(site) });
  return { heading: words.heading, body, noScript: words.noScript };
}

function communityPreview(site: Site, { text, picture }: ShownCommunity): string {
  const community = communityNameOf(site);
  return previewElements({
    "og:type": "website",
    "og:title": community,
    "og:url": `${site.publicUrl()}/`,
    "og:image": `${site.publicUrl()}${picture}`,
    "og:image:alt": community,
    ...(text === null ? {} : { "og:description": text }),
  });
}

/** The page for an address where nothing is. */
export async function notFoundContent(language: Language): Promise<Content> {
  const { pages } = await serverWords[language].served();
  const { notFound, notFoundHelp, toStart } = pages.shell;
  const [heading, help, start] = [notFound, notFoundHelp, toStart].map(escapeHtml);
  const body = `<h1>${heading}</h1><p>${help}</p><p><a href="/">${start}</a></p>`;
  return { module: null, heading: notFound, head: "", body };
}
