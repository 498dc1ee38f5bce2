import { createContext, type ComponentChildren } from "preact";
import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { onSignedOut } from "../api/client.ts";
import type { Problem } from "../api/problem.ts";
import { showWait } from "../words/format.ts";
import { words } from "../words/language.ts";
import { Button, type ButtonKind } from "./button.tsx";
import { keepDraft, restoreDraft } from "./drafts.ts";
import { keepLength } from "./field-length.ts";
import { ProblemText, useCountdown } from "./problems.tsx";

type FormProps = {
  /** The form's heading and its accessible name. */
  readonly label: string;
  /** Whether the heading of the page or dialog says the same: the form then has no name of its own. */
  readonly isLabelHidden?: boolean;
  /** The text of the button that sends it. */
  readonly button: string;
  readonly buttonKind?: ButtonKind;
  /** Buttons beside that one. */
  readonly actions?: ComponentChildren;
  /**
   * Sends the form. Returns what went wrong; after success (null) the form is emptied, unless `keeps` is set.
   */
  readonly onSubmit: (data: FormData) => Promise<Problem | null>;
  readonly keeps?: boolean;
  /**
   * The thing that the form is about, if several forms share the label: input for one thing is never shown
   * for another.
   */
  readonly thing?: string;
  readonly children: ComponentChildren;
};

/** Why the form was not taken, and the id of the alert that says it. */
const FormProblem = createContext<{ readonly problem: Problem | null; readonly alert: string }>({
  problem: null,
  alert: "",
});

/**
 * A form. Its input stays when sending fails, and survives a session that ends meanwhile. While the server
 * asks to wait, the button counts the seconds down.
 */
export function Form({
  label,
  isLabelHidden = false,
  button,
  buttonKind = "main",
  actions,
  onSubmit,
  keeps = false,
  thing = "",
  children,
}: FormProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const seconds = useCountdown(problem);
  const draft = `${label} ${thing}`;
  useLayoutEffect(() => restoreDraft(form.current, draft), [draft]);
  // After that the page is drawn without the form.
  useEffect(() => onSignedOut(() => keepDraft(form.current, draft)), [draft]);
  // By then the field of the refusal is marked.
  useEffect(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus(), [problem]);
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const element = form.current;
    if (element === null || isBusy || seconds > 0) return;
    setBusy(true);
    setProblem(null);
    const found = await onSubmit(new FormData(element));
    setBusy(false);
    setProblem(found);
    if (found === null && !keeps) form.current?.reset();
  };
  return (
    <form
      ref={form}
      class="form"
      aria-labelledby={isLabelHidden ? undefined : id}
      aria-busy={isBusy}
      onSubmit={send}
    >
      {!isLabelHidden && <h2 id={id}>{label}</h2>}
      <FormProblem.Provider value={{ problem, alert: `${id}-alert` }}>{children}</FormProblem.Provider>
      <ProblemText id={`${id}-alert`} problem={problem} />
      <div class="form-actions">
        <Button kind={buttonKind} type="submit" busy={isBusy || seconds > 0}>
          {seconds > 0 ? words.value.shell.limited(showWait(seconds)) : button}
        </Button>
        {actions}
      </div>
    </form>
  );
}

/**
 * Whether a refusal is about this field. No value of the header has such a text: quotation marks in values
 * are escaped.
 */
function isAbout(problem: Problem | null, name: string): boolean {
  return problem?.error.includes(`; field="${name}"`) === true;
}

export type FieldProps = {
  readonly label: string;
  /** The field's name in the API. A refusal that names it marks the field, and describes it. */
  readonly name: string;
  readonly type?: "text" | "email" | "password" | "datetime-local";
  readonly value?: string;
  readonly help?: string;
  /** What the page itself finds wrong with what stands in the field. */
  readonly fault?: string | null;
  readonly isOptional?: boolean;
  /** It may be empty, which goes without saying: a filter. */
  readonly isFree?: boolean;
  readonly autocomplete?: string;
  readonly minLength?: number;
  /** Characters, as the API counts them (`field-length.ts`). */
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly inputMode?: "numeric";
  readonly lines?: number;
  /** A button within the field, at its end. */
  readonly action?: ComponentChildren;
};

/** A labelled field with its help. A refusal that is about it stands once, in the form's alert. */
export function Field({
  label,
  name,
  type = "text",
  value,
  help,
  fault = null,
  isOptional = false,
  isFree = false,
  autocomplete = "off",
  lines,
  maxLength,
  action,
  ...rest
}: FieldProps) {
  const id = useId();
  const { problem, alert } = useContext(FormProblem);
  const isWrong = isAbout(problem, name);
  const notes = [fault !== null && `${id}-fault`, help !== undefined && `${id}-help`, isWrong && alert];
  const common = {
    ...rest,
    ...(maxLength === undefined ? {} : keepLength(maxLength)),
    id,
    name,
    required: !isOptional && !isFree,
    autocomplete,
    "aria-invalid": isWrong || fault !== null || undefined,
    "aria-describedby": idsOf(notes),
    ...(value === undefined ? {} : { defaultValue: value }),
  };
  return (
    <div class="field">
      <div>
        <label for={id}>{label}</label>
        {isOptional && <span class="field-optional"> ({words.value.shell.optional})</span>}
      </div>
      <div class="field-box">
        {lines === undefined ? (
          <input {...common} {...({ type } as { type: "text" })} /* every type has these attributes */ />
        ) : (
          <textarea {...common} rows={lines} />
        )}
        {action}
      </div>
      <FieldNotes id={id} fault={fault} help={help} />
    </div>
  );
}

/** The given ids as the value of an attribute. */
function idsOf(ids: readonly (string | false)[]): string | undefined {
  const there = ids.filter((one) => one !== false);
  return there.length === 0 ? undefined : there.join(" ");
}

/** What stands below a field. */
function FieldNotes({
  id,
  fault,
  help,
}: {
  readonly id: string;
  readonly fault: string | null;
  readonly help: string | undefined;
}) {
  return (
    <>
      {fault !== null && (
        <p id={`${id}-fault`} class="field-fault">
          {fault}
        </p>
      )}
      {help !== undefined && (
        <p id={`${id}-help`} class="field-help">
          {help}
        </p>
      )}
    </>
  );
}

export function Checkbox({
  label,
  name,
  value,
  checked,
}: {
  readonly label: string;
  readonly name: string;
  readonly value?: string;
  readonly checked?: boolean;
}) {
  return (
    <label class="checkbox">
      <input type="checkbox" name={name} value={value} defaultChecked={checked ?? false} />
      <span>{label}</span>
    </label>
  );
}

type ChoiceProps = {
  readonly label: string;
  readonly name: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly value: string;
  readonly onChange?: (value: string) => void;
};

/** Radio buttons under one legend. */
export function Radios({ label, name, options, value, onChange }: ChoiceProps) {
  return (
    <fieldset class="radios">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} class="checkbox">
          <input
            type="radio"
            name={name}
            value={option.value}
            {...(onChange === undefined
              ? { defaultChecked: option.value === value }
              : { checked: option.value === value, onChange: () => onChange(option.value) })}
          />
          <span>{option.text}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** A labelled choice from a list. */
export function Select({ label, name, options, value, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        value={value}
        onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  );
}
