import type { ComponentChildren } from "preact";
import type { Answer } from "../api/client.ts";
import type { components } from "../api/types.ts";
import { words } from "../words/language.ts";
import { textOf } from "./form-data.ts";
import { FormDialog } from "./form-dialog.tsx";

type Player = components["schemas"]["Player"];

/** What is to be done with the players of an account. */
export type PlayerTask =
  { readonly what: "add" } | { readonly what: "rename" | "delete"; readonly player: Player };

type PlayerDialogProps = {
  readonly task: PlayerTask;
  /** What else changes. */
  readonly text?: string;
  /** Sends it. A value is empty where the fields do not ask for it. */
  readonly send: (given: { readonly name: string; readonly password: string }) => Promise<Answer<unknown>>;
  /** What is said of an added player, whose former name is empty, or of a renamed one. */
  readonly said: (name: string, former: string) => string;
  /** Closes the dialog, says what was done and shows it. */
  readonly onDone: (message: string) => Promise<void>;
  readonly onClose: () => void;
  /** The fields that the task needs. */
  readonly children?: ComponentChildren;
};

/** Adds, renames or deletes a player, for its owner and for staff. */
export function PlayerDialog({ task, text, send, said, onDone, onClose, children }: PlayerDialogProps) {
  const { account, shell } = words.value;
  const former = task.what === "add" ? "" : task.player.name;
  const submit = async (form: FormData) => {
    const given = { name: textOf(form, "name"), password: textOf(form, "password") };
    const result = await send(given);
    if (!result.ok) return result.problem;
    await onDone(task.what === "delete" ? shell.deleted(former) : said(given.name, former));
    return null;
  };
  const { title, button } = {
    add: { title: account.newPlayer, button: account.addPlayer },
    rename: { title: shell.renameThing(former), button: shell.rename },
    delete: { title: shell.deleteThing(former), button: shell.delete },
  }[task.what];
  return (
    <FormDialog
      title={title}
      button={button}
      kind={task.what === "delete" ? "danger" : "main"}
      {...(text === undefined ? {} : { text })}
      onSubmit={submit}
      onClose={onClose}
    >
      {children}
    </FormDialog>
  );
}
