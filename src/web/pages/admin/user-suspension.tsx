import { useRef, useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import type { Problem } from "../../api/problem.ts";
import { member } from "../../api/session.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/form.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { textOf } from "../../parts/form-data.ts";
import { keepFocus } from "../../parts/keep-focus.ts";
import { fromField } from "../../parts/moments.ts";
import { showProblem } from "../../parts/problems.tsx";
import { say, sayBad } from "../../shell/messages.tsx";
import { showDeadline } from "../../words/format.ts";
import { words } from "../../words/staff-pages.ts";
import { displayName, type UserDetail, type UserPart } from "./user-part.ts";

/** The API takes no longer one. */
const reasonLengthMax = 500;

type Terms = { readonly until: number | null; readonly reason: string };

/** Suspends a person, or ends that. No visitor can suspend themselves, so their own page has no such part. */
export function UserSuspension({ user, reload }: UserPart) {
  const { admin } = words.value;
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const part = useRef<HTMLElement>(null);
  const change = async (suspended: Terms | null): Promise<Problem | null> => {
    const path = { identifier: String(user.Id) };
    const body = { suspended };
    const result = await ask(api.PATCH("/api/admin/user/{identifier}", { params: { path }, body }));
    if (!result.ok) return result.problem;
    setAsked(false);
    say(suspended === null ? admin.suspensionEnded : admin.nowSuspended(displayName(user)));
    await reload();
    keepFocus(part.current);
    return null;
  };
  const end = async () => {
    setBusy(true);
    const problem = await change(null);
    setBusy(false);
    if (problem !== null) sayBad(showProblem(problem));
  };
  const { suspended } = user;
  if (suspended === null && user.Id === member.value?.id) return null;
  return (
    <section ref={part} tabIndex={-1} class="card panel">
      <h2>{admin.suspension}</h2>
      {suspended === null ? <p class="soft">{admin.suspendHelp}</p> : <Held terms={suspended} />}
      {suspended !== null && (
        <p>
          <Button busy={isBusy} onClick={end}>
            {admin.endSuspension}
          </Button>
        </p>
      )}
      {suspended === null && (
        <p>
          <Button kind="danger" onClick={() => setAsked(true)}>
            {admin.suspend}
          </Button>
        </p>
      )}
      {isAsked && <AskTerms user={user} onSubmit={change} onClose={() => setAsked(false)} />}
    </section>
  );
}

/** Until when a person is suspended, and why. */
export function Held({ terms: { until, reason } }: { readonly terms: Terms }) {
  const { admin } = words.value;
  return (
    <>
      <p>{until === null ? admin.suspendedForGood : admin.suspendedUntil(showDeadline(until))}</p>
      {reason !== "" && (
        <p class="soft" dir="auto">
          {reason}
        </p>
      )}
    </>
  );
}

type AskTermsProps = {
  readonly user: UserDetail;
  readonly onSubmit: (terms: Terms) => Promise<Problem | null>;
  readonly onClose: () => void;
};

function AskTerms({ user, onSubmit, onClose }: AskTermsProps) {
  const { admin } = words.value;
  const submit = (form: FormData) =>
    onSubmit({
      until: fromField(textOf(form, untilName)),
      reason: textOf(form, reasonName).trim(),
    });
  return (
    <FormDialog
      title={admin.suspendThing(displayName(user))}
      thing={String(user.Id)}
      text={admin.suspendHelp}
      button={admin.suspend}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label={admin.untilField}
        name={untilName}
        type="datetime-local"
        help={admin.suspendUntilHelp}
        isOptional
      />
      <Field
        label={admin.reason}
        name={reasonName}
        help={admin.suspendReasonHelp}
        maxLength={reasonLengthMax}
        isOptional
      />
    </FormDialog>
  );
}

/** As the API names them in refusals. */
const untilName = "suspended.until";
const reasonName = "suspended.reason";
