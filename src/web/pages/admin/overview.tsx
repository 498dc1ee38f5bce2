import type { ComponentChildren } from "preact";
import { api, ask } from "../../api/client.ts";
import { level } from "../../api/session.ts";
import type { components } from "../../api/types.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Loaded, Skeleton, useLoad } from "../../parts/load.tsx";
import { Plot } from "../../parts/plot.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { showBytes, showDayOf, showMoment, showNumber, showPercent } from "../../words/format.ts";
import { words } from "../../words/staff-pages.ts";
import { steps } from "../setup/steps.ts";
import { AdminPage, keyFor } from "./admin-page.tsx";
import { CheckList } from "./check-list.tsx";

type OverviewData = components["schemas"]["Overview"];
type Day = OverviewData["days"][number];

/** How the community is, and how the server does. */
export function Overview() {
  const { shell } = words.value;
  const load = useLoad(keyFor(2, "overview"), () => ask(api.GET("/api/admin/overview")));
  return (
    <AdminPage heading={shell.staffSections.overview}>
      <Loaded load={load} skeleton={<Skeleton kind="card" count={4} />}>
        {({ data }) => (
          <>
            <CheckList checks={data.checks} />
            <SetUpLink known={data} />
            <Figures of={data} />
            <Days days={data.days} />
            <p class="soft small">{words.value.records.running(data.version, showMoment(data.started_at))}</p>
          </>
        )}
      </Loaded>
    </AdminPage>
  );
}

/** Leads administrators to the set-up page while steps of it are left. */
function SetUpLink({ known }: { readonly known: OverviewData }) {
  const left = steps.filter(({ isDone }) => isDone(known) === false).length;
  if (level.value < 3 || left === 0) return null;
  return (
    <p>
      <ButtonLink href="/setup">{words.value.records.setUpLeft(left)}</ButtonLink>
    </p>
  );
}

function Figures({ of: data }: { readonly of: OverviewData }) {
  const { records, shell } = words.value;
  const { accounts, mail, disk, cache } = data;
  const asked = cache.hits + cache.misses;
  return (
    <section aria-labelledby="figures">
      <h2 id="figures">{records.figures}</h2>
      <dl class="figures">
        <Figure name={records.accounts} number={showNumber(accounts.total)} href="/admin/users">
          {accounts.unconfirmed > 0 && records.unconfirmed(accounts.unconfirmed)}
        </Figure>
        <Figure name={shell.staffSections.skins} number={showNumber(data.skins)} href="/admin/skins" />
        <Figure name={shell.staffSections.capes} number={showNumber(data.capes)} href="/admin/capes" />
        <Figure
          name={records.mailsWaiting}
          number={showNumber(mail.waiting)}
          href={level.value >= 3 ? "/admin/outbox" : undefined}
        >
          {mail.failed > 0 && records.mailsFailed(mail.failed)}
        </Figure>
        {disk !== null && (
          <Figure name={records.diskFree} number={showBytes(disk.free_bytes)}>
            {records.diskUsed(showBytes(disk.used_bytes))}
          </Figure>
        )}
        <Figure name={records.cacheHits} number={asked === 0 ? "–" : showPercent(cache.hits / asked)}>
          {records.requests(asked, showNumber(asked))}
        </Figure>
      </dl>
    </section>
  );
}

function Figure({
  name,
  number,
  href,
  children,
}: {
  readonly name: string;
  readonly number: string;
  readonly href?: string | undefined;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="card">
      <dt>{href === undefined ? name : <a href={href}>{name}</a>}</dt>
      <dd class="figure-number">{number}</dd>
      {children !== undefined && children !== false && <dd class="soft small">{children}</dd>}
    </div>
  );
}

/** Two plots, and beside them the same numbers. */
function Days({ days }: { readonly days: readonly Day[] }) {
  const { records } = words.value;
  const barsOf = (what: "sign_ins" | "registrations") =>
    days.map((one) => ({ key: one.day, value: one[what] }));
  return (
    <section aria-labelledby="days">
      <h2 id="days">{records.fortnight}</h2>
      <div class="card-grid">
        <div class="card plots">
          <div>
            <h3>{records.signIns}</h3>
            <Plot label={records.aDay(records.signIns)} bars={barsOf("sign_ins")} />
          </div>
          <div>
            <h3>{records.registrations}</h3>
            <Plot label={records.aDay(records.registrations)} bars={barsOf("registrations")} />
          </div>
        </div>
        <Table
          label={records.fortnight}
          columns={columns()}
          rows={days.toReversed()}
          keyOf={({ day }) => day}
          isCompact
        />
      </div>
    </section>
  );
}

function columns(): readonly Column<Day>[] {
  const { records } = words.value;
  return [
    { head: records.day, cell: ({ day }) => showDayOf(day) },
    { head: records.signIns, cell: ({ sign_ins }) => showNumber(sign_ins), isNumber: true },
    { head: records.registrations, cell: ({ registrations }) => showNumber(registrations), isNumber: true },
  ];
}
