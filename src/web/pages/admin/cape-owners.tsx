import { useRef, useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { level } from "../../api/session.ts";
import type { components } from "../../api/types.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Skeleton } from "../../parts/load.tsx";
import { Listing, pageQuery, usePages } from "../../parts/pages.tsx";
import { ProblemText } from "../../parts/problems.tsx";
import type { Problem } from "../../api/problem.ts";
import { showMoment } from "../../words/format.ts";
import { words } from "../../words/staff-pages.ts";
import { ChangeOwners } from "./change-owners.tsx";
import { changeOwners } from "./cape-steps.ts";

type Cape = components["schemas"]["ListedCape"];
type Owner = components["schemas"]["CapeOwner"];

/**
 * The people who may wear a cape, and until when. Administrators grant it to more people here, and take it
 * away.
 */
export function CapeOwners({
  cape,
  onChange,
  onClose,
}: {
  readonly cape: Cape;
  readonly onChange: () => Promise<void>;
  readonly onClose: () => void;
}) {
  const { admin } = words.value;
  const [note, setNote] = useState("");
  const box = useRef<HTMLDivElement>(null);
  const pages = usePages(cape.uuid, (after) =>
    ask(
      api.GET("/api/admin/cape/{cape}/owners", {
        params: { path: { cape: cape.uuid }, query: pageQuery(after) },
      }),
    ),
  );
  const total = pages.now.state === "ready" ? pages.now.data.total : cape.owners_count;
  const mayChange = level.value >= 3;
  const changed = async (text: string) => {
    setNote(text);
    await Promise.all([pages.reload(), onChange()]);
    // The pressed button may have disappeared with its row.
    if (document.activeElement === document.body) box.current?.focus();
  };
  return (
    <Dialog title={admin.ownersOfThing(cape.name)} onClose={onClose}>
      <div ref={box} class="sections" tabIndex={-1}>
        {mayChange && <ChangeOwners cape={cape} owners={total} onChanged={changed} />}
        <p role="status">{note}</p>
        <Listing
          pages={pages}
          skeleton={<Skeleton kind="row" count={Math.min(4, Math.max(1, cape.owners_count))} />}
          empty={<p class="soft">{admin.noOwners}</p>}
        >
          {(rows) => (
            <ul class="row-list" aria-label={admin.owners}>
              {rows.map((owner) => (
                <OwnerRow key={owner.id} {...{ cape, owner, mayChange }} onChanged={changed} />
              ))}
            </ul>
          )}
        </Listing>
      </div>
    </Dialog>
  );
}

type OwnerRowProps = {
  readonly cape: Cape;
  readonly owner: Owner;
  readonly mayChange: boolean;
  readonly onChanged: (text: string) => Promise<void>;
};

function OwnerRow({ cape, owner: { user, name, expires_at }, mayChange, onChanged }: OwnerRowProps) {
  const { admin, grants } = words.value;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const shown = name || admin.userNumber(user);
  const take = async () => {
    setBusy(true);
    const { changed, problem } = await changeOwners(cape.uuid, { action: "take", who: [user] });
    setBusy(false);
    setProblem(problem);
    if (problem === null) await onChanged(grants.taken(changed));
  };
  return (
    <li>
      <span>
        <a href={`/admin/users/${user}`} dir="auto">
          {shown}
        </a>{" "}
        {expires_at !== null && <span class="soft">{admin.until(showMoment(expires_at))}</span>}
        <ProblemText problem={problem} />
      </span>
      {mayChange && (
        <Button label={grants.takeFrom(shown)} busy={isBusy} onClick={take}>
          {grants.take}
        </Button>
      )}
    </li>
  );
}
