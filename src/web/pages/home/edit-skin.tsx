import { useState } from "preact/hooks";
import type { Model } from "../../../render/parts.ts";
import { api, ask } from "../../api/client.ts";
import { Arms } from "../../parts/arms.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { textOf } from "../../parts/form-data.ts";
import { Field, Form, Select } from "../../parts/form.tsx";
import { nameLengthMax } from "../../parts/texture-name.ts";
import { say, sayBad } from "../../shell/messages.tsx";
import { words } from "../../words/language.ts";
import { SkinFigure } from "./figures.tsx";
import type { ShownWardrobe } from "./home-page.tsx";
import { modelOf, type Skin } from "./wardrobe-data.ts";
import { goneSkin, sayGone } from "./wear.ts";

type EditSkinProps = {
  readonly skin: Skin;
  readonly shown: ShownWardrobe;
  readonly onClose: () => void;
};

/** Changes a skin's name, arms and cape, and shows what becomes of it. */
export function EditSkin({ skin, shown, onClose }: EditSkinProps) {
  const { home, shell } = words.value;
  const { capes } = shown.wardrobe;
  const [model, setModel] = useState<Model>(modelOf(skin));
  const [cape, setCape] = useState(capes.some(({ Uuid }) => Uuid === skin.Cloak_id) ? skin.Cloak_id : "");
  const save = async (form: FormData) => {
    const name = textOf(form, "name");
    const body = { skinid: skin.Uuid, name, slim: model === "slim", cloakid: cape };
    const result = await ask(api.PUT("/api/home/edit/skin", { body }));
    if (!result.ok) {
      const gone = await sayGone(shown, result.problem, goneSkin(skin));
      if (gone === null) return result.problem;
      onClose();
      sayBad(gone);
      return null;
    }
    await shown.reload();
    onClose();
    say(shell.savedThing(name));
    return null;
  };
  return (
    <Dialog title={home.editSkin} onClose={onClose}>
      <div class="dressing">
        <SkinFigure skin={skin} model={model} cape={cape} />
        <Form label={home.editSkin} isLabelHidden button={shell.save} thing={skin.Uuid} keeps onSubmit={save}>
          <Field label={home.name} name="name" value={skin.Name} maxLength={nameLengthMax} />
          <Arms name="slim" value={model} onChange={setModel} />
          <Select
            label={home.cape}
            name="cloakid"
            options={[
              { value: "", text: home.noCape },
              ...capes.map(({ Uuid, Name }) => ({ value: Uuid, text: Name })),
            ]}
            value={cape}
            onChange={setCape}
          />
        </Form>
      </div>
    </Dialog>
  );
}
