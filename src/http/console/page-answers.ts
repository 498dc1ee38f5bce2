import { languageOf } from "../negotiation.ts";
import type { Parts } from "../parts.ts";
import { communityNameOf } from "../community-name.ts";
import { assetsPath } from "./assets.ts";
import { needsSetup, presentCommunity } from "./community.ts";
import { dataBlock, documentWriter } from "./document.ts";
import type { ConsoleFiles, Manifest } from "./files.ts";
import { pageHeaders } from "./headers.ts";
import type { ConsolePage } from "./pages.ts";
import type { ConsoleParts } from "./parts.ts";
import { answerWith, codingFor, textRepresentations, type Representation } from "./representation.ts";

export type PageAnswers = {
  readonly answer: (request: Request, page: ConsolePage) => Promise<Response>;
  /** The page for an address where nothing is. */
  readonly notFound: (request: Request) => Promise<Response>;
};

/** Makes the answers of pages; each is written once for each language and community. */
export function createPageAnswers(parts: Parts, own: ConsoleParts): PageAnswers {
  const written = new Map<string, ReturnType<typeof textRepresentations>>();

  /** The page in the form that the request asks for. */
  const find = async (request: Request, page: ConsolePage | null): Promise<Representation> => {
    const language = languageOf(request);
    const isSetupNeeded = await needsSetup(parts);
    const key = `${page?.path ?? ""} ${language} ${isSetupNeeded}`;
    let known = written.get(key);
    if (known === undefined) {
      const files = await own.openFiles();
      const html = documentWriter(files.manifest.page)({
        language,
        title: communityNameOf(parts),
        head:
          headOf(files, page, language) + dataBlock("community", presentCommunity(parts, own, isSetupNeeded)),
        body: "",
      });
      known = textRepresentations(html, {
        ...pageHeaders,
        "cache-control": "no-cache",
        "content-language": language,
        vary: "accept-encoding, accept-language",
      });
      written.set(key, known);
    }
    return known(codingFor(request));
  };

  return {
    answer: async (request, page) => answerWith(request, await find(request, page)),
    notFound: async (request) => {
      const { body, headers } = await find(request, null);
      const own = new Headers(headers);
      own.delete("etag");
      own.set("cache-control", "no-store");
      own.append("vary", "accept, sec-fetch-dest");
      return new Response(body, { status: 404, headers: own });
    },
  };
}

/** Scripts of this page's own, so that the browser loads them beside the first one instead of after it. */
function headOf({ manifest }: ConsoleFiles, page: ConsolePage | null, language: string): string {
  const modules = [
    "index.html",
    `words/${language.toLowerCase()}.ts`,
    ...(page === null ? [] : [page.module]),
  ];
  return scriptsOf(manifest, modules)
    .map((name) => `<link rel="modulepreload" href="${assetsPath}/${name}" crossorigin>`)
    .join("");
}

/** The first script of `index.html` is in the page already. */
function scriptsOf({ scripts }: Manifest, modules: readonly string[]): readonly string[] {
  const [first, ...others] = [...new Set(modules.flatMap((module) => scripts[module] ?? []))];
  return first === undefined ? [] : others;
}
