import { useEffect, useState } from "preact/hooks";
import type { Model } from "../../../render/parts.ts";
import { api, ask, formBody } from "../../api/client.ts";
import { community } from "../../api/community.ts";
import type { Problem } from "../../api/problem.ts";
import { Arms } from "../../parts/arms.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FileButton } from "../../parts/file-button.tsx";
import { textOf } from "../../parts/form-data.ts";
import { Field, Form } from "../../parts/form.tsx";
import { nameOfFile, nameLengthMax } from "../../parts/texture-name.ts";
import { say } from "../../shell/messages.tsx";
import { settle } from "../../shell/removals.ts";
import { words } from "../../words/language.ts";
import { FileFigure } from "./figures.tsx";
import { readSkinFile, type SkinFile } from "./skin-file.ts";
import type { Skin } from "./wardrobe-data.ts";

type NewSkinProps = {
  readonly file: File;
  /** Replaces the file; what was entered stays. */
  readonly onFile: (file: File) => void;
  readonly onClose: () => void;
  /** The skins that are there already. */
  readonly skins: readonly Skin[];
  /** Shows the added skin. Returns another skin with the same picture, or null. */
  readonly onAdded: (uuid: string) => Promise<Skin | null>;
};

/** Shows a file as the skin that it would be, before anything is sent, and puts it into the wardrobe. */
export function NewSkin({ file, onFile, onClose, skins, onAdded }: NewSkinProps) {
  const { home, wardrobe } = words.value;
  const { skin, problem } = useSkinFile(file);
  const [chosen, setChosen] = useState<Model | null>(null);
  useEffect(() => setChosen(null), [file]);
  const twin = skin && skins.find(({ Texture_hash }) => Texture_hash === skin.hash);
  const model = chosen ?? skin?.detected ?? "classic";
  const add = async (form: FormData) => {
    // The page says already what is wrong with the file.
    if (skin === null) return null;
    // A skin whose deletion can still be undone may hold the last place.
    if (skins.length >= community.rules.wardrobe_max) await settle();
    const name = textOf(form, "name");
    const sent = uploadForm(file, { name, slim: String(model === "slim") });
    const result = await ask(api.POST("/api/home/edit/upload", formBody(sent)));
    if (!result.ok) return result.problem;
    const other = await onAdded(uuidOfFile(result.response));
    onClose();
    say(other === null ? home.added(name) : wardrobe.addedTwin(name, other.Name));
    return null;
  };
  return (
    <Dialog title={home.newSkin} onClose={onClose}>
      <div class="dressing">
        <FileFigure name={nameOfFile(file)} skin={skin} model={model} problem={problem} />
        <div class="skins">
          <Form
            label={home.newSkin}
            isLabelHidden
            button={home.add}
            actions={
              <FileButton kind="plain" label={home.otherFile} accept="image/png,.png" onFile={onFile} />
            }
            thing={file.name}
            keeps
            onSubmit={add}
          >
            <Field label={home.name} name="name" value={nameOfFile(file)} maxLength={nameLengthMax} />
            <Arms name="slim" value={model} onChange={setChosen} />
            <p class="field-help">{skin === null ? "" : home.detected[skin.detected]}</p>
            <div role="status">{twin && <p class="notice">{wardrobe.twin(twin.Name)}</p>}</div>
          </Form>
        </div>
      </div>
    </Dialog>
  );
}

function uploadForm(file: File, fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  form.set("skin", file);
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

/** The answer to an upload names the address of the new skin's file, which ends with its UUID. */
function uuidOfFile({ headers }: Response): string {
  return headers.get("location")?.split("/").at(-1) ?? "";
}

type Read = { readonly skin: SkinFile | null; readonly problem: Problem | null };

/** What a file turned out to be; neither a skin nor a problem while it is read. */
function useSkinFile(file: File): Read {
  const [read, setRead] = useState<Read>({ skin: null, problem: null });
  useEffect(() => {
    let isOvertaken = false;
    let picture: ImageBitmap | null = null;
    setRead({ skin: null, problem: null });
    void (async () => {
      const found = await readSkinFile(file);
      if (found.ok) picture = found.body.picture;
      if (isOvertaken) picture?.close();
      else setRead(found.ok ? { skin: found.body, problem: null } : { skin: null, problem: found.problem });
    })();
    return () => {
      isOvertaken = true;
      picture?.close();
    };
  }, [file]);
  return read;
}
