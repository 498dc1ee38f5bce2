import { useState } from "preact/hooks";
import { api, ask } from "../../../api/client.ts";
import type { Problem } from "../../../api/problem.ts";
import type { components } from "../../../api/types.ts";
import { Badge } from "../../../parts/badge.tsx";
import { Button } from "../../../parts/button.tsx";
import { Skeleton } from "../../../parts/load.tsx";
import { Listing, type Pages } from "../../../parts/pages.tsx";
import { ProblemText } from "../../../parts/problems.tsx";
import { say } from "../../../shell/messages.tsx";
import { showAgo } from "../../../words/format.ts";
import { words } from "../../../words/language.ts";
import { programOf } from "../../../parts/program.ts";

type Session = components["schemas"]["Session"];

/** Where the member is signed in, on the website and in launchers. */
export function Sessions({ pages }: { readonly pages: Pages<Session> }) {
  const { account } = words.value;
  const [problem, setProblem] = useState<Problem | null>(null);
  const end = async ({ id }: Session) => {
    const result = await ask(api.DELETE("/api/home/sessions/{id}", { params: { path: { id } } }));
    // An unknown session has ended already, as the member wanted.
    const isOver = result.ok || result.problem.kind === "not-found";
    setProblem(isOver ? null : result.problem);
    if (!isOver) return;
    say(account.sessionEnded);
    await pages.reload();
  };
  return (
    <section class="card account-list" aria-labelledby="sessions">
      <h2 id="sessions">{account.sessions}</h2>
      <p class="soft">{account.sessionsHelp}</p>
      <ProblemText problem={problem} />
      <Listing pages={pages} skeleton={<Skeleton kind="row" count={3} />} empty={null}>
        {(rows) => (
          <ul aria-labelledby="sessions">
            {rows.map((session) => (
              <SessionItem key={session.id} session={session} end={end} />
            ))}
          </ul>
        )}
      </Listing>
    </section>
  );
}

function SessionItem({
  session,
  end,
}: {
  readonly session: Session;
  readonly end: (session: Session) => Promise<void>;
}) {
  const { account } = words.value;
  const { user_agent, address, kind, current, last_used } = session;
  const program = programOf(user_agent) || account.unknownProgram;
  return (
    <li class="account-item">
      <div class="account-what">
        <p>
          <span class="account-program" dir="auto">
            {program}
          </span>{" "}
          <Badge text={kind === "game" ? account.game : account.web} />
        </p>
        <p class="soft">
          {address} · {account.usedAgo(showAgo(last_used))}
        </p>
      </div>
      {current ? (
        <Badge text={account.thisDevice} mood="good" />
      ) : (
        <Button label={account.endSessionOf(program)} onClick={() => end(session)}>
          {account.endSession}
        </Button>
      )}
    </li>
  );
}
