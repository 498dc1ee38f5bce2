import { api, ask } from "../../api/client.ts";
import { level } from "../../api/session.ts";
import type { components } from "../../api/types.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Skeleton } from "../../parts/load.tsx";
import { Listing, usePages, uuidPageQuery } from "../../parts/pages.tsx";
import { showProblem } from "../../parts/problems.tsx";
import { programOf } from "../../parts/program.ts";
import { say, sayBad } from "../../shell/messages.tsx";
import { showAgo } from "../../words/format.ts";
import { words } from "../../words/language.ts";
import type { UserPart } from "./user-part.ts";

type Session = components["schemas"]["Session"];

/** Where a person is signed in. */
export function UserSessions({ user }: UserPart) {
  const { account, admin } = words.value;
  const identifier = String(user.Id);
  const pages = usePages(`sessions ${identifier}`, (after) =>
    ask(
      api.GET("/api/admin/user/{identifier}/sessions", {
        params: { path: { identifier }, query: uuidPageQuery(after) },
      }),
    ),
  );
  const end = async (sid: string) => {
    const params = { path: { identifier, sid } };
    const result = await ask(api.DELETE("/api/admin/user/{identifier}/sessions/{sid}", { params }));
    if (!result.ok) return sayBad(showProblem(result.problem));
    say(account.sessionEnded);
    await pages.reload();
  };
  return (
    <section class="card panel">
      <h2>{account.sessions}</h2>
      <Listing
        pages={pages}
        skeleton={<Skeleton kind="row" count={2} />}
        empty={
          <ul class="row-list" aria-label={account.sessions}>
            <li class="soft">{admin.noSessions}</li>
          </ul>
        }
      >
        {(rows) => (
          <ul class="row-list" aria-label={account.sessions}>
            {rows.map((session) => (
              <SessionRow key={session.id} session={session} end={end} />
            ))}
          </ul>
        )}
      </Listing>
    </section>
  );
}

type SessionRowProps = { readonly session: Session; readonly end: (sid: string) => Promise<void> };

function SessionRow({ session, end }: SessionRowProps) {
  const { account } = words.value;
  const { id, user_agent, address, kind, last_used } = session;
  const program = programOf(user_agent) || account.unknownProgram;
  return (
    <li>
      <span>
        <span dir="auto">{program}</span> {kind === "game" && <Badge text={account.game} />}
        <br />
        <span class="soft">
          {address} · {showAgo(last_used)}
        </span>
      </span>
      {level.value >= 3 && (
        <Button label={account.endSessionOf(program)} onClick={() => end(id)}>
          {account.endSession}
        </Button>
      )}
    </li>
  );
}
