import type { components } from "../../api/types.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { showMoment } from "../../words/format.ts";
import { words } from "../../words/language.ts";

type Cape = components["schemas"]["ListedCape"];

/** The people that may wear a cape, each until when. Grants are changed on the person's page. */
export function CapeOwners({ cape, onClose }: { readonly cape: Cape; readonly onClose: () => void }) {
  const { admin } = words.value;
  const rest = cape.owners_count - cape.grants.length;
  return (
    <Dialog title={admin.ownersOfThing(cape.name)} onClose={onClose}>
      {cape.grants.length === 0 && <p class="soft">{admin.noOwners}</p>}
      <ul class="row-list">
        {cape.grants.map(({ user, name, expires_at }) => (
          <li key={user}>
            <a href={`/admin/users/${user}`} dir="auto">
              {name || admin.userNumber(user)}
            </a>
            {expires_at !== null && <span class="soft">{admin.until(showMoment(expires_at))}</span>}
          </li>
        ))}
      </ul>
      {rest > 0 && <p class="soft">{admin.moreOwners(rest)}</p>}
    </Dialog>
  );
}
