import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { community } from "../../api/community.ts";
import type { Problem } from "../../api/problem.ts";
import { Button } from "../../parts/button.tsx";
import { CodeField } from "../../parts/code-field.tsx";
import { Form } from "../../parts/form.tsx";
import { textOf } from "../../parts/form-data.ts";
import { ProblemText } from "../../parts/problems.tsx";
import { say } from "../../shell/messages.tsx";
import { Page } from "../../shell/page.tsx";
import { words } from "../../words/language.ts";
import { readRegistration } from "./entered.ts";
import { takeSessionOver } from "./open-session.ts";

/** Takes the code. The tab that registered goes on to the name; any other one asks for address and password first. */
export function Confirm() {
  const { guest } = words.value;
  const { route } = useLocation();
  const confirm = async (form: FormData) => {
    const code = textOf(form, "code");
    const begun = readRegistration();
    // With the address, so that the code of somebody else's registration opens no session here.
    const result =
      begun === null
        ? await ask(api.POST("/api/auth/confirm", { body: { code } }))
        : await ask(api.POST("/console/confirm", { body: { code, mail: begun.mail } }));
    if (!result.ok) return result.problem;
    if (begun !== null && (await takeSessionOver()) === null) {
      route("/registerfinish", true);
      return null;
    }
    route("/login?next=/registerfinish", true);
    say(guest.confirmed);
    return null;
  };
  return (
    <Page heading={guest.confirmHeading}>
      <div class="card guest">
        <CodeSent />
        <Form label={guest.confirmHeading} isLabelHidden button={guest.confirm} keeps onSubmit={confirm}>
          <CodeField />
        </Form>
        <AnotherCode />
      </div>
    </Page>
  );
}

function CodeSent() {
  const { guest } = words.value;
  const registration = readRegistration();
  return (
    <div class="soft">
      <p dir="auto">
        {registration !== null && community.has_mail && `${guest.codeOnItsWay(registration.mail)} `}
        {guest.codeInMail}
      </p>
      {!community.has_mail && <p>{guest.noMailServer}</p>}
    </div>
  );
}

/** Asks for a further code. The one before stays good. */
function AnotherCode() {
  const { guest } = words.value;
  const [problem, setProblem] = useState<Problem | null>(null);
  const entered = readRegistration();
  // The password is gone when the page was loaded again.
  if (entered === null || entered.password === "")
    return (
      <p class="guest-other">
        {guest.noCode} <a href="/register">{guest.register}</a>
      </p>
    );
  const order = async () => {
    const result = await ask(api.POST("/api/auth/register", { body: entered }));
    setProblem(result.ok ? null : result.problem);
    if (result.ok) say(guest.newCodeSent);
  };
  return (
    <div class="guest-other">
      <Button onClick={order}>{guest.newCode}</Button>
      <ProblemText problem={problem} />
    </div>
  );
}
