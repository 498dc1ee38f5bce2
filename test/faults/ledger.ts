/**
 * What the service said that it keeps. A fact is a text, `skin of 3: Skin 12`, and either there or gone;
 * while a request about it has no answer it may be both, until a look at the data folder decides.
 */
export type Ledger = {
  /**
   * Asks for a change of these facts. What is answered with success holds from then on; what is refused
   * changes nothing; what is cut off stays open. Gives the answer.
   */
  readonly change: <Answer extends { readonly status: number }>(
    facts: Change,
    ask: () => Promise<Answer | null>,
  ) => Promise<Answer | null>;
  /**
   * What is not as it was said, or was never asked for. Facts that are open become what they are found to be,
   * but for those asked about now.
   */
  readonly settle: (found: ReadonlySet<string>) => readonly string[];
  readonly counts: () => { readonly answered: number; readonly cutOff: number; readonly refused: number };
};

export type Change = { readonly adds?: readonly string[]; readonly removes?: readonly string[] };
type State = "there" | "gone" | "open";

/** `known` is there already. */
export function openLedger(known: ReadonlySet<string>): Ledger {
  const facts = new Map<string, State>([...known].map((fact) => [fact, "there"]));
  /**
   * Facts about which something is asked now, or shall be once the service runs again: they cannot be settled
   * yet.
   */
  const asked = new Set<string>();
  let answered = 0;
  let cutOff = 0;
  let refused = 0;

  return {
    change: async ({ adds = [], removes = [] }, ask) => {
      const before = [...adds, ...removes].map((fact) => [fact, facts.get(fact)] as const);
      for (const [fact] of before) {
        facts.set(fact, "open");
        asked.add(fact);
      }
      const answer = await ask();
      for (const [fact] of before) asked.delete(fact);
      if (answer === null) {
        cutOff += 1;
        return null;
      }
      if (answer.status < 300) {
        answered += 1;
        for (const fact of removes) facts.set(fact, "gone");
        for (const fact of adds) facts.set(fact, "there");
        return answer;
      }
      refused += 1;
      for (const [fact, state] of before) {
        if (state === undefined) facts.delete(fact);
        else facts.set(fact, state);
      }
      return answer;
    },
    settle: (found) => {
      const faults = [...found].filter((fact) => !facts.has(fact)).map((fact) => `out of nowhere: ${fact}`);
      for (const [fact, state] of facts) {
        const isFound = found.has(fact);
        if (state === "there" && !isFound) faults.push(`lost: ${fact}`);
        if (state === "gone" && isFound) faults.push(`back again: ${fact}`);
        if (state === "open" && !asked.has(fact)) facts.set(fact, isFound ? "there" : "gone");
      }
      return faults;
    },
    counts: () => ({ answered, cutOff, refused }),
  };
}
