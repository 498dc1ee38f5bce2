import { useState } from "preact/hooks";
import type { Model } from "../../../render/parts.ts";
import { api, ask } from "../../api/client.ts";
import { Arms } from "../../parts/arms.tsx";
import { Button } from "../../parts/button.tsx";
import { Checkbox, Field, Form } from "../../parts/form.tsx";
import { textOf } from "../../parts/form-data.ts";
import { nameLengthMax } from "../../parts/texture-name.ts";
import { words } from "../../words/staff-pages.ts";

/** The parts of a skin that staff see and change. */
export type StaffSkin = {
  readonly uuid: string;
  readonly name: string;
  readonly slim: boolean;
  readonly hd: boolean;
};

export type SkinFormProps = {
  readonly skin: StaffSkin;
  /** Called with what was done. */
  readonly onDone: (text: string) => Promise<void>;
  readonly onClose: () => void;
};

/** Whether the dialog's heading says what the form is for. */
type Alone = { readonly isAlone?: boolean };

export const modelOf = ({ slim }: StaffSkin): Model => (slim ? "slim" : "classic");

/** `onModel` gets the arms that are chosen. */
export function EditSkinForm({
  skin,
  isAlone = false,
  onModel,
  onDone,
  onClose,
}: SkinFormProps & Alone & { readonly onModel?: (model: Model) => void }) {
  const { admin, shell } = words.value;
  const [model, setModel] = useState(modelOf(skin));
  const choose = (chosen: Model) => {
    setModel(chosen);
    onModel?.(chosen);
  };
  const save = async (form: FormData) => {
    const name = textOf(form, "name");
    const body = { name, slim: model === "slim" };
    const result = await ask(
      api.PATCH("/api/admin/skin/{uuid}", { params: { path: { uuid: skin.uuid } }, body }),
    );
    if (!result.ok) return result.problem;
    await onDone(shell.savedThing(name));
    return null;
  };
  return (
    <Form
      label={shell.editThing(skin.name)}
      isLabelHidden={isAlone}
      button={shell.save}
      actions={<Button onClick={onClose}>{shell.cancel}</Button>}
      thing={skin.uuid}
      keeps
      onSubmit={save}
    >
      <Field label={admin.name} name="name" value={skin.name} maxLength={nameLengthMax} />
      <Arms name="model" value={model} onChange={choose} />
    </Form>
  );
}

/** Removes a skin with a reason, on request with a ban of its picture. */
export function DeleteSkinForm({ skin, isAlone = false, onDone, onClose }: SkinFormProps & Alone) {
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
    <Form
      label={shell.deleteThing(skin.name)}
      isLabelHidden={isAlone}
      button={shell.delete}
      buttonKind="danger"
      actions={<Button onClick={onClose}>{shell.cancel}</Button>}
      thing={skin.uuid}
      keeps
      onSubmit={remove}
    >
      <p>{admin.deleteSkinHelp}</p>
      <Field label={admin.reason} name="reason" help={admin.reasonHelp} isOptional maxLength={200} />
      <Checkbox label={admin.banToo} name="ban" />
    </Form>
  );
}
