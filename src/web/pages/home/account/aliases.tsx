import { useRef, useState } from "preact/hooks";
import { api, ask } from "../../../api/client.ts";
import { mayAsk } from "../../../api/session.ts";
import type { Problem } from "../../../api/problem.ts";
import type { components } from "../../../api/types.ts";
import { Button } from "../../../parts/button.tsx";
import { keepFocus } from "../../../parts/keep-focus.ts";
import { Loaded, Skeleton, useLoad, type Load } from "../../../parts/load.tsx";
import { ProblemText } from "../../../parts/problems.tsx";
import { say } from "../../../shell/messages.tsx";
import { showDay } from "../../../words/format.ts";
import { words } from "../../../words/language.ts";

type Alias = components["schemas"]["Alias"];
/** What `GET /api/home/aliases` answers. */
type Answer = Extract<Awaited<ReturnType<typeof askForThem>>, { ok: true }>["body"];

const askForThem = () => ask(api.GET("/api/home/aliases"));

/** Names of another system by which the member signs in. Most members have none, and see nothing of it. */
export function Aliases() {
  const load = useLoad(mayAsk.value ? "aliases" : null, askForThem);
  const { now } = load;
  if (now.state === "loading" || (now.state === "ready" && now.data.data.length === 0)) return null;
  return <AliasList load={load} />;
}

function AliasList({ load }: { readonly load: Load<Answer> }) {
  const { account, shell } = words.value;
  const [problem, setProblem] = useState<Problem | null>(null);
  const list = useRef<HTMLElement>(null);
  const remove = async ({ name }: Alias) => {
    const result = await ask(api.DELETE("/api/home/aliases/{name}", { params: { path: { name } } }));
    // An unknown name is gone already, as the member wanted.
    const isGone = result.ok || result.problem.kind === "not-found";
    setProblem(isGone ? null : result.problem);
    if (!isGone) return;
    say(account.aliasRemoved(name));
    await load.reload();
    keepFocus(list.current);
  };
  return (
    <section ref={list} tabIndex={-1} class="card account-list" aria-labelledby="aliases">
      <h2 id="aliases">{account.aliases}</h2>
      <p class="soft">{account.aliasesHelp}</p>
      <ProblemText problem={problem} />
      <Loaded load={load} skeleton={<Skeleton kind="row" />}>
        {({ data }) => (
          <ul aria-labelledby="aliases">
            {data.map((alias) => (
              <li key={alias.name} class="account-item">
                <div class="account-what">
                  <p dir="auto">{alias.name}</p>
                  <p class="soft">{account.aliasSince(showDay(alias.created))}</p>
                </div>
                <Button label={shell.removeChoice(alias.name)} onClick={() => remove(alias)}>
                  {shell.remove}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}
