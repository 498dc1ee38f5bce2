import { ButtonLink } from "../../parts/button.tsx";
import { api, ask } from "../../api/client.ts";
import { useAnchor } from "../../parts/anchor.ts";
import { Badge } from "../../parts/badge.tsx";
import { useLoad } from "../../parts/load.tsx";
import { words } from "../../words/language.ts";
import { steps, type Step } from "./steps.ts";

/** What a new community should do, with what is done already. */
export function NextSteps() {
  const { guest, setup } = words.value;
  const { now } = useLoad("overview", () => ask(api.GET("/api/admin/overview")));
  const checks = now.state === "ready" ? now.data.data.checks : [];
  return (
    <>
      <section class="steps" aria-labelledby="next">
        <h2 id="next">{setup.next}</h2>
        <p class="soft">{setup.nextHelp}</p>
        <ol aria-labelledby="next">
          {steps.map((step) => (
            <StepItem key={step.name} step={step} isDone={step.isDone(checks)} />
          ))}
        </ol>
      </section>
      <section class="card steps" aria-labelledby="doctor">
        <h2 id="doctor">{setup.check}</h2>
        <p>{setup.checkText}</p>
        <p>
          <code>cloakroom doctor</code>
        </p>
      </section>
      <p class="steps-on">
        <ButtonLink kind="main" href="/admin">
          {setup.toOverview}
        </ButtonLink>
        <ButtonLink href="/home">{guest.openWardrobe}</ButtonLink>
      </p>
    </>
  );
}

function StepItem({ step, isDone }: { readonly step: Step; readonly isDone: boolean | null }) {
  const { setup } = words.value;
  const { title, text } = setup.steps[step.name];
  const { settings, command } = step;
  return (
    <li {...useAnchor<HTMLLIElement>(step.name)} class="card step">
      <div class="step-head">
        <h3>{title}</h3>
        {isDone === true && <Badge text={setup.done} mood="good" />}
        {isDone === false && <Badge text={setup.open} mood="warn" />}
        {isDone === null && <Badge text={setup.unknown} />}
      </div>
      <p>{text}</p>
      <dl>
        <dt>{settings.length === 1 ? setup.setting : setup.settings}</dt>
        {settings.map((line) => (
          <dd key={line}>
            <code>{line}</code>
          </dd>
        ))}
        {command !== null && (
          <>
            <dt>{setup.command}</dt>
            <dd>
              <code>{command}</code>
            </dd>
          </>
        )}
      </dl>
    </li>
  );
}
