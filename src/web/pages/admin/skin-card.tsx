import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { bodyPicture } from "../../api/textures.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { CardPicture } from "../../parts/card-picture.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { say } from "../../shell/messages.tsx";
import { words } from "../../words/staff-pages.ts";
import { DeleteSkinForm, EditSkinForm, type SkinFormProps, type StaffSkin } from "./skin-forms.tsx";
import { SkinLook } from "./skin-look.tsx";

type Asked = { readonly what: "inspect" | "edit" | "delete"; readonly skin: StaffSkin };

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
        <Button
          label={words.value.skin.inspectThing(skin.name)}
          onClick={() => onAsk({ what: "inspect", skin })}
        >
          {words.value.skin.inspect}
        </Button>
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
  return { ask: setAsked, dialog: asked && <SkinDialog {...asked} onDone={done} onClose={close} /> };
}

/** The dialog of a skin: the whole skin with both forms, or one form alone. */
function SkinDialog({ what, ...props }: Asked & SkinFormProps) {
  const { shell } = words.value;
  const { skin, onClose } = props;
  if (what === "inspect")
    return (
      <Dialog title={words.value.skin.inspectThing(skin.name)} onClose={onClose}>
        <SkinLook {...props} />
      </Dialog>
    );
  const isEdit = what === "edit";
  return (
    <Dialog title={isEdit ? shell.editThing(skin.name) : shell.deleteThing(skin.name)} onClose={onClose}>
      {isEdit ? <EditSkinForm {...props} isAlone /> : <DeleteSkinForm {...props} isAlone />}
    </Dialog>
  );
}
