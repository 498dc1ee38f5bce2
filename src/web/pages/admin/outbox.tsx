import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, ask } from "../../api/client.ts";
import type { components } from "../../api/types.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/form.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { textOf } from "../../parts/form-data.ts";
import { Empty, Skeleton } from "../../parts/load.tsx";
import { Listing, pageQuery, usePages } from "../../parts/pages.tsx";
import { showProblem } from "../../parts/problems.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { say, sayBad } from "../../shell/messages.tsx";
import { showAgo, showMoment } from "../../words/format.ts";
import { words } from "../../words/staff-pages.ts";
import { AdminPage, keyFor } from "./admin-page.tsx";

type OutboxMail = components["schemas"]["OutboxMail"];

const states = ["waiting", "failed"] as const;

/** Mails that the mail server has not taken, with what it answered. */
export function Outbox() {
  const { records, shell } = words.value;
  const [isAsked, setAsked] = useState(false);
  const state = states.find((one) => one === useLocation().query["state"]) ?? null;
  const pages = usePages(keyFor(3, state ?? "all"), (after) =>
    ask(
      api.GET("/api/admin/outbox", { params: { query: { ...pageQuery(after), ...(state && { state }) } } }),
    ),
  );
  const retry = async ({ id, to }: OutboxMail) => {
    const result = await ask(api.POST("/api/admin/outbox/{id}/retry", { params: { path: { id } } }));
    if (!result.ok) return sayBad(showProblem(result.problem));
    say(records.retried(to));
    await pages.reload();
  };
  const sent = async (to: string) => {
    setAsked(false);
    say(records.testSent(to));
    await pages.reload();
  };
  const test = <Button onClick={() => setAsked(true)}>{records.sendTest}</Button>;
  return (
    <AdminPage heading={shell.staffSections.outbox} level={3} actions={test}>
      <StateLinks state={state} />
      <Listing
        pages={pages}
        skeleton={<Skeleton kind="row" count={6} />}
        empty={<Empty text={state === "failed" ? records.noFailed : records.nothingWaits} />}
      >
        {(rows) => (
          <Table
            label={shell.staffSections.outbox}
            columns={columns(retry)}
            rows={rows}
            keyOf={({ id }) => id}
          />
        )}
      </Listing>
      {isAsked && <TestDialog onDone={sent} onClose={() => setAsked(false)} />}
    </AdminPage>
  );
}

function StateLinks({ state }: { readonly state: (typeof states)[number] | null }) {
  const { admin, records } = words.value;
  const links = [
    { path: "/admin/outbox", text: admin.all, isHere: state === null },
    { path: "/admin/outbox?state=waiting", text: records.waiting, isHere: state === "waiting" },
    { path: "/admin/outbox?state=failed", text: records.failed, isHere: state === "failed" },
  ];
  return (
    <nav class="tabs nav-links" aria-label={records.state}>
      {links.map(({ path, text, isHere }) => (
        <a key={path} href={path} aria-current={isHere ? "page" : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

function columns(retry: (mail: OutboxMail) => Promise<void>): readonly Column<OutboxMail>[] {
  const { records } = words.value;
  return [
    { head: records.to, cell: ({ to }) => to },
    {
      head: records.template,
      cell: ({ template, language }) => (
        <span class="facts">
          <span class="code">{template}</span> <span class="soft">{language}</span>
        </span>
      ),
    },
    { head: records.state, cell: (mail) => <MailState mail={mail} /> },
    { head: records.written, cell: ({ created }) => showMoment(created) },
    {
      head: records.action,
      cell: (mail) =>
        mail.can_retry && (
          <Button label={records.retryThing(mail.to)} onClick={() => retry(mail)}>
            {records.retry}
          </Button>
        ),
    },
  ];
}

function MailState({ mail }: { readonly mail: OutboxMail }) {
  const { records } = words.value;
  return (
    <>
      <span class="facts">
        {mail.state === "failed" ? (
          <Badge mood="bad" text={records.failed} />
        ) : (
          <Badge text={records.waiting} />
        )}
        {mail.attempts > 0 && <span class="soft">{records.attempts(mail.attempts)}</span>}
        {mail.next_at !== null && mail.attempts > 0 && (
          <span class="soft">{records.nextTry(showAgo(mail.next_at))}</span>
        )}
      </span>
      {mail.error !== null && <p class="code">{mail.error}</p>}
    </>
  );
}

function TestDialog({
  onDone,
  onClose,
}: {
  readonly onDone: (to: string) => Promise<void>;
  readonly onClose: () => void;
}) {
  const { records, shell } = words.value;
  const send = async (form: FormData) => {
    const to = textOf(form, "to").trim();
    const result = await ask(api.POST("/api/admin/outbox/test", { body: to === "" ? {} : { to } }));
    if (!result.ok) return result.problem;
    await onDone(result.body.data.to);
    return null;
  };
  return (
    <FormDialog title={records.sendTest} button={records.send} kind="main" onSubmit={send} onClose={onClose}>
      <Field label={shell.mail} name="to" type="email" help={records.testHelp} isOptional />
    </FormDialog>
  );
}
