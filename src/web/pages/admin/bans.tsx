import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import type { components } from "../../api/types.ts";
import { Button } from "../../parts/button.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Skeleton } from "../../parts/load.tsx";
import { Listing, type Pages } from "../../parts/pages.tsx";
import { say } from "../../shell/messages.tsx";
import { showDay } from "../../words/format.ts";
import { words } from "../../words/staff-pages.ts";
import { actorName } from "./audit-words.ts";

type Ban = components["schemas"]["Ban"];

/** Bitmaps that no skin may have. */
export function Bans({ pages }: { readonly pages: Pages<Ban> }) {
  const { admin } = words.value;
  const [asked, setAsked] = useState<Ban | null>(null);
  const lift = async ({ hash }: Ban) => {
    const result = await ask(api.DELETE("/api/admin/bans/{hash}", { params: { path: { hash } } }));
    if (!result.ok) return result.problem;
    setAsked(null);
    say(admin.banLifted);
    await pages.reload();
    return null;
  };
  return (
    <section aria-labelledby="bans">
      <h2 id="bans">{admin.bans}</h2>
      <Listing
        pages={pages}
        skeleton={<Skeleton kind="row" count={2} />}
        empty={<p class="soft">{admin.noBans}</p>}
      >
        {(rows) => (
          <ul class="card row-list" aria-label={admin.bans}>
            {rows.map((ban) => (
              <BanRow key={ban.id} ban={ban} onAsk={setAsked} />
            ))}
          </ul>
        )}
      </Listing>
      {asked !== null && (
        <FormDialog
          title={admin.liftThing(shortHash(asked))}
          text={admin.liftHelp}
          button={admin.lift}
          kind="main"
          onSubmit={() => lift(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  );
}

/** Enough of a hash for people to tell two apart. */
const shortHash = ({ hash }: Ban) => hash.slice(0, 12);

function BanRow({ ban, onAsk }: { readonly ban: Ban; readonly onAsk: (ban: Ban) => void }) {
  const { admin } = words.value;
  return (
    <li>
      <span>
        <span class="code">{shortHash(ban)}</span> {ban.reason !== "" && <span dir="auto">{ban.reason}</span>}
        <br />
        <span class="soft" dir="auto">
          {actorName(ban.iss)} · {showDay(ban.time)}
        </span>
      </span>
      <Button label={admin.liftThing(shortHash(ban))} onClick={() => onAsk(ban)}>
        {admin.lift}
      </Button>
    </li>
  );
}
