import { examples } from "../openapi/examples.ts";
import type { RequestContexts } from "../request-context.ts";
import { pathOf } from "../target.ts";
import { t } from "../routing/schema.ts";
import { NotFoundError } from "../routing/errors.ts";

/**
 * Paths that end in a file's suffix, as `/csl/:name.json`. The framework takes `name.json` for the name of
 * the parameter and lets any segment in, so each handler reads its segment here. A segment is null where its
 * percent-encoding is broken.
 */

/** One segment of a path that names a player. */
const nameSegment = t.Union([t.String(), t.Null()], {
  description: "A player's name, in any case",
  documented: { type: "string", examples: [examples.name] },
});

/** The parameters of `:name.json`, `:name.png` and `:name`. */
export const jsonParams = t.Object({ "name.json": nameSegment });
export const pngParams = t.Object({ "name.png": nameSegment });
export const nameParams = t.Object({ name: nameSegment });

/**
 * The part of a segment before its suffix; null where the segment is. Without the suffix, the address is an
 * unknown one.
 */
export function stemOf(
  { contexts }: { readonly contexts: Pick<RequestContexts, "of"> },
  request: Request,
  { segment, suffix }: { readonly segment: string | null; readonly suffix: string },
): string | null {
  const end = segment ?? pathOf(request.url).replace(/\/$/, "");
  if (!end.endsWith(suffix)) {
    contexts.of(request).route = null;
    throw new NotFoundError();
  }
  return segment?.slice(0, -suffix.length) ?? null;
}

/** A segment without the suffix, where it has one. */
export function withoutSuffix(segment: string | null, suffix: string): string | null {
  return segment?.endsWith(suffix) === true ? segment.slice(0, -suffix.length) : segment;
}
