import { createExportSlots, tooManyExports, type ExportedPage } from "../../../domain/audit/export-audit.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import type { Services } from "../../../domain/use-cases/services.ts";
import { csvLine, csvOpening } from "../../csv.ts";
import type { Http } from "../../http.ts";
import { refusalsOf } from "../../openapi/refusal-groups.ts";
import { bodyCoding, pacedBody } from "../../paced-body.ts";
import { readSearch } from "../../paging.ts";
import {
  exportCells,
  exportHeads,
  exportQuery,
  presentChained,
  readAuditFilter,
  readFormat,
  type ExportFormat,
} from "../../resources/audit-entry.ts";
import { route } from "../../routing/route.ts";

type Format = {
  readonly type: string;
  readonly opening: string;
  readonly write: (page: ExportedPage) => string;
};

const formats: Readonly<Record<ExportFormat, Format>> = {
  csv: {
    type: "text/csv; charset=utf-8",
    opening: csvOpening + csvLine(exportHeads),
    write: ({ entries, people }) => entries.map((entry) => csvLine(exportCells(entry, people))).join(""),
  },
  jsonl: {
    type: "application/x-ndjson; charset=utf-8",
    opening: "",
    write: ({ entries }) => entries.map((entry) => `${JSON.stringify(presentChained(entry))}\n`).join(""),
  },
};

/** `GET /api/admin/audit/export` (docs/contract/admin.md#audit). */
export function auditExportRoute({ audit, clock }: Services, { guards, requests }: Http) {
  const slots = createExportSlots();
  return route("GET", "/audit/export", {
    guard: guards.staff("administer"),
    query: exportQuery,
    operationId: "exportAudit",
    refuses: [...refusalsOf.search, refusals.tooManyExports],
    summary: "The audit as a file",
    description:
      "All entries that the filters find, the newest first, as CSV or as lines of JSON like those of `cloakroom audit export`. In CSV an apostrophe stands before a text that a spreadsheet would take for a formula. Each export is an entry of the audit. An answer that breaks off is incomplete: its last chunk is missing.",
    errors: [tooManyExports()],
    answers: { 200: { description: "The file", type: "text/csv", headers: ["Content-Disposition"] } },
    handle: async ({ actor, query, request }) => {
      const format = readFormat(query.format);
      const part = { filter: readAuditFilter(query), search: readSearch(query.q) };
      const { type, opening, write } = formats[format];
      const day = new Date(clock.nowSeconds() * 1000).toISOString().slice(0, 10);
      const headers = {
        "content-type": type,
        "content-disposition": `attachment; filename="audit-${day}.${format}"`,
        "cache-control": "no-store",
        vary: "Accept-Encoding",
      };
      if (request.method === "HEAD") return new Response(null, { headers });
      const leave = slots.take();
      try {
        const pages = await audit.export(actor, { ...part, format });
        const text = written(pages, { opening, write });
        const coding = bodyCoding(request);
        const ending = { request, leave, name: "an export of the audit" };
        const body = pacedBody(requests, coding?.pack(text) ?? text, ending);
        return new Response(body, {
          headers: { ...headers, ...(coding !== null && { "content-encoding": coding.name }) },
        });
      } catch (cause) {
        leave();
        throw cause;
      }
    },
  });
}

async function* written(
  pages: AsyncGenerator<ExportedPage>,
  { opening, write }: Pick<Format, "opening" | "write">,
): AsyncGenerator<string> {
  if (opening !== "") yield opening;
  for await (const page of pages) yield write(page);
}
