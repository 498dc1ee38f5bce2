import type { Row, Sender } from "../../src/adapters/sql/sender.ts";

type Plan = {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly Plans?: readonly Plan[];
};

/** What PostgreSQL does for a statement: the indexes that it searches, and what it reads from end to end. */
export type Steps = { readonly searched: readonly string[]; readonly scanned: readonly string[] };

/**
 * How PostgreSQL goes about each statement that is sent while the work is done. The tables are as good as
 * empty, and the connection avoids to read a whole table where it can: what is scanned nevertheless has no
 * index that helps.
 */
export async function stepsOf(sender: Sender, work: (sender: Sender) => Promise<unknown>): Promise<Steps> {
  const sent = new Map<string, readonly unknown[]>();
  await work({
    send: (text, values) => {
      sent.set(text, values);
      return sender.send(text, values);
    },
  });
  const nodes: Plan[] = [];
  for (const [text, values] of sent) {
    const [row] = await sender.send(`EXPLAIN (FORMAT JSON) ${text}`, values);
    nodes.push(...nodesOf(planIn(row)));
  }
  const isSearch = (node: Plan) => node["Index Cond"] !== undefined;
  const scans = nodes.filter(
    (node) => /^(?:Seq|Index|Index Only) Scan$/.test(node["Node Type"]) && !isSearch(node),
  );
  return {
    searched: nodes.filter(isSearch).flatMap((node) => node["Index Name"] ?? []),
    scanned: scans.flatMap((node) => node["Relation Name"] ?? []),
  };
}

function planIn(row: Row | undefined): Plan {
  const cell = row?.[0];
  const plans: unknown = typeof cell === "string" ? JSON.parse(cell) : cell;
  return (plans as readonly { readonly Plan: Plan }[])[0]!.Plan;
}

function nodesOf(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
