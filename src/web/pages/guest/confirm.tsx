import { useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { community } from "../../api/community.ts";
import type { Problem } from "../../api/problem.ts";
import { isUnnamed, member } from "../../api/session.ts";
import { Button } from "../../parts/button.tsx";
import { CodeField } from "../../parts/code-field.tsx";
import { codeOf, forgetCode } from "../../parts/mailed-code.ts";
import { Form } from "../../parts/form.tsx";
import { textOf } from "../../parts/form-data.ts";
import { useLoad } from "../../parts/load.tsx";
import { ProblemText } from "../../parts/problems.tsx";
import { say } from "../../shell/messages.tsx";
import { Page } from "../../shell/page.tsx";
import { words } from "../../words/language.ts";
import { keepRegistration, readRegistration } from "./entered.ts";
import { useAskOnReturn } from "./ask-on-return.ts";
import { takeSessionOver } from "./open-session.ts";
import { SignedInAlready } from "./signed-in-already.tsx";

/**
 * Takes the code, typed or from the mail's link, and leads on to name and password. The address of a link is
 * shown before its code is used, because anyone may send a link of their own registration. A tab that waits
 * here goes on when another tab of this browser has used the code.
 */
export function Confirm() {
  const { guest } = words.value;
  const { path, route } = useLocation();
  const link = useLink(codeOf(path));
  useAskOnReturn();
  const isDone = isUnnamed.value && (link === null || link.mail === null || link.mail === member.value?.mail);
  useEffect(() => {
    if (!isDone) return;
    forgetCode(path);
    route("/registerfinish", true);
  }, [isDone, path, route]);
  const confirm = async (form: FormData) => {
    const result = await ask(api.POST("/console/confirm", { body: { code: textOf(form, "code") } }));
    if (!result.ok) return result.problem;
    forgetCode(path);
    const { data } = result.body;
    if (data === null) {
      const isHere = member.peek() !== null;
      route(isHere ? "/home" : "/login", true);
      say(isHere ? guest.confirmedHere : guest.confirmed);
      return null;
    }
    keepRegistration(data.mail);
    const problem = await takeSessionOver();
    if (problem === null) route("/registerfinish", true);
    return problem;
  };
  return (
    <Page heading={guest.confirmHeading}>
      <div class="card guest">
        <SignedInAlready />
        {link === null ? <CodeSent /> : <LinkOf mail={link.mail} />}
        <Form label={guest.confirmHeading} isLabelHidden button={guest.confirm} keeps onSubmit={confirm}>
          <CodeField />
        </Form>
        <AnotherCode />
      </div>
    </Page>
  );
}

/**
 * The address that the link's code was mailed to; null if the code is no longer valid, without a link, and
 * until it is known.
 */
function useLink(code: string): { readonly mail: string | null } | null {
  const { now } = useLoad(code === "" ? null : code, () =>
    ask(api.POST("/console/confirm/address", { body: { code } })),
  );
  return code !== "" && now.state === "ready" ? { mail: now.data.data?.mail ?? null } : null;
}

function LinkOf({ mail }: { readonly mail: string | null }) {
  const { guest, shell } = words.value;
  if (mail === null)
    return (
      <div role="alert" class="problem">
        <p>
          {guest.linkUsed} <a href="/login">{shell.signIn}</a>
        </p>
      </div>
    );
  return (
    <p dir="auto">
      {guest.linkOf(mail)} {mail !== readRegistration() && guest.linkCare}
    </p>
  );
}

function CodeSent() {
  const { guest, shell } = words.value;
  const mail = readRegistration();
  return (
    <div class="soft">
      <p dir="auto">
        {mail !== null && community.has_mail && `${guest.codeOnItsWay(mail)} `}
        {guest.codeInMail}
      </p>
      {mail !== null && (
        <p>
          {guest.linkElsewhere} <a href="/login">{shell.signIn}</a>
        </p>
      )}
      {!community.has_mail && <p>{guest.noMailServer}</p>}
    </div>
  );
}

/** Asks for another code. The former one stays valid. */
function AnotherCode() {
  const { guest, shell } = words.value;
  const [problem, setProblem] = useState<Problem | null>(null);
  const mail = readRegistration();
  if (mail === null && member.value?.finished === true)
    return (
      <p class="guest-other">
        {guest.noCodeHere} <a href="/home/account">{shell.account}</a>
      </p>
    );
  if (mail === null)
    return (
      <p class="guest-other">
        {guest.noCode} <a href="/register">{guest.register}</a>
      </p>
    );
  const order = async () => {
    const result = await ask(api.POST("/console/register", { body: { mail } }));
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
