import { useEffect, useRef, useState } from "preact/hooks";
import type { Model } from "../../../render/parts.ts";
import { api, ask } from "../../api/client.ts";
import { bodyPicture, skinFile } from "../../api/textures.ts";
import type { components } from "../../api/types.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Loaded, Skeleton, useLoad } from "../../parts/load.tsx";
import { FigureWithControls } from "../../viewer/figure-with-controls.tsx";
import { showDay, showNumber } from "../../words/format.ts";
import { words } from "../../words/staff-pages.ts";
import { actorName } from "./audit-words.ts";
import { DeleteSkinForm, EditSkinForm, modelOf, type SkinFormProps } from "./skin-forms.tsx";

type Look = components["schemas"]["SkinLook"];
type Leave = { readonly onLeave: () => void };

/** Pixels of width: half the height at which the figure is shown. */
const pictureSize = 176;
/** The server counts so many at most. */
const countedMax = 10_000;

/** A skin as a figure and as its file, with the facts that staff need and what they may do. */
export function SkinLook(props: SkinFormProps) {
  const { skin, onClose } = props;
  const [model, setModel] = useState<Model>(modelOf(skin));
  const load = useLoad(skin.uuid, () =>
    ask(api.GET("/api/admin/skin/{uuid}", { params: { path: { uuid: skin.uuid } } })),
  );
  return (
    <div class="dressing">
      <FigureWithControls
        name={skin.name}
        skin={skinFile(skin.uuid)}
        model={model}
        picture={bodyPicture(skin.uuid, pictureSize)}
      />
      <div class="panel">
        <Loaded load={load} skeleton={<Skeleton kind="row" count={6} />}>
          {({ data }) => (
            <>
              <Sheet look={data} />
              <Owner look={data} onLeave={onClose} />
              <Others look={data} onLeave={onClose} />
              <Removals look={data} />
            </>
          )}
        </Loaded>
        <Actions {...props} onModel={setModel} />
      </div>
    </div>
  );
}

function Sheet({ look }: { readonly look: Look }) {
  const { skin, home } = words.value;
  const file = skinFile(look.uuid);
  return (
    <div class="panel">
      <img
        class="skin-sheet"
        src={file}
        alt={skin.sheetOf(look.name)}
        width={256}
        height={(256 * look.height) / look.width}
      />
      <p class="soft">
        {skin.measures(look.width, look.height)} · {look.slim ? home.models.slim : home.models.classic}
        {look.hd && " · HD"} {look.selected && <Badge text={home.worn} />}
      </p>
      <div>
        <ButtonLink href={file} download={`${look.name}.png`}>
          {skin.download}
        </ButtonLink>
      </div>
    </div>
  );
}

/** A link to a person's page, by name. */
function Person({ id, name, onLeave }: { readonly id: number; readonly name: string } & Leave) {
  return (
    <a href={`/admin/users/${id}`} dir="auto" onClick={onLeave}>
      {name || words.value.admin.userNumber(id)}
    </a>
  );
}

function Owner({ look, onLeave }: { readonly look: Look } & Leave) {
  return (
    <p>
      {words.value.skin.owner}: <Person id={look.for} name={look.iss} onLeave={onLeave} /> ·{" "}
      {showDay(look.time)}
    </p>
  );
}

function Others({ look: { others, others_total: total }, onLeave }: { readonly look: Look } & Leave) {
  const { home, shell, skin } = words.value;
  const count = total < countedMax ? showNumber(total) : shell.orMore(showNumber(countedMax));
  return (
    <section class="panel" aria-labelledby="skin-others">
      <h3 id="skin-others">{skin.others}</h3>
      <p class="soft">{total === 0 ? skin.noOthers : skin.othersCount(total, count)}</p>
      {total > 0 && (
        <ul class="row-list">
          {others.map((one) => (
            <li key={one.uuid}>
              <span>
                <Person id={one.user} name={one.username} onLeave={onLeave} /> ·{" "}
                <span dir="auto">{one.name}</span>
              </span>
              {one.selected && <Badge text={home.worn} />}
            </li>
          ))}
        </ul>
      )}
      {total > others.length && <p class="soft">{skin.more(total - others.length)}</p>}
    </section>
  );
}

function Removals({ look: { removals } }: { readonly look: Look }) {
  const { skin } = words.value;
  return (
    <section class="panel" aria-labelledby="skin-removals">
      <h3 id="skin-removals">{skin.removals}</h3>
      {removals.length === 0 ? (
        <p class="soft">{skin.noRemovals}</p>
      ) : (
        <ul class="row-list">
          {removals.map((one) => (
            <li key={one.id}>
              <span>
                <span dir="auto">{one.name}</span> {one.ban && <Badge text={skin.banned} />}
                <br />
                <span class="soft" dir="auto">
                  {showDay(one.time)} · {actorName(one.iss)} · {one.reason || skin.noReason}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type Open = "edit" | "delete" | null;

/** Buttons that open a form below them. */
function Actions(props: SkinFormProps & { readonly onModel: (model: Model) => void }) {
  const { skin, onModel } = props;
  const { shell } = words.value;
  const [open, setOpen] = useState<Open>(null);
  const buttons = useRef<HTMLDivElement>(null);
  const toggle = (form: Open) => {
    onModel(modelOf(skin));
    setOpen(open === form ? null : form);
  };
  const close = () => {
    // The pressed button disappears with the form.
    buttons.current?.querySelector<HTMLElement>("[aria-expanded=true]")?.focus();
    toggle(null);
  };
  const form = { ...props, onClose: close };
  const opened = useRef<HTMLDivElement>(null);
  useEffect(() => opened.current?.scrollIntoView({ block: "nearest" }), [open]);
  return (
    <>
      <div ref={buttons} class="form-actions">
        <Button label={shell.editThing(skin.name)} isOpen={open === "edit"} onClick={() => toggle("edit")}>
          {shell.edit}
        </Button>
        <Button
          kind="danger"
          label={shell.deleteThing(skin.name)}
          isOpen={open === "delete"}
          onClick={() => toggle("delete")}
        >
          {shell.delete}
        </Button>
      </div>
      <div ref={opened}>
        {open === "edit" && <EditSkinForm {...form} />}
        {open === "delete" && <DeleteSkinForm {...form} />}
      </div>
    </>
  );
}
