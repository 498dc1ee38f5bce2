import { useEffect, useRef, useState } from "preact/hooks";
import { refusal } from "../../api/problem.ts";
import type { components } from "../../api/types.ts";
import { Combobox, type Choice } from "../../parts/combobox.tsx";
import { Field, Form, Radios } from "../../parts/form.tsx";
import { textOf } from "../../parts/form-data.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { fromField } from "../../parts/moments.ts";
import { words } from "../../words/staff-pages.ts";
import { changeOwners, countUsers, type Change, type Who } from "./cape-steps.ts";
import { findCapes, type CapeChoice } from "./find-capes.ts";
import { findUsers } from "./people.tsx";

type Cape = components["schemas"]["ListedCape"];

type ChangeOwnersProps = {
  readonly cape: Cape;
  /** How many people own it now. */
  readonly owners: number;
  readonly onChanged: (text: string) => Promise<void>;
};

/** A change that concerns many people, and the sentence that says so. */
type Asked = { readonly change: Change; readonly text: string };

/** What is chosen in the form. */
type Chosen = {
  readonly kind: "people" | "everybody" | "owners";
  readonly people: readonly Choice[];
  readonly other: CapeChoice | null;
};

const nothingChosen: Chosen = { kind: "people", people: [], other: null };

/**
 * Grants a cape or takes it away: for named people at once; for everybody or the owners of another cape after
 * a question.
 */
export function ChangeOwners({ cape, owners, onChanged }: ChangeOwnersProps) {
  const { grants } = words.value;
  const [isGiving, setGiving] = useState(true);
  const [chosen, setChosen] = useState(nothingChosen);
  const [asked, setAsked] = useState<Asked | null>(null);
  const choose = (part: Partial<Chosen>) => setChosen({ ...chosen, ...part });

  const done = async (changed: number) => {
    choose({ people: [] });
    await onChanged(isGiving ? grants.given(changed) : grants.taken(changed));
  };
  const submit = async (form: FormData) => {
    const who = whoOf(chosen);
    if (who === null) return refusal(chosen.kind === "people" ? grants.chooseFirst : grants.chooseCape);
    const end = fromField(textOf(form, "expired_at"));
    const change: Change = isGiving ? { action: "give", who, end } : { action: "take", who };
    if (chosen.kind !== "people") {
      setAsked({ change, text: await questionOf(chosen, isGiving, owners) });
      return null;
    }
    const { changed, problem } = await changeOwners(cape.uuid, change);
    if (problem === null) await done(changed);
    return problem;
  };
  return (
    <>
      <Form
        label={words.value.admin.owners}
        isLabelHidden
        button={isGiving ? grants.give : grants.take}
        buttonKind={isGiving ? "main" : "danger"}
        thing={cape.uuid}
        keeps
        onSubmit={submit}
      >
        <ActionFields {...{ isGiving, setGiving, choose }} kind={chosen.kind} />
        {chosen.kind === "people" && <PeopleField chosen={chosen.people} choose={choose} />}
        {chosen.kind === "owners" && <OtherCapeField cape={cape} chosen={chosen.other} choose={choose} />}
        {isGiving && <EndField />}
      </Form>
      {asked !== null && <AskMany {...asked} cape={cape} onDone={done} onClose={() => setAsked(null)} />}
    </>
  );
}

/** Null: nothing is chosen yet. */
function whoOf({ kind, people, other }: Chosen): Who | null {
  if (kind === "everybody") return "everybody";
  if (kind === "owners") return other === null ? null : `owners:${other.value}`;
  return people.length === 0 ? null : people.map(({ value }) => Number(value));
}

/** The people concerned, and how many they are. */
async function questionOf({ other }: Chosen, isGiving: boolean, owners: number): Promise<string> {
  const { grants } = words.peek();
  if (other !== null) {
    const most = isGiving ? other.owners : Math.min(owners, other.owners);
    return isGiving ? grants.giveOwners(most, other.text) : grants.takeOwners(most, other.text);
  }
  if (!isGiving) return grants.takeEverybody(owners);
  const users = await countUsers();
  return grants.giveEverybody(Math.max(0, (users ?? owners) - owners));
}

