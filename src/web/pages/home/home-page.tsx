import type { ComponentChildren } from "preact";
import { mayAsk } from "../../api/session.ts";
import { Loaded, Skeleton, useLoad } from "../../parts/load.tsx";
import { Page } from "../../shell/page.tsx";
import { loadWardrobe, type Wardrobe } from "./wardrobe-data.ts";

/** What the pages of the wardrobe show, and how they show that it changed. */
export type ShownWardrobe = {
  readonly wardrobe: Wardrobe;
  /** Asks the server again. */
  readonly reload: () => Promise<void>;
  /** Shows what is known from an answer. */
  readonly set: (wardrobe: Wardrobe) => void;
};

type HomePageProps = {
  readonly heading: string;
  /** Beside the heading. It gets null until the wardrobe is loaded. */
  readonly actions?: (shown: ShownWardrobe | null) => ComponentChildren;
  /** Says what the page is for, before the wardrobe is loaded. */
  readonly intro?: string;
  /** Above the list. */
  readonly list: string;
  readonly children: (shown: ShownWardrobe) => ComponentChildren;
};

/** A page over the member's wardrobe: a figure beside a list. */
export function HomePage({ heading, actions, intro, list, children }: HomePageProps) {
  const load = useLoad(mayAsk.value ? "wardrobe" : null, loadWardrobe);
  const { reload, set } = load;
  const shown = load.now.state === "ready" ? { wardrobe: load.now.data, reload, set } : null;
  return (
    <Page heading={heading} level={1} actions={actions?.(shown)}>
      {intro !== undefined && <p class="soft">{intro}</p>}
      <Loaded load={load} skeleton={<HomeSkeleton list={list} />}>
        {(wardrobe) => children({ wardrobe, reload, set })}
      </Loaded>
    </Page>
  );
}

/** Has the size of what comes, so that nothing moves. */
function HomeSkeleton({ list }: { readonly list: string }) {
  return (
    <div class="home">
      <div class="card preview">
        <Skeleton kind="figure" />
      </div>
      <div class="skins">
        <div class="skins-head">
          <h2>{list}</h2>
        </div>
        <div class="cards">
          <Skeleton kind="card" count={8} />
        </div>
      </div>
    </div>
  );
}
