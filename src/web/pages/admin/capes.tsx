import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { capePicture } from "../../api/textures.ts";
import { level } from "../../api/session.ts";
import type { components } from "../../api/types.ts";
import { Button } from "../../parts/button.tsx";
import { CardPicture } from "../../parts/card-picture.tsx";
import { FileButton } from "../../parts/file-button.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { IncomingFile } from "../../parts/incoming-file.tsx";
import { Empty, Skeleton } from "../../parts/load.tsx";
import { Listing, pageQuery, usePages } from "../../parts/pages.tsx";
import { SearchBox, useSearch } from "../../parts/search-box.tsx";
import { say } from "../../shell/messages.tsx";
import { showDay } from "../../words/format.ts";
import { words } from "../../words/staff-pages.ts";
import { AdminPage, keyFor } from "./admin-page.tsx";
import { actorName } from "./audit-words.ts";
import { CapeOwners } from "./cape-owners.tsx";
import { NewCape } from "./new-cape.tsx";

type Cape = components["schemas"]["ListedCape"];

type Asked =
  { readonly what: "add"; readonly file: File } | { readonly what: "owners" | "delete"; readonly cape: Cape };

/** Everybody's capes. Moderators look, administrators add and delete. */
export function Capes() {
  const { admin, shell } = words.value;
  const search = useSearch();
  const [asked, setAsked] = useState<Asked | null>(null);
  const pages = usePages(search === null ? null : keyFor(2, search), (after) =>
    ask(api.GET("/api/admin/allcapes", { params: { query: pageQuery(after, search) } })),
  );
  const mayChange = level.value >= 3;
  const take = (file: File) => setAsked({ what: "add", file });
  const done = async (text: string) => {
    setAsked(null);
    say(text);
    await pages.reload();
  };
  const upload = <FileButton label={admin.uploadCape} accept="image/png" onFile={take} />;
  return (
    <AdminPage heading={shell.staffSections.capes} actions={mayChange && upload}>
      {mayChange && asked === null && <IncomingFile text={admin.dropCape} onFile={take} />}
      <SearchBox label={admin.searchCapes} />
      {search !== null && (
        <Listing
          pages={pages}
          skeleton={<Skeleton kind="card" count={2} />}
          empty={<Empty text={search === "" ? admin.noCapes : admin.noCapesFound} />}
        >
          {(rows) => (
            <ul class="cards" aria-label={shell.staffSections.capes}>
              {rows.map((cape) => (
                <CapeCard key={cape.uuid} cape={cape} mayChange={mayChange} onAsk={setAsked} />
              ))}
            </ul>
          )}
        </Listing>
      )}
      {asked !== null && (
        <CapeDialog asked={asked} onDone={done} onChange={pages.reload} onClose={() => setAsked(null)} />
      )}
    </AdminPage>
  );
}

type CapeCardProps = {
  readonly cape: Cape;
  readonly mayChange: boolean;
  readonly onAsk: (asked: Asked) => void;
};

function CapeCard({ cape, mayChange, onAsk }: CapeCardProps) {
  const { admin, shell } = words.value;
  return (
    <li>
      <CardPicture address={(size) => capePicture(cape.uuid, size)} />
      <div class="staff-card-text">
        <h2 class="card-name" dir="auto">
          {cape.name}
        </h2>
        <p class="card-facts">
          {showDay(cape.time)} · <span dir="auto">{actorName(cape.iss)}</span>
        </p>
      </div>
      <div class="card-actions">
        <Button
          label={admin.ownersOf(cape.owners_count, cape.name)}
          onClick={() => onAsk({ what: "owners", cape })}
        >
          {admin.ownersCount(cape.owners_count)}
        </Button>
        {mayChange && (
          <Button
            kind="danger"
            label={shell.deleteThing(cape.name)}
            onClick={() => onAsk({ what: "delete", cape })}
          >
            {shell.delete}
          </Button>
        )}
      </div>
    </li>
  );
}

type CapeDialogProps = {
  readonly asked: Asked;
  readonly onDone: (text: string) => Promise<void>;
  /** The owners of a cape were changed; the dialog stays. */
  readonly onChange: () => Promise<void>;
  readonly onClose: () => void;
};

function CapeDialog({ asked, onDone, onChange, onClose }: CapeDialogProps) {
  if (asked.what === "add") return <NewCape file={asked.file} onDone={onDone} onClose={onClose} />;
  if (asked.what === "owners") return <CapeOwners cape={asked.cape} onChange={onChange} onClose={onClose} />;
  return <DeleteCape cape={asked.cape} onDone={onDone} onClose={onClose} />;
}

function DeleteCape({
  cape,
  onDone,
  onClose,
}: {
  readonly cape: Cape;
  readonly onDone: (text: string) => Promise<void>;
  readonly onClose: () => void;
}) {
  const { admin, shell } = words.value;
  const remove = async () => {
    const result = await ask(api.DELETE("/api/admin/user/cape/upload", { body: { capeid: cape.uuid } }));
    if (!result.ok) return result.problem;
    await onDone(shell.deleted(cape.name));
    return null;
  };
  return (
    <FormDialog
      title={shell.deleteThing(cape.name)}
      text={admin.deleteCapeHelp(cape.owners_count)}
      button={shell.delete}
      onSubmit={remove}
      onClose={onClose}
    />
  );
}
