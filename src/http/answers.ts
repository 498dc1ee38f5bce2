import type { SkinModel } from "../domain/model/texture.ts";
import type { ChangeFeed, Subject } from "../domain/ports/change-feed.ts";
import type { PictureRequest, Pictures, ImageFile } from "../domain/textures/pictures.ts";
import type { Clock } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import { createSlowRefusals } from "../kernel/slow-refusals.ts";
import type { Waiter } from "../kernel/waiters.ts";
import { jsonType } from "./json-type.ts";
import { etagMatches } from "./negotiation.ts";
import type { ResponseCache } from "./response-cache.ts";

/** How long an answer may be kept elsewhere (docs/contract/delivery.md#caching). */
export const caching = {
  /** What a member can change: a change shows within a minute in caches elsewhere, and at once here. */
  follows: "public, max-age=60, stale-while-revalidate=600",
  /** What never changes under its address. */
  fixed: "public, max-age=31536000, immutable",
  /** Descriptors: launchers read them when a game starts, which must not begin with yesterday's skin. */
  asked: "no-cache",
} as const;

type Dated = {
  /**
   * Whether `Last-Modified` says when the answer was made, as CustomSkinAPI asks. It decides nothing: `ETag`
   * does.
   */
  readonly isDated?: true;
};

export type Shown = Dated & {
  readonly what: { readonly file: ImageFile } | { readonly picture: PictureRequest };
  readonly caching: "follows" | "fixed";
  /**
   * The replacement for what the player has not chosen: a default skin, or nothing for a cape. Null: it was
   * chosen.
   */
  readonly byDefault?: SkinModel | "transparent" | null;
  /** The name under which browsers save the file; left out: they show it. */
  readonly savedAs?: string;
  /** All that it was found from; null where that has no name: then nothing is remembered. */
  readonly subjects: readonly Subject[] | null;
};

export type ShownJson = Dated & {
  readonly body: object;
  readonly subjects: readonly Subject[];
  /**
   * Whether it holds apart from its subjects; left out: as long as they do. Asked at every answer, so it
   * costs microseconds.
   */
  readonly holds?: () => boolean;
  /** `asked` when left out. */
  readonly caching?: "asked" | "follows";
};

export type Answers = {
  /** Answers with the image that `find` returns, or with 304 when the client has it. */
  readonly image: (request: Request, find: () => Promise<Shown>) => Promise<Response>;
  /** Answers with the JSON that `find` returns, with 304 when the client has it, and with 204 for null. */
  readonly json: (request: Request, find: () => Promise<ShownJson | null>) => Promise<Response>;
};

/** Makes delivery's answers and caches them. */
export function createAnswers(deps: {
  readonly pictures: Pictures;
  readonly changes: ChangeFeed;
  readonly responseCache: ResponseCache;
  readonly waiterOf: (request: Request) => Waiter;
  readonly clock: Pick<Clock, "nowSeconds">;
  /** Seconds for which a CDN may keep pictures; 0: as browsers. */
  readonly pictureMaxAge: number;
}): Answers {
  const { pictures, changes, responseCache, waiterOf, clock, pictureMaxAge } = deps;
  const refuseSlowly = createSlowRefusals();
  const date = (headers: Headers, { isDated }: Dated): void => {
    if (isDated) headers.set("last-modified", new Date(clock.nowSeconds() * 1000).toUTCString());
  };

  return {
    image: async (request, find) => {
      const position = changes.position();
      const shown = await find();
      const { what, subjects } = shown;
      const tag = "file" in what ? pictures.tagOfFile(what.file) : pictures.tagOf(what.picture);
      const etag = `"${tag}"`;
      const headers = imageHeaders(etag, shown, pictureMaxAge);
      date(headers, shown);
      const peek = () => pictures.peek(tag);
      if (subjects !== null)
        responseCache.remember(request, position, { etag, headers, subjects, holds: always, body: peek });
      if (etagMatches(request, etag)) return new Response(null, { status: 304, headers });
      if ("file" in what) return new Response(await pictures.file(what.file), { headers });
      const waiter = waiterOf(request);
      try {
        return new Response(await pictures.picture(what.picture, waiter), { headers });
      } catch (error) {
        if (error instanceof AppError && error.kind === "limited") await refuseSlowly(waiter.gone);
        throw error;
      }
    },
    json: async (request, find) => {
      const position = changes.position();
      const found = await find();
      if (found === null) return new Response(null, { status: 204, headers: openToAll });
      const body = JSON.stringify(found.body);
      const etag = `"${Bun.hash(body).toString(36)}"`;
      const headers = new Headers({
        "content-type": jsonType,
        etag,
        "cache-control": caching[found.caching ?? "asked"],
        ...openToAll,
      });
      date(headers, found);
      const { subjects, holds = always } = found;
      responseCache.remember(request, position, { etag, headers, subjects, holds, body });
      const notModified = etagMatches(request, etag);
      return new Response(notModified ? null : body, { status: notModified ? 304 : 200, headers });
    },
  };
}

const always = () => true;

/** Any web page may show a player. */
const openToAll = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "ETag, X-Texture-Default",
} as const;

function imageHeaders(etag: string, shown: Shown, pictureMaxAge: number): Headers {
  const isShared = pictureMaxAge > 0 && shown.caching === "follows" && "picture" in shown.what;
  const headers = new Headers({
    "content-type": "image/png",
    etag,
    "cache-control": isShared
      ? caching.follows.replace("max-age=60", `max-age=60, s-maxage=${pictureMaxAge}`)
      : caching[shown.caching],
    ...openToAll,
  });
  const { byDefault, savedAs } = shown;
  if (savedAs !== undefined) headers.set("content-disposition", `attachment; filename="${savedAs}"`);
  if (byDefault !== undefined && byDefault !== null) headers.set("x-texture-default", byDefault);
  return headers;
}
