import { useEffect } from "preact/hooks";
import { inBackground } from "../../api/client.ts";
import type { components } from "../../api/types.ts";
import type { Load } from "../../parts/load.tsx";
import { showMoment } from "../../words/format.ts";
import { words } from "../../words/staff-pages.ts";
import { actorName } from "./audit-words.ts";

type Mailing = components["schemas"]["Mailing"];

const pauseMs = 2000;

/**
 * Mails to everybody and their progress, the newest first. The list is loaded again while a mail is being
 * sent and the page is visible.
 */
export function Mailings({
  rows,
  reload,
}: {
  readonly rows: readonly Mailing[];
  readonly reload: Load<unknown>["reload"];
}) {
  const { records } = words.value;
  const isUnderWay = rows.some(({ waiting }) => waiting > 0);
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setInterval(() => document.hidden || void reload(inBackground), pauseMs);
    return () => clearInterval(timer);
  }, [isUnderWay, reload]);
  return (
    <ul class="card row-list" aria-label={records.mailings}>
      {rows.map((mailing) => (
        <MailingRow key={mailing.id} mailing={mailing} />
      ))}
    </ul>
  );
}

function MailingRow({ mailing }: { readonly mailing: Mailing }) {
  const { records } = words.value;
  const { subject, total, sent, failed, waiting } = mailing;
  return (
    <li>
      <span>
        <span dir="auto">{subject}</span>
        <br />
        <span class="soft">
          <span dir="auto">{actorName(mailing.iss)}</span> · {showMoment(mailing.time)}
        </span>
      </span>
      <span class="progress">
        {waiting > 0 && (
          <progress aria-label={records.progressOf(subject)} max={total} value={total - waiting} />
        )}
        <span class="soft">{records.progress({ sent, total, failed })}</span>
        {failed > 0 && <a href="/admin/outbox?state=failed">{records.showFailed}</a>}
      </span>
    </li>
  );
}
