import type { ComponentChildren } from "preact";
import type { Problem } from "../api/problem.ts";
import { words } from "../words/language.ts";
import { Button, type ButtonKind } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Form } from "./form.tsx";

type FormDialogProps = {
  /** The action and its thing: "Delete Founders". */
  readonly title: string;
  /** What cannot be taken back, and what else changes. */
  readonly text?: string;
  /** What it is about, where the title does not name it. */
  readonly thing?: string;
  /** The verb alone. */
  readonly button: string;
  readonly kind?: ButtonKind;
  /** Sends the form. Returns what went wrong; null: it is done, and the dialog was closed. */
  readonly onSubmit: (form: FormData) => Promise<Problem | null>;
  readonly onClose: () => void;
  /** Fields that it needs. */
  readonly children?: ComponentChildren;
};

/**
 * A form in a dialog. Without fields it confirms an action that others see and that has no Undo. It stays
 * open with its input while sending fails.
 */
export function FormDialog({
  title,
  text,
  thing = "",
  button,
  kind = "danger",
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
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
        onSubmit={onSubmit}
      >
        {text !== undefined && <p>{text}</p>}
        {children}
      </Form>
    </Dialog>
  );
}
