import type { ComponentChildren } from "preact";
import type { Problem } from "../api/problem.ts";
import { words } from "../words/language.ts";
import { Button, type ButtonKind } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Form } from "./form.tsx";

type ConfirmDialogProps = {
  /** What is about to be done, and to what: "Delete Founders". */
  readonly title: string;
  /** What cannot be taken back, and what else changes. */
  readonly text?: string;
  /** What it is about, where the title does not name it. */
  readonly thing?: string;
  /** The verb alone. */
  readonly button: string;
  readonly kind?: ButtonKind;
  /** Does it. Null: it is done. */
  readonly onConfirm: (form: FormData) => Promise<Problem | null>;
  readonly onClose: () => void;
  /** Fields that it needs. */
  readonly children?: ComponentChildren;
};

/** Asks before something is done that others see and that has no Undo. It stays open, with its input, while that fails. */
export function ConfirmDialog({
  title,
  text,
  thing = "",
  button,
  kind = "danger",
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const cancel = <Button onClick={onClose}>{words.value.shell.cancel}</Button>;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        label={title}
        isLabelHidden
        button={button}
        buttonKind={kind}
        actions={cancel}
        thing={thing}
        keeps
        onSubmit={onConfirm}
      >
        {text !== undefined && <p>{text}</p>}
        {children}
      </Form>
    </Dialog>
  );
}
