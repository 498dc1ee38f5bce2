import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { bodyPicture } from "../../api/textures.ts";
import { Arms } from "../../parts/arms.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { CardPicture } from "../../parts/card-picture.tsx";
import { Checkbox, Field } from "../../parts/form.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { textOf } from "../../parts/form-data.ts";
import { nameLengthMax } from "../../parts/texture-name.ts";
import { say } from "../../shell/messages.tsx";
import { words } from "../../words/language.ts";

/** A skin, as far as staff see and change it. */
export type StaffSkin = {
  readonly uuid: string;
  readonly name: string;
  readonly slim: boolean;
  readonly hd: boolean;
};

type Asked = { readonly what: "edit" | "delete"; readonly skin: StaffSkin };

type SkinCardProps = {
  readonly skin: StaffSkin;
  readonly note: string | null;
  readonly onAsk: (asked: Asked) => void;
  /** The level of its heading on the page. */
  readonly heading: "h2" | "h3";
  /** Facts below the name. */
  readonly children?: ComponentChildren;
};

export function SkinCard({ skin, note, onAsk, heading: Heading, children }: SkinCardProps) {
  const { home, shell } = words.value;
  return (
    <li>
      <CardPicture address={(size) => bodyPicture(skin.uuid, size)} />
      <div class="staff-card-text">
        <Heading class="card-name" dir="auto">
          {skin.name}
        </Heading>
        <p class="card-facts">
          {skin.slim ? home.models.slim : home.models.classic}
          {skin.hd && " · HD"} {note !== null && <Badge text={note} />}
        </p>
        {children}
      </div>
      <div class="card-actions">
        <Button label={shell.editThing(skin.name)} onClick={() => onAsk({ what: "edit", skin })}>
          {shell.edit}
        </Button>
        <Button
          kind="danger"
          label={shell.deleteThing(skin.name)}
          onClick={() => onAsk({ what: "delete", skin })}
        >
          {shell.delete}
        </Button>
      </div>
    </li>
  );
}

/** The dialogs of skin cards: `ask` opens one, `onChange` is called when it has changed something. */
export function useSkinDialog(onChange: () => Promise<void>) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const done = async (text: string) => {
    close();
    say(text);
    await onChange();
  };
  const dialog =
    asked === null ? null : asked.what === "edit" ? (
      <EditSkin skin={asked.skin} onDone={done} onClose={close} />
    ) : (
      <DeleteSkin skin={asked.skin} onDone={done} onClose={close} />
    );
  return { ask: setAsked, dialog };
}

type SkinDialogProps = {
  readonly skin: StaffSkin;
  readonly onDone: (text: string) => Promise<void>;
  readonly onClose: () => void;
};

function EditSkin({ skin, onDone, onClose }: SkinDialogProps) {
  const { admin, shell } = words.value;
  const save = async (form: FormData) => {
    const name = textOf(form, "name");
    const body = { name, slim: textOf(form, "model") === "slim" };
    const result = await ask(
      api.PATCH("/api/admin/skin/{uuid}", { params: { path: { uuid: skin.uuid } }, body }),
    );
    if (!result.ok) return result.problem;
    await onDone(shell.savedThing(name));
    return null;
  };
  return (
    <FormDialog
      title={shell.editThing(skin.name)}
      button={shell.save}
      kind="main"
      onSubmit={save}
      onClose={onClose}
    >
      <Field label={admin.name} name="name" value={skin.name} maxLength={nameLengthMax} />
      <Arms name="model" value={skin.slim ? "slim" : "classic"} />
    </FormDialog>
  );
}

function DeleteSkin({ skin, onDone, onClose }: SkinDialogProps) {
  const { admin, shell } = words.value;
  const remove = async (form: FormData) => {
    const reason = textOf(form, "reason").trim();
    const body = { ...(reason !== "" && { reason }), ban: form.has("ban") };
    const result = await ask(
      api.DELETE("/api/admin/skin/{uuid}", { params: { path: { uuid: skin.uuid } }, body }),
    );
    if (!result.ok) return result.problem;
    await onDone(body.ban ? admin.skinBanned(skin.name) : shell.deleted(skin.name));
    return null;
  };
  return (
    <FormDialog
      title={shell.deleteThing(skin.name)}
      text={admin.deleteSkinHelp}
      button={shell.delete}
      onSubmit={remove}
      onClose={onClose}
    >
      <Field label={admin.reason} name="reason" help={admin.reasonHelp} isOptional maxLength={200} />
      <Checkbox label={admin.banToo} name="ban" />
    </FormDialog>
  );
}