type Choose = (part: Partial<Chosen>) => void;

function ActionFields({
  isGiving,
  setGiving,
  kind,
  choose,
}: {
  readonly isGiving: boolean;
  readonly setGiving: (isGiving: boolean) => void;
  readonly kind: Chosen["kind"];
  readonly choose: Choose;
}) {
  const { grants } = words.value;
  const kinds = [
    { value: "people", text: grants.people },
    { value: "everybody", text: grants.everybody },
    { value: "owners", text: grants.ownersOf },
  ] as const;
  return (
    <>
      <Radios
        label={grants.action}
        name="action"
        value={isGiving ? "give" : "take"}
        onChange={(value) => setGiving(value === "give")}
        options={[
          { value: "give", text: grants.give },
          { value: "take", text: grants.take },
        ]}
      />
      <Radios
        label={grants.who}
        name="who"
        value={kind}
        onChange={(chosen) =>
          choose({ kind: kinds.find(({ value }) => value === chosen)?.value ?? "people", other: null })
        }
        options={kinds}
      />
    </>
  );
}

function PeopleField({ chosen, choose }: { readonly chosen: readonly Choice[]; readonly choose: Choose }) {
  return (
    <Combobox
      label={words.value.grants.people}
      find={findUsers}
      chosen={chosen}
      onChoose={(one) => choose({ people: [...chosen, one] })}
      onRemove={({ value }) => choose({ people: chosen.filter((one) => one.value !== value) })}
    />
  );
}

function OtherCapeField({
  cape,
  chosen,
  choose,
}: {
  readonly cape: Cape;
  readonly chosen: CapeChoice | null;
  readonly choose: Choose;
}) {
  const found = useRef(new Map<string, CapeChoice>());
  const find = async (text: string) => {
    const result = await findCapes(text);
    if (!result.ok) return result;
    for (const one of result.body) found.current.set(one.value, one);
    return { ...result, body: result.body.filter(({ value }) => value !== cape.uuid) };
  };
  return (
    <Combobox
      label={words.value.grants.otherCape}
      find={find}
      chosen={chosen === null ? [] : [chosen]}
      onChoose={({ value }) => choose({ other: found.current.get(value) ?? null })}
      onRemove={() => choose({ other: null })}
    />
  );
}

function EndField() {
  const { admin, grants } = words.value;
  return (
    <Field
      label={admin.untilField}
      name="expired_at"
      type="datetime-local"
      help={grants.endHelp}
      isOptional
    />
  );
}

type AskManyProps = Asked & {
  readonly cape: Cape;
  readonly onDone: (changed: number) => Promise<void>;
  readonly onClose: () => void;
};

/**
 * Says how many people are concerned, then changes them in batches. Closing the dialog stops after the
 * current batch.
 */
function AskMany({ cape, change, text, onDone, onClose }: AskManyProps) {
  const { grants } = words.value;
  const isStopped = useRef(false);
  const [soFar, setSoFar] = useState<number | null>(null);
  useEffect(() => () => void (isStopped.current = true), []);
  const run = async () => {
    const on = { step: setSoFar, isStopped: () => isStopped.current };
    const { changed, problem } = await changeOwners(cape.uuid, change, on);
    if (problem !== null && !isStopped.current) {
      setSoFar(changed);
      return problem;
    }
    await onDone(changed);
    if (!isStopped.current) onClose();
    return null;
  };
  const isGiving = change.action === "give";
  return (
    <FormDialog
      title={isGiving ? grants.giveThing(cape.name) : grants.takeThing(cape.name)}
      thing={cape.uuid}
      text={text}
      button={isGiving ? grants.give : grants.take}
      kind={isGiving ? "main" : "danger"}
      onSubmit={run}
      onClose={onClose}
    >
      <p class="soft">{grants.stepByStep}</p>
      <p role="status">{soFar === null ? "" : grants.soFar(soFar)}</p>
    </FormDialog>
  );
}
