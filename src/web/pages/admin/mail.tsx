import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import type { components } from "../../api/types.ts";
import { Field, Form } from "../../parts/form.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { textOf } from "../../parts/form-data.ts";
import { Skeleton } from "../../parts/load.tsx";
import { Listing, pageQuery, usePages } from "../../parts/pages.tsx";
import { showProblem } from "../../parts/problems.tsx";
import { say, sayBad } from "../../shell/messages.tsx";
import { words } from "../../words/staff-pages.ts";
import { AdminPage, keyFor } from "./admin-page.tsx";
import { MailPreview } from "./mail-preview.tsx";
import { Mailings } from "./mailings.tsx";

type Preview = components["schemas"]["MailPreview"];

/** What is about to be sent, exactly as it was previewed. */
type Draft = { readonly subject: string; readonly message: string; readonly preview: Preview };

/** A mail to everybody: written, previewed, sent, watched. */
export function Mail() {
  const { records } = words.value;
  const [draft, setDraft] = useState<Draft | null>(null);
  const [isAsked, setAsked] = useState(false);
  const [round, setRound] = useState(0);
  const mailings = usePages(keyFor(3, "mailings"), (after, sending) =>
    ask(api.GET("/api/admin/mail", { params: { query: pageQuery(after) }, ...sending })),
  );
  const preview = async (form: FormData) => {
    const body = { subject: textOf(form, "subject"), message: textOf(form, "message") };
    const result = await ask(api.POST("/api/admin/mail/preview", { body }));
    if (!result.ok) return result.problem;
    setDraft({ ...body, preview: result.body.data });
    return null;
  };
  const done = async (count: number) => {
    setAsked(false);
    setDraft(null);
    setRound(round + 1);
    say(records.onTheWay(count));
    await mailings.reload();
  };
  return (
    <AdminPage heading={records.mailToEverybody} level={3}>
      <MailForm key={round} onPreview={preview} onEdit={() => setDraft(null)} />
      {draft !== null && (
        <MailPreview preview={draft.preview} onTry={() => sendTrial(draft)} onSend={() => setAsked(true)} />
      )}
      <section aria-labelledby="mailings">
        <h2 id="mailings">{records.mailings}</h2>
        <Listing
          pages={mailings}
          skeleton={<Skeleton kind="row" count={2} />}
          empty={<p class="soft">{records.noMailings}</p>}
        >
          {(rows) => <Mailings rows={rows} reload={mailings.reload} />}
        </Listing>
      </section>
      {draft !== null && isAsked && (
        <SendDialog draft={draft} onDone={done} onClose={() => setAsked(false)} />
      )}
    </AdminPage>
  );
}

function MailForm({
  onPreview,
  onEdit,
}: {
  readonly onPreview: (form: FormData) => ReturnType<Parameters<typeof Form>[0]["onSubmit"]>;
  readonly onEdit: () => void;
}) {
  const { home, records } = words.value;
  return (
    // What was previewed is no longer what would be sent.
    <div class="card panel wide-form" onInput={onEdit}>
      <Form label={records.newMail} button={home.preview} buttonKind="plain" onSubmit={onPreview} keeps>
        <Field label={records.subject} name="subject" maxLength={150} />
        <Field
          label={records.message}
          name="message"
          lines={10}
          maxLength={20_000}
          help={records.messageHelp}
        />
      </Form>
    </div>
  );
}

/** Sends the draft to the person who writes it. */
async function sendTrial({ subject, message }: Draft): Promise<void> {
  const result = await ask(api.POST("/api/admin/mail/trial", { body: { subject, message } }));
  if (!result.ok) return sayBad(showProblem(result.problem));
  say(words.peek().records.trialSent(result.body.data.to));
}

type SendDialogProps = {
  readonly draft: Draft;
  readonly onDone: (count: number) => Promise<void>;
  readonly onClose: () => void;
};

function SendDialog({ draft: { subject, message, preview }, onDone, onClose }: SendDialogProps) {
  const { records } = words.value;
  const send = async () => {
    const result = await ask(api.POST("/api/admin/mail", { body: { subject, message } }));
    if (!result.ok) return result.problem;
    await onDone(Number(result.response.headers.get("x-mails-queued") ?? preview.recipients));
    return null;
  };
  return (
    <FormDialog
      title={records.sendTo(preview.recipients)}
      text={records.sendHelp(subject)}
      button={records.send}
      kind="main"
      onSubmit={send}
      onClose={onClose}
    />
  );
}
