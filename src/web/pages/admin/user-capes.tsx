import { api, ask } from "../../api/client.ts";
import { level } from "../../api/session.ts";
import { Empty, Loaded, Skeleton } from "../../parts/load.tsx";
import { Form } from "../../parts/form.tsx";
import { textOf } from "../../parts/form-data.ts";
import { fromField, toField } from "../../parts/moments.ts";
import { More, pageQuery, usePages } from "../../parts/pages.tsx";
import { say } from "../../shell/messages.tsx";
import { showMoment } from "../../words/format.ts";
import { words } from "../../words/staff-pages.ts";
import type { UserDetail, UserPart } from "./user-part.ts";

/** A cape that can be granted, with the end that its grant has now. */
type Grantable = {
  readonly uuid: string;
  readonly name: string;
  readonly end: number | null;
  readonly isHeld: boolean;
};

/** The capes that a person may wear, each until when. */
export function UserCapes(part: UserPart) {
  return (
    <section class="card panel">
      {level.value >= 3 ? <CapesForm {...part} /> : <CapesList {...part} />}
    </section>
  );
}

function CapesList({ user }: UserPart) {
  const { admin, shell } = words.value;
  return (
    <>
      <h2>{shell.staffSections.capes}</h2>
      {user.Capes.length === 0 && <p class="soft">{admin.noGrants}</p>}
      <ul class="row-list">
        {user.Capes.map((cape) => (
          <li key={cape.Uuid}>
            <span dir="auto">{cape.Name}</span>
            {cape.Expires_at !== null && <span class="soft">{admin.until(showMoment(cape.Expires_at))}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}

/** First the capes that the person has, then all others, a page at a time. */
function CapesForm({ user, reload }: UserPart) {
  const { admin, shell } = words.value;
  const pages = usePages("capes", (after) =>
    ask(api.GET("/api/admin/allcapes", { params: { query: pageQuery(after) } })),
  );
  const held = heldBy(user);
  const save = async (form: FormData) => {
    const before = new Map(held.map(({ uuid, end }) => [uuid, end]));
    const cape = form
      .getAll("cape")
      .map(String)
      .map((id) => ({
        id,
        // An unchanged end is sent as it is: without one the grant would never end.
        expired_at: fromField(textOf(form, endName(id)), before.get(id) ?? null),
      }));
    const path = { identifier: String(user.Id) };
    const body = { user: user.Id, cape };
    const result = await ask(api.POST("/api/admin/user/cape/{identifier}", { params: { path }, body }));
    if (!result.ok) return result.problem;
    say(admin.capesSaved);
    await reload();
    return null;
  };
  return (
    <Loaded load={pages} skeleton={<Skeleton kind="row" count={4} />}>
      {({ rows, next }) => {
        const capes = [
          ...held,
          ...rows.filter(({ uuid }) => held.every((one) => one.uuid !== uuid)).map(toGrantable),
        ];
        if (capes.length === 0) return <NoCapes />;
        return (
          <Form
            key={JSON.stringify(held)}
            label={shell.staffSections.capes}
            button={admin.saveCapes}
            onSubmit={save}
            keeps
          >
            <ul class="grants">
              {capes.map((cape) => (
                <GrantRow key={cape.uuid} cape={cape} />
              ))}
            </ul>
            {next !== null && <More pages={pages} />}
          </Form>
        );
      }}
    </Loaded>
  );
}

function NoCapes() {
  const { admin, shell } = words.value;
  return (
    <>
      <h2>{shell.staffSections.capes}</h2>
      <Empty text={admin.noCapes}>
        <a href="/admin/capes">{admin.uploadCape}</a>
      </Empty>
    </>
  );
}

/** The field for the end shows itself beside a cape that is ticked. */
function GrantRow({ cape }: { readonly cape: Grantable }) {
  const { admin } = words.value;
  return (
    <li class="grant">
      <label class="checkbox">
        <input type="checkbox" name="cape" value={cape.uuid} defaultChecked={cape.isHeld} />
        <span dir="auto">{cape.name}</span>
      </label>
      <label class="grant-end">
        <span>{admin.untilField}</span>
        <input
          type="datetime-local"
          name={endName(cape.uuid)}
          aria-label={admin.untilOf(cape.name)}
          defaultValue={toField(cape.end)}
        />
      </label>
    </li>
  );
}

const endName = (uuid: string) => `end ${uuid}`;

function heldBy({ Capes }: UserDetail): readonly Grantable[] {
  return Capes.map(({ Uuid, Name, Expires_at }) => ({
    uuid: Uuid,
    name: Name,
    end: Expires_at,
    isHeld: true,
  }));
}

function toGrantable({ uuid, name }: { readonly uuid: string; readonly name: string }): Grantable {
  return { uuid, name, end: null, isHeld: false };
}
