import type { ComponentChildren } from "preact";
import { mayAsk, member } from "../../api/session.ts";
import { Loaded, Skeleton, useLoad } from "../../parts/load.tsx";
import { Page } from "../../shell/page.tsx";
import { loadWardrobe, type Wardrobe } from "./wardrobe-data.ts";

/** What the pages of the wardrobe show, and how they show that it changed. */
export type Shown = {
  readonly wardrobe: Wardrobe;
  /** Asks the server again. */
  readonly reload: () => Promise<void>;
  /** Shows what an answer told already. */
  readonly set: (wardrobe: Wardrobe) => void;
};

type HomePageProps = {
  readonly heading: string;
  /** Beside the heading; it is there before the wardrobe has come. Null as what is shown: not there yet. */
  readonly actions?: (shown: Shown | null) => ComponentChildren;
  readonly children: (shown: Shown) => ComponentChildren;
};

/** A page over the member's wardrobe: a figure beside a list. */
export function HomePage({ heading, actions, children }: HomePageProps) {
  // A member without a name is on the way to choosing one.
  const hasPlayer = member.value?.username !== "";
  const load = useLoad(mayAsk.value && hasPlayer ? "wardrobe" : null, loadWardrobe);
  const { reload, set } = load;
  const shown = load.now.state === "ready" ? { wardrobe: load.now.data, reload, set } : null;
  return (
    <Page heading={heading} level={1} actions={actions?.(shown)}>
      <Loaded load={load} skeleton={<HomeSkeleton />}>
        {(wardrobe) => children({ wardrobe, reload, set })}
      </Loaded>
    </Page>
  );
}

function HomeSkeleton() {
  return (
    <div class="home">
      <Skeleton kind="figure" />
      <div class="cards">
        <Skeleton kind="card" count={8} />
      </div>
    </div>
  );
}
