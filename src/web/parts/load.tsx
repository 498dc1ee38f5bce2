import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Sending } from "../api/client.ts";
import type { Problem, Result } from "../api/problem.ts";
import { words } from "../words/language.ts";
import { LoadFailure } from "./problems.tsx";

type State<Data> =
  | { readonly state: "loading" }
  | { readonly state: "ready"; readonly data: Data }
  | { readonly state: "failed"; readonly problem: Problem };

export type Load<Data> = {
  readonly now: State<Data>;
  /** Asks again; what is shown stays until the answer comes. */
  readonly reload: (sending?: Sending) => Promise<void>;
  /** Replaces what was loaded by what is known already. */
  readonly set: (data: Data) => void;
};

/** Loads what a page shows, again whenever `key` changes. An outdated answer is dropped. A null key waits. */
export function useLoad<Data>(
  key: string | null,
  load: (sending: Sending) => Promise<Result<Data>>,
): Load<Data> {
  const [now, setNow] = useState<State<Data>>({ state: "loading" });
  const turn = useRef(0);
  const loadNow = useRef(load);
  loadNow.current = load;
  const reload = useCallback(async (sending: Sending = {}) => {
    const own = ++turn.current;
    const result = await loadNow.current(sending);
    if (own !== turn.current) return;
    setNow(result.ok ? { state: "ready", data: result.body } : { state: "failed", problem: result.problem });
  }, []);
  useEffect(() => {
    if (key === null) return;
    setNow({ state: "loading" });
    void reload();
    return () => void turn.current++;
  }, [key, reload]);
  return { now, reload, set: (data) => setNow({ state: "ready", data }) };
}

type LoadedProps<Data> = {
  readonly load: Load<Data>;
  /** As large as the content will be, so that nothing moves. */
  readonly skeleton: ComponentChildren;
  readonly children: (data: Data) => ComponentChildren;
};

/** Shows what was loaded, a skeleton when that takes long, or why it failed. */
export function Loaded<Data>({ load: { now, reload }, skeleton, children }: LoadedProps<Data>) {
  if (now.state === "ready") return <>{children(now.data)}</>;
  if (now.state === "failed") return <LoadFailure problem={now.problem} retry={reload} />;
  return (
    <div aria-busy="true" class="skeletons">
      <span class="heard">{words.value.shell.loading}</span>
      {skeleton}
    </div>
  );
}

/** Blocks of the final size. They show themselves after 150 ms. */
export function Skeleton({
  count = 1,
  kind,
}: {
  readonly count?: number;
  readonly kind: "line" | "row" | "card" | "figure";
}) {
  return (
    <>
      {Array.from({ length: count }, (_, at) => (
        <div key={at} class={`skeleton skeleton-${kind}`} aria-hidden="true" />
      ))}
    </>
  );
}

/** Says that there is nothing yet, and offers what helps. */
export function Empty({ text, children }: { readonly text: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{text}</p>
      {children}
    </div>
  );
}
