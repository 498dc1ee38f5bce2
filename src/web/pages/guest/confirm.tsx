import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { community } from "../../api/community.ts";
import type { Problem } from "../../api/problem.ts";
import { Button } from "../../parts/button.tsx";
import { CodeField } from "../../parts/code-field.tsx";
import { forgetCode, keepCode } from "../../parts/mailed-code.ts";
import { PasswordField, UsernameHint } from "../../parts/password-field.tsx";
import { Form } from "../../parts/form.tsx";
import { textOf } from "../../parts/form-data.ts";
import { ProblemText } from "../../parts/problems.tsx";
import { say } from "../../shell/messages.tsx";
import { Page } from "../../shell/page.tsx";
import { words } from "../../words/language.ts";
import { keepRegistration, readRegistration } from "./entered.ts";
import { takeSessionOver } from "./open-session.ts";

/**
 * Takes the code and the password of the registration, which a tab that has just registered knows: a code alone may be of somebody
 * else's registration. The person goes on to the name, or sets a new password by the code.
 */
export function Confirm() {
  const { guest } = words.value;
  const { path, route } = useLocation();
  const known = readRegistration()?.password ?? "";
  const [asksPassword, setAsking] = useState(known === "");
  const confirm = async (form: FormData) => {
    const code = textOf(form, "code");
    const password = asksPassword ? textOf(form, "password") : known;
    const result = await ask(api.POST("/console/confirm", { body: { code, password } }));
    if (!result.ok) {
      if (result.problem.text.startsWith("password:")) setAsking(true);
      return result.problem;
    }
    forgetCode(path);
    const { data } = result.body;
    if (data !== null && (await takeSessionOver()) === null) {
      keepRegistration({ mail: data.mail, password });
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
          {asksPassword && <RegisteredPassword />}
        </Form>
        {asksPassword && <OtherPassword />}
        <AnotherCode />
      </div>
    </Page>
  );
}

/** The password that was chosen at the registration. */
function RegisteredPassword() {
  const { guest, shell } = words.value;
  return (
    <>
      <UsernameHint name={readRegistration()?.mail ?? ""} />
      <PasswordField
        label={shell.password}
        name="password"
        autocomplete="current-password"
        help={guest.registeredPassword}
      />
    </>
  );
}

/** Leads to the page that sets another password by the code of this one. */
function OtherPassword() {
  const { guest } = words.value;
  const { path, route } = useLocation();
  const setNew = () => {
    const form = document.querySelector<HTMLFormElement>("main form");
    if (form !== null) keepCode("/resetpassword", textOf(new FormData(form), "code"));
    forgetCode(path);
    route("/resetpassword");
  };
  return (
    <div class="guest-other">
      {guest.passwordUnknown}
      <Button onClick={setNew}>{guest.resetHeading}</Button>
    </div>
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
