import { useId, useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import type { components } from "../../api/types.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Checkbox, Field } from "../../parts/form.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { textOf } from "../../parts/form-data.ts";
import { refusal } from "../../api/problem.ts";
import { words } from "../../words/staff-pages.ts";

type Right = components["schemas"]["ServiceToken"]["rights"][number];

const rights: readonly Right[] = ["find", "permission", "events", "launcher", "cape"];
/** What a token may do unless its maker says otherwise, as the API has it. */
const usualRights: ReadonlySet<Right> = new Set(["find", "permission"]);

type NewTokenProps = { readonly onMade: () => Promise<void>; readonly onClose: () => void };

/** Makes a token, and shows its value this once. */
export function NewToken({ onMade, onClose }: NewTokenProps) {
  const { admin, records } = words.value;
  const [token, setToken] = useState<string | null>(null);
  const create = async (form: FormData) => {
    const chosen = rights.filter((right) => form.getAll("rights").includes(right));
    if (chosen.length === 0) return refusal(records.noRightChosen);
    const body = { name: textOf(form, "name").trim(), rights: chosen };
    const result = await ask(api.POST("/api/admin/tokens", { body }));
    if (!result.ok) return result.problem;
    setToken(result.body.data.token);
    await onMade();
    return null;
  };
  if (token !== null) return <MadeToken token={token} onClose={onClose} />;
  return (
    <FormDialog
      title={records.newToken}
      button={records.createToken}
      kind="main"
      onSubmit={create}
      onClose={onClose}
    >
      <Field
        label={admin.name}
        name="name"
        help={records.tokenNameHelp}
        maxLength={32}
        pattern="[a-z0-9][a-z0-9._\-]*"
      />
      <fieldset class="radios rights">
        <legend>{records.rights}</legend>
        {rights.map((right) => (
          <Checkbox
            key={right}
            label={records.rightNames[right]}
            name="rights"
            value={right}
            checked={usualRights.has(right)}
          />
        ))}
      </fieldset>
    </FormDialog>
  );
}

function MadeToken({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  const { records, shell } = words.value;
  const id = useId();
  return (
    <Dialog title={records.newToken} onClose={onClose}>
      <div class="form">
        <p>{records.tokenOnce}</p>
        <div class="field">
          <label for={id}>{records.token}</label>
          <input
            id={id}
            class="code"
            readOnly
            value={token}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
        </div>
        <div class="form-actions">
          <CopyButton text={token} label={records.copyToken} />
          <Button onClick={onClose}>{shell.done}</Button>
        </div>
      </div>
    </Dialog>
  );
}
