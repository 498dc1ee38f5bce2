import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { level } from "../../api/session.ts";
import type { components } from "../../api/types.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Skeleton } from "../../parts/load.tsx";
import { Listing, usePages, uuidPageQuery } from "../../parts/pages.tsx";
import { showProblem } from "../../parts/problems.tsx";
import { programOf } from "../../parts/program.ts";
import { say, sayBad } from "../../shell/messages.tsx";
import { showAgo } from "../../words/format.ts";
import { words } from "../../words/staff-pages.ts";
import { displayName, type UserDetail, type UserPart } from "./user-part.ts";

type Session = components["schemas"]["Session"];

/** Where a person is signed in. */
export function UserSessions({ user }: UserPart) {
  const { account, admin, staff } = words.value;
  const mayEnd = mayEndSessionsOf(user);
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
  const hasSome = pages.now.state === "ready" && pages.now.data.rows.length > 0;
  return (
    <section class="card panel">
      <div class="page-head">
        <h2>{account.sessions}</h2>
        {mayEnd && hasSome && <EndAll user={user} onDone={pages.reload} />}
      </div>
      {!mayEnd && <p class="soft small">{staff.staffSessions}</p>}
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
              <SessionRow key={session.id} session={session} end={mayEnd ? end : null} />
            ))}
          </ul>
        )}
      </Listing>
    </section>
  );
}

type EndAllProps = { readonly user: UserDetail; readonly onDone: () => Promise<void> };

/** Signs a person out everywhere, after a confirmation. */
function EndAll({ user, onDone }: EndAllProps) {
  const { staff } = words.value;
  const [isAsked, setAsked] = useState(false);
  const name = displayName(user);
  const endAll = async () => {
    const params = { path: { identifier: String(user.Id) } };
    const result = await ask(api.DELETE("/api/admin/user/{identifier}/sessions", { params }));
    if (!result.ok) return result.problem;
    setAsked(false);
    say(staff.allEnded(name));
    await onDone();
    return null;
  };
  return (
    <>
      <Button onClick={() => setAsked(true)}>{staff.endAll}</Button>
      {isAsked && (
        <FormDialog
          title={`${staff.endAll}: ${name}`}
          text={staff.endAllHelp}
          button={staff.endAll}
          onSubmit={endAll}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}

/** The server's rule: moderators end sessions of players, administrators those of everybody. */
function mayEndSessionsOf({ PermLvl, perms_permanent }: UserDetail): boolean {
  return level.value >= 3 || (level.value >= 2 && PermLvl < 2 && perms_permanent < 2);
}

type SessionRowProps = {
  readonly session: Session;
  /** Null: this visitor may not end it. */
  readonly end: ((sid: string) => Promise<void>) | null;
};

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
      {end !== null && (
        <Button label={account.endSessionOf(program)} onClick={() => end(id)}>
          {account.endSession}
        </Button>
      )}
    </li>
  );
}
