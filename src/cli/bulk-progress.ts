import type { BulkProgress } from "../domain/ports/outbox-store.ts";
import { tableText } from "./output.ts";

const head = ["id", "to everybody", "by", "written", "copies", "sent", "failed", "waiting", "left"];
/** Longer subjects are cut, so that the columns stay side by side. */
const subjectShown = 40;

/** How far each mail to everybody has come, and how long it takes yet at this pace. Empty when there is none. */
export function bulkProgressText(mails: readonly BulkProgress[], perSecondMax: number): string {
  if (mails.length === 0) return "";
  let ahead = 0;
  const rows = mails.map(({ id, subject, issuer, createdAt, sent, failed, waiting }) => {
    // The earlier one goes first.
    ahead += waiting;
    const left = waiting === 0 ? "-" : durationText(ahead / perSecondMax);
    const counts = [sent + failed + waiting, sent, failed, waiting].map(String);
    return [String(id), shortened(subject), issuer, momentText(createdAt), ...counts, left];
  });
  return `${tableText(head, rows)}\n`;
}

function shortened(subject: string): string {
  const characters = Array.from(subject);
  return characters.length <= subjectShown ? subject : `${characters.slice(0, subjectShown - 1).join("")}…`;
}

/** A point in time: `2100-01-01T00:00:00Z`. */
export function momentText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000", "");
}

/** Roughly how long, in the two largest units: `2 h 46 min`. */
function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
