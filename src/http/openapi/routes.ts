import licensePath from "swagger-ui-dist/LICENSE" with { type: "file" };
import noticePath from "swagger-ui-dist/NOTICE" with { type: "file" };
import bundlePath from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import noticesPath from "swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt" with { type: "file" };
import stylePath from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import { nothingHere } from "../failures.ts";
import { jsonType } from "../json-type.ts";
import { below, route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";
import { createDocument, type DocumentOptions } from "./document.ts";
import pageStylePath from "./page/page.css" with { type: "file" };
import pagePath from "./page/page.html" with { type: "file" };
import pageScriptPath from "./page/page.js" with { type: "file" };
import { serveFile, type ServedFile } from "./served-file.ts";

/**
 * The page may use files of this server only. It shows the API's pictures from memory (`blob:`), and Swagger
 * UI's own icons are in its style (`data:`).
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const javascript = "text/javascript;charset=utf-8";
const css = "text/css;charset=utf-8";
const text = "text/plain;charset=utf-8";

/** The page's files, and the licences that go with them. */
const files: ReadonlyMap<string, ServedFile> = new Map([
  ["page.css", embedded(pageStylePath, css)],
  ["page.js", embedded(pageScriptPath, javascript)],
  ["swagger-ui.css", embedded(stylePath, css)],
  ["swagger-ui-bundle.js", embedded(bundlePath, javascript)],
  ["swagger-ui-bundle.js.LICENSE.txt", embedded(noticesPath, text)],
  ["swagger-ui-LICENSE.txt", embedded(licensePath, text)],
  ["swagger-ui-NOTICE.txt", embedded(noticePath, text)],
]);

/** `/swagger`: the page to try the API on; `/swagger/json`: the document that it shows. */
export function openApiRoutes(options: () => DocumentOptions) {
  const page = embedded(pagePath, "text/html;charset=utf-8", {
    "content-security-policy": policy,
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
  });
  const document = serveFile({
    type: jsonType,
    read: async () => new TextEncoder().encode(JSON.stringify(createDocument(options()))),
  });

  return below("/swagger", undefined, [
    route("GET", "", { handle: ({ request }) => page(request) }),
    route("GET", "/json", { handle: ({ request }) => document(request) }),
    route("GET", "/:file", {
      params: fileParams,
      handle: ({ params, request }) => {
        const file = files.get(params.file ?? "");
        if (file === undefined) throw nothingHere();
        return file(request);
      },
    }),
  ]);
}

/** Null for a path that is no valid percent-encoding. */
const fileParams = t.Object({ file: t.Union([t.String(), t.Null()]) });

function embedded(path: string, type: string, headers: Readonly<Record<string, string>> = {}): ServedFile {
  return serveFile({ type, read: () => Bun.file(path).bytes(), headers });
}
