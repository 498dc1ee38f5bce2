import { ButtonLink } from "../../parts/button.tsx";
import { api, ask } from "../../api/client.ts";
import { useAnchor } from "../../parts/anchor.ts";
import { Badge } from "../../parts/badge.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Loaded, Skeleton, useLoad } from "../../parts/load.tsx";
import { words } from "../../words/staff-pages.ts";
import { SettingsFile, type Installation } from "./settings-file.tsx";
import { addressForOthers, isOnThisMachine, steps, type Step } from "./steps.ts";

/** The steps of a new community, and which are done. */
export function NextSteps() {
  const { guest, setup } = words.value;
  const load = useLoad("installation", () => ask(api.GET("/api/admin/installation")));
  return (
    <>
      <Loaded load={load} skeleton={<Skeleton kind="card" count={3} />}>
        {({ data }) => (
          <>
            <SettingsFile of={data} />
            <StepList of={data} />
            <section class="card steps" aria-labelledby="doctor">
              <h2 id="doctor">{setup.check}</h2>
              <p>{setup.checkText}</p>
              <CommandLine of={data} command="doctor" />
              <p class="soft small">{setup.commandsIn(data.folder)}</p>
            </section>
          </>
        )}
      </Loaded>
      <p class="steps-on">
        <ButtonLink kind="main" href="/admin">
          {setup.toOverview}
        </ButtonLink>
        <ButtonLink href="/home">{guest.openWardrobe}</ButtonLink>
      </p>
    </>
  );
}

function StepList({ of }: { readonly of: Installation }) {
  const { setup } = words.value;
  const { now } = useLoad("overview", () => ask(api.GET("/api/admin/overview")));
  const known = now.state === "ready" ? now.data.data : null;
  return (
    <section class="steps" aria-labelledby="next">
      <h2 id="next">{setup.next}</h2>
      <ol aria-labelledby="next">
        {steps.map((step) => (
          <StepItem key={step.name} step={step} isDone={step.isDone(known)} of={of} />
        ))}
      </ol>
    </section>
  );
}

type StepProps = { readonly step: Step; readonly isDone: boolean | null; readonly of: Installation };

function StepItem({ step: { name, settings, command, page }, isDone, of }: StepProps) {
  const { setup } = words.value;
  const { title, text } = setup.steps[name];
  const names = Object.keys(settings);
  return (
    <li {...useAnchor<HTMLLIElement>(name)} class="card step">
      <div class="step-head">
        <h3>{title}</h3>
        {isDone === true && <Badge text={setup.done} mood="good" />}
        {isDone === false && <Badge text={setup.open} mood="warn" />}
        {isDone === null && <Badge text={setup.unknown} />}
      </div>
      <p>{text}</p>
      {names.length > 0 && (
        <p class="soft small">
          {names.length === 1 ? setup.setting : setup.settings}: <code>{names.join(", ")}</code>
        </p>
      )}
      {page !== null && <PageAddress page={page} />}
      {command !== null && <CommandLine of={of} command={command} />}
    </li>
  );
}

/** The address of a page, to be given to people. */
function PageAddress({ page }: { readonly page: string }) {
  const { setup } = words.value;
  const address = `${addressForOthers()}${page}`;
  return (
    <>
      <div class="command">
        <code>{address}</code>
        <CopyButton text={address} label={setup.copyAddress} />
      </div>
      {isOnThisMachine(new URL(address).hostname) && <p class="soft small">{setup.onlyHere}</p>}
    </>
  );
}

/** A command as it is typed for this server. */
function CommandLine({ of, command }: { readonly of: Installation; readonly command: string }) {
  const { setup } = words.value;
  const line = `${of.command} ${command}${of.options}`;
  return (
    <div class="command">
      <code>{line}</code>
      <CopyButton text={line} label={setup.copyCommand(command.split(" ")[0] ?? "")} />
    </div>
  );
}
