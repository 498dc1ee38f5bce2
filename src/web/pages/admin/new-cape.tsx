import { useState } from "preact/hooks";
import { api, ask, formBody } from "../../api/client.ts";
import { member } from "../../api/session.ts";
import { Combobox, type Choice } from "../../parts/combobox.tsx";
import { Field } from "../../parts/form.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { textOf } from "../../parts/form-data.ts";
import { fromField } from "../../parts/moments.ts";
import { ProblemText } from "../../parts/problems.tsx";
import { nameOfFile, nameLengthMax } from "../../parts/texture-name.ts";
import { words } from "../../words/staff-pages.ts";
import { useCapePicture } from "./cape-picture.ts";
import { choiceOf, findUsers } from "./people.tsx";

type NewCapeProps = {
  readonly file: File;
  readonly onDone: (text: string) => Promise<void>;
  readonly onClose: () => void;
};

/** Looks at the file, then sends it with its name, its owners and the end of their grants. */
export function NewCape({ file, onDone, onClose }: NewCapeProps) {
  const { admin } = words.value;
  const picture = useCapePicture(file);
  const [owners, setOwners] = useState<readonly Choice[]>(ownChoice);
  const add = async (form: FormData) => {
    // The dialog says already what is wrong with the file.
    if (picture.problem !== null) return null;
    const sent = new FormData();
    const name = textOf(form, "name");
    const end = fromField(textOf(form, "expired_at"));
    sent.set("cape", file);
    sent.set("name", name);
    sent.set("owners", owners.map(({ value }) => value).join(","));
    if (end !== null) sent.set("expired_at", String(end));
    const result = await ask(api.POST("/api/admin/user/cape/upload", formBody(sent)));
    if (!result.ok) return result.problem;
    await onDone(admin.capeAdded(name));
    return null;
  };
  return (
    <FormDialog
      title={admin.newCape}
      thing={file.name}
      button={admin.addCape}
      kind="main"
      onSubmit={add}
      onClose={onClose}
    >
      {picture.url !== null && (
        <img class="cape-sheet" src={picture.url} alt={admin.capeSheet} width={256} height={128} />
      )}
      <ProblemText problem={picture.problem} />
      <Field label={admin.name} name="name" value={nameOfFile(file)} maxLength={nameLengthMax} />
      <Combobox
        label={admin.owners}
        help={admin.ownersHelp}
        find={findUsers}
        chosen={owners}
        onChoose={(owner) => setOwners([...owners, owner])}
        onRemove={({ value }) => setOwners(owners.filter((owner) => owner.value !== value))}
      />
      <Field
        label={admin.untilField}
        name="expired_at"
        type="datetime-local"
        help={admin.grantUntilHelp}
        isOptional
      />
    </FormDialog>
  );
}

/** The person who adds the cape is suggested as its first owner. */
function ownChoice(): readonly Choice[] {
  const own = member.peek();
  return own === null ? [] : [choiceOf(own)];
}
