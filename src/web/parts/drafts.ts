import { effect } from "@preact/signals";
import { member } from "../api/session.ts";

type Entered = { readonly name: string; readonly value: string; readonly isChosen: boolean };

/**
 * What was entered when a session ended, by page and form, for the same person alone. It is kept in memory,
 * and without passwords and files.
 */
const drafts = new Map<string, readonly Entered[]>();
const draftsMax = 20;
let owner: number | null = null;

effect(() => {
  const id = member.value?.id ?? owner;
  if (id !== owner) drafts.clear();
  owner = id;
});

const keyOf = (form: string) => `${location.pathname} ${form}`;

export function keepDraft(element: HTMLFormElement | null, form: string): void {
  if (element === null || owner === null) return;
  if (drafts.size >= draftsMax) drafts.clear();
  const entered = fieldsOf(element).map((field) => ({
    name: field.name,
    value: field.value,
    isChosen: isChosen(field),
  }));
  drafts.set(keyOf(form), entered);
}

/** Fills the form in as a person would, so that what follows a field follows it now. */
export function restoreDraft(element: HTMLFormElement | null, form: string): void {
  const draft = drafts.get(keyOf(form));
  if (element === null || draft === undefined) return;
  drafts.delete(keyOf(form));
  for (const field of fieldsOf(element)) {
    const isChoice = isChoiceField(field);
    const before = draft.find(
      ({ name, value }) => name === field.name && (!isChoice || value === field.value),
    );
    if (before === undefined) continue;
    if (isChoice) {
      if (before.isChosen !== isChosen(field)) field.click();
    } else if (before.value !== field.value) {
      field.value = before.value;
      for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
    }
  }
}

type FormField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Password fields are known by what they are filled in with: one that is shown has the type `text`. */
function fieldsOf(element: HTMLFormElement): readonly FormField[] {
  return [
    ...element.querySelectorAll<FormField>(
      "input[name]:not([type=password], [autocomplete$=password], [type=file]), textarea[name], select[name]",
    ),
  ];
}

function isChoiceField(field: FormField): boolean {
  return field.type === "checkbox" || field.type === "radio";
}

function isChosen(field: FormField): boolean {
  return field instanceof HTMLInputElement && field.checked;
}
