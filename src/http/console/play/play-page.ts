import { escapeHtml } from "../../../domain/mail/html.ts";
import { signInProtocols, type ProtocolName } from "../../protocol-names.ts";
import { drawingOf } from "./drawings.ts";
import {
  launchers,
  type Launcher,
  type LauncherWords,
  type PlayWords,
  type StepPart,
  type Step,
} from "../../../words/play.ts";

/** What the page says beside its texts. */
export type PlayFacts = {
  readonly language: string;
  readonly community: string;
  readonly links: readonly { readonly label: string; readonly url: string }[];
  /** The address that launchers with authlib-injector take; null: they cannot sign in. */
  readonly address: string | null;
  readonly protocols: ReadonlySet<ProtocolName>;
};

/**
 * What to enter into which launcher, as HTML that needs no script. The page's script finds its places by
 * class: an address (`play-address`), the name to sign in with (`play-name`), and the sentence about dragging
 * (`play-drag`), which stays hidden without it.
 */
export function playHtml(words: PlayWords, facts: PlayFacts): string {
  const shown = launchers.filter((launcher) => isShown(launcher, facts));
  const inside =
    shown.length === 0 ? [paragraph(words.off, facts, '<p class="notice">')] : partsOf(words, facts, shown);
  const heading = `<div class="page-head"><h1 dir="auto">${escapeHtml(words.heading)}</h1></div>`;
  return `${heading}<div class="play" lang="${facts.language}">${inside.join("")}</div>`;
}

/** Whether a player could sign in with this launcher. */
function isShown(launcher: Launcher, { address, protocols }: PlayFacts): boolean {
  if (launcher === "gravit") return protocols.has("gravit");
  if (launcher === "own") return signInProtocols.some((name) => protocols.has(name));
  return address !== null;
}

function partsOf(words: PlayWords, facts: PlayFacts, shown: readonly Launcher[]): readonly string[] {
  const entries = shown.map(
    (launcher) => `<li><a href="#${launcher}">${written(words.launchers[launcher].name, facts)}</a></li>`,
  );
  return [
    paragraph(words.intro, facts),
    `<ul class="play-facts">${[words.versions, words.servers, words.account]
      .map((text) => `<li>${written(text, facts, "/register")}</li>`)
      .join("")}</ul>`,
    `<nav class="play-contents" aria-label="${escapeHtml(words.contents)}"><ul>${entries.join("")}</ul></nav>`,
    ...shown.map((launcher) => launcherPart(launcher, words, facts)),
    troublePart(words, facts),
  ];
}

function launcherPart(launcher: Launcher, words: PlayWords, facts: PlayFacts): string {
  const { name, about, notice, steps, drag }: LauncherWords = words.launchers[launcher];
  return [
    `<section class="card play-launcher" id="${launcher}" aria-labelledby="${launcher}-name">`,
    `<div class="play-head"><div><h2 id="${launcher}-name">${written(name, facts)}</h2>${paragraph(about, facts, '<p class="soft">')}</div>`,
    `${drawingOf(launcher)}</div>`,
    notice === undefined ? "" : paragraph(notice, facts, '<p class="notice">'),
    `<ol class="play-steps">${steps.map((step) => stepPart(step, words, facts)).join("")}</ol>`,
    drag === undefined ? "" : `<p class="play-drag soft" hidden>${written(drag, facts)}</p>`,
    "</section>",
  ].join("");
}

function stepPart({ text, shows = [] }: Step, words: PlayWords, facts: PlayFacts): string {
  return `<li><p>${written(text, facts)}</p>${shows.map((one) => shownPart(one, words, facts)).join("")}</li>`;
}

function shownPart(shown: StepPart, words: PlayWords, { address, links }: PlayFacts): string {
  if (shown === "address")
    return address === null ? "" : `<div class="play-address"><code>${escapeHtml(address)}</code></div>`;
  if (shown === "sign-in") return signInPart(words);
  const entries = links.map(
    ({ label, url }) =>
      `<li><a href="${escapeHtml(url)}" rel="noreferrer" dir="auto">${escapeHtml(label)}</a></li>`,
  );
  return entries.length === 0 ? "" : `<ul class="start-links">${entries.join("")}</ul>`;
}

function signInPart({ name, anyName, password, ownPassword }: PlayWords): string {
  const who = `<dd class="play-name" dir="auto">${escapeHtml(anyName)}</dd>`;
  const [nameTerm, passwordTerm, passwordText] = [name, password, ownPassword].map(escapeHtml);
  return `<dl class="play-sign-in"><div><dt>${nameTerm}</dt>${who}</div><div><dt>${passwordTerm}</dt><dd>${passwordText}</dd></div></dl>`;
}

function troublePart({ troubles, trouble }: PlayWords, facts: PlayFacts): string {
  const items = [
    written(trouble.password, facts, "/forgetpass"),
    written(trouble.character, facts, "/registerfinish"),
    written(trouble.several, facts),
    written(trouble.server, facts),
  ];
  const list = items.map((item) => `<li>${item}</li>`).join("");
  return `<section aria-labelledby="troubles"><h2 id="troubles">${escapeHtml(troubles)}</h2><ul class="play-facts">${list}</ul></section>`;
}

function paragraph(text: string, facts: PlayFacts, begin = "<p>"): string {
  return `${begin}${written(text, facts)}</p>`;
}

/** A text as HTML: names between asterisks, a link between brackets, the community's name. */
function written(text: string, { language, community }: PlayFacts, link = ""): string {
  return escapeHtml(text)
    .replaceAll(/\*([^*]+)\*/g, (_, name: string) => named(name, language))
    .replace(/\[([^\]]+)\]/, (_, label: string) => `<a href="${link}">${label}</a>`)
    .replaceAll("{community}", () => `<bdi>${escapeHtml(community)}</bdi>`);
}

/**
 * The name of a button or field. A Chinese one among other words is marked as such: screen readers read it,
 * and fonts draw it so.
 */
function named(name: string, language: string): string {
  const isForeign = language !== "zh-Hans" && /\p{Script=Han}/u.test(name);
  return `<b${isForeign ? ' lang="zh-Hans"' : ""}>${name}</b>`;
}
