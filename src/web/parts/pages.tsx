import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Answer, Sending } from "../api/client.ts";
import type { Problem, Result } from "../api/problem.ts";
import { showNumber } from "../words/format.ts";
import { words } from "../words/language.ts";
import { Button } from "./button.tsx";
import { Loaded, useLoad, type Load } from "./load.tsx";
import { ProblemText } from "./problems.tsx";

/** What is known of a long list. */
type Listed<Row> = {
  readonly rows: readonly Row[];
  /** How many rows the list has in all, or at least. */
  readonly total: number;
  readonly isTotalExact: boolean;
  /** The key after which the next page begins; null: this was the last one. */
  readonly next: string | null;
};

export type Pages<Row> = Load<Listed<Row>> & {
  /** Adds the next page. */
  readonly more: () => Promise<void>;
  readonly isBusy: boolean;
  /** Why the next page could not be added. */
  readonly problem: Problem | null;
};

/**
 * Loads a list by key, the first page at once; `ask` gets the key of the page, null for the first. A null
 * `key` waits.
 */
export function usePages<Row>(
  key: string | null,
  ask: (after: string | null, sending: Sending) => Promise<Answer<{ readonly data: readonly Row[] }>>,
): Pages<Row> {
  const read = async (after: string | null, sending: Sending) => listedOf(await ask(after, sending));
  const load = useLoad(key, (sending) => read(null, sending));
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const keyNow = useRef(key);
  keyNow.current = key;
  const more = async () => {
    if (load.now.state !== "ready" || isBusy) return;
    const { rows, next } = load.now.data;
    setBusy(true);
    const result = await read(next, {});
    setBusy(false);
    // Another search began meanwhile.
    if (keyNow.current !== key) return;
    setProblem(result.ok ? null : result.problem);
    if (result.ok) load.set({ ...result.body, rows: [...rows, ...result.body.rows] });
  };
  return { ...load, more, isBusy, problem };
}

function listedOf<Row>(answer: Answer<{ readonly data: readonly Row[] }>): Result<Listed<Row>> {
  if (!answer.ok) return answer;
  const { body, response } = answer;
  const [, address = ""] = /<([^>]*)>; rel="next"/.exec(response.headers.get("link") ?? "") ?? [];
  const next = new URLSearchParams(address.split("?")[1] ?? "").get("after");
  const total = Number(response.headers.get("x-total-count") ?? body.data.length);
  const isCounted = new URL(response.url).searchParams.has("count");
  const isTotalExact = !isCounted || total < countedRows;
  return { ok: true, body: { rows: body.data, total, isTotalExact, next } };
}

const pageRows = 50;

/** The query of a page of a list whose rows have UUIDs. */
export function uuidPageQuery(after: string | null) {
  return { limit: pageRows, ...(after !== null && { after }) };
}

/** The query of a page of a list (docs/contract/answers.md#lists). */
export function pageQuery(after: string | null, search: string | null = null) {
  return {
    limit: pageRows,
    ...(after !== null && { after: Number(after) }),
    ...(search !== null && search !== "" && { q: search, ...counted }),
  };
}

const countedRows = 1000;

/**
 * For a search or filter: counting all that a frequent text finds would take longer than reading the page.
 */
export const counted = { count: countedRows } as const;

type ListingProps<Row> = {
  readonly pages: Pages<Row>;
  /** Of the size of the first page. */
  readonly skeleton: ComponentChildren;
  /** Stands in for a list without rows. */
  readonly empty: ComponentChildren;
  readonly children: (rows: readonly Row[]) => ComponentChildren;
};

/** A long list with "Show more" below it. */
export function Listing<Row>({ pages, skeleton, empty, children }: ListingProps<Row>) {
  return (
    <Loaded load={pages} skeleton={skeleton}>
      {({ rows }) =>
        rows.length === 0 ? (
          empty
        ) : (
          <>
            {children(rows)}
            <More pages={pages} />
          </>
        )
      }
    </Loaded>
  );
}

/** "Show more" below a list. The focus stays here when the last page has come. */
export function More<Row>({ pages }: { readonly pages: Pages<Row> }) {
  const box = useRef<HTMLDivElement>(null);
  if (pages.now.state !== "ready") return null;
  const { next, rows, total, isTotalExact } = pages.now.data;
  const { shell } = words.value;
  const all = showNumber(Math.max(total, rows.length));
  const isExact = next === null || isTotalExact;
  const show = async () => {
    await pages.more();
    box.current?.focus();
  };
  return (
    <div ref={box} class="more" tabIndex={-1}>
      <p class="soft">{shell.shown(showNumber(rows.length), isExact ? all : shell.orMore(all))}</p>
      {next !== null && (
        <Button busy={pages.isBusy} onClick={show}>
          {shell.more}
        </Button>
      )}
      <ProblemText problem={pages.problem} />
    </div>
  );
}
