import { api, ask } from "../../api/client.ts";
import { level } from "../../api/session.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Loaded, Skeleton, useLoad } from "../../parts/load.tsx";
import { showProblem } from "../../parts/problems.tsx";
import { say, sayBad } from "../../shell/messages.tsx";
import { showAgo } from "../../words/format.ts";
import { words } from "../../words/language.ts";
import type { UserPart } from "./user-part.ts";

/** Where a person is signed in. */
export function UserSessions({ user }: UserPart) {
  const { admin } = words.value;
  const identifier = String(user.Id);
  const load = useLoad(`sessions ${identifier}`, () =>
    ask(api.GET("/api/admin/user/{identifier}/sessions", { params: { path: { identifier } } })),
  );
  const end = async (sid: string) => {
    const params = { path: { identifier, sid } };
    const result = await ask(api.DELETE("/api/admin/user/{identifier}/sessions/{sid}", { params }));
    if (!result.ok) return sayBad(showProblem(result.problem));
    say(admin.sessionEnded);
    await load.reload();
  };
  return (
    <section class="card panel">
      <h2>{admin.userSessions}</h2>
      <Loaded load={load} skeleton={<Skeleton kind="row" count={2} />}>
        {({ data }) => (
          <ul class="row-list" aria-label={admin.userSessions}>
            {data.length === 0 && <li class="soft">{admin.noSessions}</li>}
            {data.map((session) => (
              <li key={session.id}>
                <span>
                  <span dir="auto">{session.user_agent || admin.unknownProgram}</span>{" "}
                  {session.kind === "game" && <Badge text={admin.game} />}
                  <br />
                  <span class="soft">
                    {session.address} · {showAgo(session.last_used)}
                  </span>
                </span>
                {level.value >= 3 && (
                  <Button
                    label={admin.endThing(session.user_agent || session.address)}
                    onClick={() => end(session.id)}
                  >
                    {admin.end}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}
