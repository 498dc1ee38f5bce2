import type { Accent, AccentColours } from "../../domain/model/accent.ts";
import { caching, type Shown } from "../answers.ts";
import { nothingHere } from "../failures.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import type { ConsoleSettings } from "./settings.ts";
import { answerWith, tagOf, type Representation } from "./representation.ts";
import { route } from "../routing/route.ts";

/** The community's own look: its colour and its logo. */
export type Brand = {
  /**
   * The address of the style with its colour; null: it has none. The address names the content, so browsers
   * may keep it.
   */
  readonly styleAddress: () => string | null;
  readonly logoAddress: () => string | null;
  /** The address of the picture that stands for it in previews of links: its logo, else one that is drawn. */
  readonly pictureAddress: () => string;
  /** The logo for home screens. */
  readonly touchIconAddress: () => string | null;
};

const stylePath = "/console/accent.css";
export const logoPath = "/console/logo";
const previewPath = "/console/preview.png";
const previewWidth = 512;
const touchIconPath = "/console/touch-icon";
/** Where telephones look for the icon of a page that is kept on the home screen. */
export const wellKnownTouchIconPath = "/apple-touch-icon.png";

export function createBrand({ accent, logo }: ConsoleSettings) {
  const style =
    accent === null ? null : once(() => represent(encode(accentStyle(accent)), "text/css;charset=utf-8"));
  const picture = logo === null ? null : once(() => represent(logo.picture, "image/png"));
  const touchIcon = logo === null ? null : once(() => represent(logo.touchIcon, "image/png"));
  const brand: Brand = {
    styleAddress: () => addressOf(stylePath, style),
    logoAddress: () => addressOf(logoPath, picture),
    pictureAddress: () => addressOf(logoPath, picture) ?? previewPath,
    touchIconAddress: () => addressOf(touchIconPath, touchIcon),
  };
  return { brand, style, picture, touchIcon };
}

type Found = (() => Kept) | null;
type Kept = Representation & { readonly tag: string };

/**
 * `/console/accent.css`, `/console/logo` and `/console/touch-icon`: under the address that names their
 * content they never change. And `/apple-touch-icon.png`, which is `ownTouchIcon` where there is no logo, and
 * `/console/preview.png`, which is drawn.
 */
export function brandRoutes(
  { textures }: Pick<Services, "textures">,
  http: Pick<Http, "answers" | "responseCache" | "changes">,
  { style, picture, touchIcon }: ReturnType<typeof createBrand>,
  ownTouchIcon: () => Promise<Uint8Array<ArrayBuffer>>,
) {
  let own: Kept | null = null;
  const answer = (found: Found, request: Request): Response => {
    if (found === null) throw nothingHere();
    const { tag, ...kept } = found();
    const headers = new Headers(kept.headers);
    headers.set("cache-control", request.url.endsWith(`?${tag}`) ? caching.fixed : caching.asked);
    const lasting = { position: http.changes.position(), subjects: [] };
    return answerWith(http, request, { ...kept, headers }, lasting);
  };
  return [
    route("GET", stylePath, { handle: ({ request }) => answer(style, request) }),
    route("GET", logoPath, { handle: ({ request }) => answer(picture, request) }),
    route("GET", touchIconPath, { handle: ({ request }) => answer(touchIcon, request) }),
    route("GET", wellKnownTouchIconPath, {
      handle: async ({ request }) => {
        if (touchIcon !== null) return answer(touchIcon, request);
        own ??= represent(await ownTouchIcon(), "image/png");
        const kept = own;
        return answer(() => kept, request);
      },
    }),
    route("GET", previewPath, {
      handle: ({ request }) => http.answers.image(request, async () => preview(textures)),
    }),
  ];
}

/** The default skin on its figure: what a community without a logo is shown by. */
function preview({ defaults }: Services["textures"]): Shown {
  const skin = { file: defaults.classic, model: "classic" } as const;
  const picture = { view: "body", type: "player", size: previewWidth, skin } as const;
  return { what: { picture }, caching: "follows", subjects: [] };
}

/** The properties of `src/web/styles/tokens.css` that the colour replaces. */
function accentStyle({ light, dark }: AccentColours): string {
  const property = (name: string, key: keyof Accent) => `--${name}:light-dark(${light[key]},${dark[key]})`;
  return `:root{${property("accent", "accent")};${property("fill", "fill")};${property("on-fill", "onFill")}}`;
}

function represent(bytes: Uint8Array<ArrayBuffer>, type: string): Kept {
  const tag = tagOf(bytes);
  const etag = `"${tag}"`;
  const headers = new Headers({ "content-type": type, "cross-origin-resource-policy": "same-origin", etag });
  return { tag, etag, headers, body: new Blob([bytes]) };
}

function addressOf(path: string, found: Found): string | null {
  return found === null ? null : `${path}?${found().tag}`;
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Makes a value at the first use: the start waits for nothing of it. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}
