import { level } from "../../api/session.ts";
import { Badge } from "../../parts/badge.tsx";
import { nameTopic, sayFinding, type Check } from "../../words/findings.ts";
import { showBytes, showList, showMoment, showNumber } from "../../words/format.ts";
import { language } from "../../words/language.ts";
import { words } from "../../words/staff-pages.ts";
import { placeOf, sortChecks } from "./check-places.ts";

/**
 * Checks that are not in order, each with its remedy and the page for it. Checks in order, and checks of
 * unused features, have one line each. Each check stands once.
 */
export function CheckList({ checks }: { readonly checks: readonly Check[] }) {
  const { findings, records } = words.value;
  const { bad, good, unused } = sortChecks(checks);
  const named = (topics: readonly string[]) =>
    showList(topics.map((topic) => nameTopic(topic, findings.topics)));
  return (
    <section aria-labelledby="checks">
      <h2 id="checks">{records.checks}</h2>
      <ul class="card row-list" aria-labelledby="checks">
        {bad.map(({ topic, check }) => (
          <BadCheck key={JSON.stringify(check)} topic={nameTopic(topic, findings.topics)} check={check} />
        ))}
        {good.length > 0 && (
          <li>
            <span class="check-text soft">{named(good)}</span>
            <Badge mood="good" text={records.states.ok} />
          </li>
        )}
        {unused.length > 0 && (
          <li>
            <span class="check-text soft">{named(unused)}</span>
            <Badge text={records.states.unused} />
          </li>
        )}
      </ul>
    </section>
  );
}

const formats = { size: showBytes, moment: showMoment, number: showNumber };

function BadCheck({ topic, check }: { readonly topic: string; readonly check: Check }) {
  const { findings, records } = words.value;
  const { text, remedy, isTranslated } = sayFinding(check, findings.texts, formats);
  // The server's own sentences.
  const lang = isTranslated || language.value === "en" ? undefined : "en";
  return (
    <li>
      <span class="check-text">
        <strong>{topic}</strong>: <span lang={lang}>{text}</span>
        {remedy !== null && (
          <>
            <br />
            <span class="soft" lang={lang}>
              {remedy}
            </span>
          </>
        )}
        <PlaceLink check={check} />
      </span>
      <Badge
        mood={check.state === "fault" ? "bad" : "warn"}
        text={records.states[check.state === "fault" ? "fault" : "warning"]}
      />
    </li>
  );
}

/** Leads to the page where it is done. Only administrators may open these. */
function PlaceLink({ check }: { readonly check: Check }) {
  const { setup, shell } = words.value;
  const place = level.value >= 3 ? placeOf(check) : null;
  if (place === null) return null;
  return (
    <>
      <br />
      {place === "outbox" ? (
        <a href="/admin/outbox">{shell.staffSections.outbox}</a>
      ) : (
        <a href={`/setup#${place}`}>
          {setup.heading}: {setup.steps[place].title}
        </a>
      )}
    </>
  );
}
