import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Problem, Result } from "../api/problem.ts";
import { words } from "../words/language.ts";
import { Button } from "./button.tsx";
import { showProblem } from "./problems.tsx";

/** Something that can be chosen. */
export type Choice = {
  readonly value: string;
  readonly text: string;
  /** What distinguishes it from others of the same text. */
  readonly help?: string;
};

type ComboboxProps = {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly help?: string;
  /** Finds choices for a text. The empty text asks for what is offered before anything is typed. */
  readonly find: (text: string) => Promise<Result<readonly Choice[]>>;
  readonly onChoose: (choice: Choice) => void;
  /** What was chosen before, where there can be several: it is listed, and not offered again. */
  readonly chosen?: readonly Choice[];
  readonly onRemove?: (choice: Choice) => void;
  /** It has the focus in a dialog that opens, and Escape is the dialog's. */
  readonly isFirst?: boolean;
};

/**
 * A text field with a list of choices (ARIA 1.2, combobox with a list). The focus stays in the field: the
 * arrow keys move through the choices, Enter takes one, Escape closes the list. After a choice the text is
 * empty again.
 */
export function Combobox(props: ComboboxProps) {
  const { label, isLabelHidden = false, chosen = [], onRemove, isFirst = false } = props;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const { text, choices, active, isShown, note, ...on } = useCombobox(props);
  const choose = (choice: Choice) => {
    on.choose(choice);
    field.current?.focus();
  };
  return (
    <div class="field">
      <label for={id} class={isLabelHidden ? "heard" : undefined}>
        {label}
      </label>
      {onRemove !== undefined && <ChosenList label={label} chosen={chosen} onRemove={onRemove} />}
      <div class="combobox-field">
        <input
          ref={field}
          id={id}
          type="text"
          role="combobox"
          autocomplete="off"
          autofocus={isFirst}
          spellcheck={false}
          aria-autocomplete="list"
          aria-expanded={isShown}
          aria-controls={`${id}-list`}
          aria-activedescendant={active === undefined ? undefined : optionId(id, active)}
          aria-describedby={`${id}-note`}
          value={text}
          onInput={({ currentTarget }) => on.type(currentTarget.value)}
          onFocus={on.open}
          onClick={on.open}
          onBlur={on.close}
          onKeyDown={on.press}
        />
        <ChoiceList {...{ id, label, choices, active, isShown, choose }} />
      </div>
      <p id={`${id}-note`} class="field-help" role="status">
        {note}
      </p>
    </div>
  );
}

/** What the field and its list do. */
function useCombobox({ find, chosen = [], help, isFirst = false, onChoose }: ComboboxProps) {
  const [text, setText] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const found = useChoices(find, isOpen ? text : null);
  const taken = new Set(chosen.map(({ value }) => value));
  const choices = found.choices.filter(({ value }) => !taken.has(value));
  const isShown = isOpen && choices.length > 0;
  const active = isShown ? choices[Math.min(at, choices.length - 1)] : undefined;
  const isLate = isOpen && found.text !== text;
  const [isWaited, setWaited] = useState(false);

  const become = (text: string, open: boolean) => {
    setText(text);
    setWaited(false);
    setAt(0);
    setOpen(open);
  };
  const choose = (choice: Choice) => {
    become("", false);
    onChoose(choice);
  };
  useEffect(() => {
    if (!isWaited || isLate) return;
    setWaited(false);
    if (active !== undefined) choose(active);
  }, [isWaited, isLate]);
  const press = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      setOpen(true);
      setAt(isShown ? (at + step + choices.length) % choices.length : 0);
    } else if (event.key === "Enter" && isLate) {
      // The list is still that of an earlier text. The first choice of this one is taken when it comes.
      setWaited(true);
    } else if (event.key === "Enter" && active !== undefined) choose(active);
    else if (event.key === "Escape" && isShown && !isFirst) setOpen(false);
    else return;
    // Around it, Escape closes a dialog and Enter sends a form.
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    text,
    choices,
    active,
    isShown,
    note: noteOf(found, { text: isOpen ? text : "", count: choices.length, help }),
    choose,
    press,
    type: (text: string) => become(text, true),
    open: () => setOpen(true),
    // A choice under way still arrives if the person moves on meanwhile.
    close: () => setOpen(isWaited),
  };
}

const optionId = (id: string, { value }: Choice) => `${id}-${value}`;

function ChoiceList({
  id,
  label,
  choices,
  active,
  isShown,
  choose,
}: {
  readonly id: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly active: Choice | undefined;
  readonly isShown: boolean;
  readonly choose: (choice: Choice) => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(
    () => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }),
    [active],
  );
  return (
    <ul
      ref={list}
      id={`${id}-list`}
      class="combobox-list"
      role="listbox"
      aria-label={label}
      hidden={!isShown}
      // The focus stays in the field.
      onMouseDown={(event) => event.preventDefault()}
    >
      {choices.map((choice) => (
        <li
          key={choice.value}
          id={optionId(id, choice)}
          role="option"
          aria-selected={choice === active}
          onClick={() => choose(choice)}
        >
          <span dir="auto">{choice.text}</span>
          {choice.help !== undefined && <span class="combobox-hint"> {choice.help}</span>}
        </li>
      ))}
    </ul>
  );
}

function ChosenList({
  label,
  chosen,
  onRemove,
}: {
  readonly label: string;
  readonly chosen: readonly Choice[];
  readonly onRemove: (choice: Choice) => void;
}) {
  if (chosen.length === 0) return null;
  return (
    <ul class="combobox-chosen" aria-label={label}>
      {chosen.map((choice) => (
        <li key={choice.value}>
          <Button label={words.value.shell.removeChoice(choice.text)} onClick={() => onRemove(choice)}>
            <span dir="auto">{choice.text}</span>
            <span aria-hidden="true">×</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}

type Found = {
  /** The text that was asked for; null: not yet. */
  readonly text: string | null;
  readonly choices: readonly Choice[];
  readonly problem: Problem | null;
};

const nothing: Found = { text: null, choices: [], problem: null };
/** Long enough that a word is asked for once, short enough to feel immediate. */
const pauseMs = 150;

/**
 * The choices for a text, once typing pauses; an answer that was overtaken is dropped. Null asks for nothing.
 */
function useChoices(find: ComboboxProps["find"], text: string | null): Found {
  const [found, setFound] = useState(nothing);
  const findNow = useRef(find);
  findNow.current = find;
  useEffect(() => {
    if (text === null) return setFound(nothing);
    let isOvertaken = false;
    const ask = async () => {
      const answer = await findNow.current(text);
      if (isOvertaken) return;
      setFound(
        answer.ok
          ? { text, choices: answer.body, problem: null }
          : { text, choices: [], problem: answer.problem },
      );
    };
    const timer = setTimeout(() => void ask(), text === "" ? 0 : pauseMs);
    return () => {
      isOvertaken = true;
      clearTimeout(timer);
    };
  }, [text]);
  return found;
}

type Typed = { readonly text: string; readonly count: number; readonly help: string | undefined };

function noteOf(found: Found, { text, count, help = "" }: Typed): string {
  if (found.problem !== null) return showProblem(found.problem);
  if (text === "" || found.text !== text) return help;
  return words.value.shell.choices(count);
}
