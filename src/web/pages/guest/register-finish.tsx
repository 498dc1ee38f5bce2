import { useLocation } from "preact-iso";
import { useEffect, useRef } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { askSession, member, session } from "../../api/session.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Form } from "../../parts/form.tsx";
import { textOf } from "../../parts/form-data.ts";
import { Empty, Skeleton } from "../../parts/load.tsx";
import { NewPasswordField } from "../../parts/password-field.tsx";
import { PlayerNameField } from "../../parts/player-name-field.tsx";
import { Unreachable } from "../../parts/problems.tsx";
import { say } from "../../shell/messages.tsx";
import { Page } from "../../shell/page.tsx";
import { words } from "../../words/language.ts";
import { useAskOnReturn } from "./ask-on-return.ts";
import { forgetEntered, readEntered } from "./entered.ts";

/**
 * The last step of a registration: name and password, once. A tab that waits here goes on when another one
 * has sent them.
 */
export function RegisterFinish() {
  return (
    <Page heading={words.value.guest.finishHeading}>
      <Content />
    </Page>
  );
}

function Content() {
  const { guest, shell } = words.value;
  const { state } = session.value;
  const { route } = useLocation();
  const isFinished = member.value?.finished ?? null;
  const wasOpen = useRef(false);
  useAskOnReturn();
  useEffect(() => {
    if (isFinished === true && wasOpen.current) route("/home", true);
    wasOpen.current = isFinished === false;
  }, [isFinished, route]);
  if (state === "asking") return <Skeleton kind="figure" />;
  if (state === "unreachable") return <Unreachable />;
  if (state === "guest")
    return (
      <Empty text={guest.finishSignIn}>
        <ButtonLink kind="main" href="/login?next=/registerfinish">
          {shell.signIn}
        </ButtonLink>
      </Empty>
    );
  if (member.value?.finished === true)
    return (
      <Empty text={guest.finished(member.value.username)}>
        <ButtonLink kind="main" href="/home">
          {guest.openWardrobe}
        </ButtonLink>
      </Empty>
    );
  return <FinishForm name={member.value?.username ?? ""} mail={member.value?.mail ?? ""} />;
}

/** `name` is the one that a social sign-in gave; empty without one, as `mail` is. */
function FinishForm({ name, mail }: { readonly name: string; readonly mail: string }) {
  const { guest, shell } = words.value;
  const { route } = useLocation();
  const finish = async (form: FormData) => {
    const body = { username: textOf(form, "username"), password: textOf(form, "password") };
    const result = await ask(api.POST("/api/home/registerfinish", { body }));
    if (!result.ok) return result.problem;
    forgetEntered();
    await askSession();
    route("/home", true);
    say(guest.welcome(body.username));
    return null;
  };
  return (
    <div class="card guest">
      <p class="soft" dir="auto">
        {mail !== "" && `${guest.accountOf(mail)} `}
        {guest.finishHelp}
      </p>
      <Form label={guest.finishHeading} isLabelHidden button={guest.finish} keeps onSubmit={finish}>
        <PlayerNameField label={shell.playerName} name="username" value={name} isLogin />
        <NewPasswordField label={shell.password} name="password" value={readEntered().password} />
      </Form>
    </div>
  );
}
