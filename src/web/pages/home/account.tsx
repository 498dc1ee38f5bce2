import { api, ask } from "../../api/client.ts";
import { mayAsk, member } from "../../api/session.ts";
import { Loaded, Skeleton, useLoad } from "../../parts/load.tsx";
import { usePages, uuidPageQuery } from "../../parts/pages.tsx";
import { Page } from "../../shell/page.tsx";
import { words } from "../../words/language.ts";
import { Aliases } from "./account/aliases.tsx";
import { Connections } from "./account/connections.tsx";
import { MailForm, NameForm, PasswordForm, PasswordMissing } from "./account/credentials.tsx";
import { DeleteForm, DeleteLater, ExportForm } from "./account/leaving.tsx";
import { Players } from "./account/players.tsx";
import { Sessions } from "./account/sessions.tsx";

/** The member's own account: name, password, address, connections, players and sessions, and how to leave. */
export function Account() {
  const key = mayAsk.value ? "account" : null;
  const profile = useLoad(key, () => ask(api.GET("/api/home")));
  const players = useLoad(key, () => ask(api.GET("/api/home/players")));
  const sessions = usePages(key, (after) =>
    ask(api.GET("/api/home/sessions", { params: { query: uuidPageQuery(after) } })),
  );
  const renamed = async () => void (await Promise.all([profile.reload(), players.reload()]));
  const canConfirm = member.value?.finished !== false;
  return (
    <Page heading={words.value.shell.account} level={1}>
      <Loaded load={profile} skeleton={<Skeleton kind="figure" count={2} />}>
        {({ data }) => (
          <div class="account-forms">
            {canConfirm ? (
              <>
                <NameForm name={data.Username} changed={renamed} />
                <PasswordForm changed={sessions.reload} />
                <MailForm mail={data.Mail} isConfirmed={data.Mail === "" || data.Mail_verification === 1} />
              </>
            ) : (
              <PasswordMissing />
            )}
            <Connections profile={data} changed={profile.reload} />
          </div>
        )}
      </Loaded>
      <Players load={players} canConfirm={canConfirm} changed={renamed} />
      <Aliases />
      <Sessions pages={sessions} />
      <div class="account-forms">
        <ExportForm />
        {canConfirm ? <DeleteForm /> : <DeleteLater />}
      </div>
    </Page>
  );
}
