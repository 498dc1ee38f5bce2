import { useLocation } from "preact-iso";
import { useEffect } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { askSession, member, session } from "../../api/session.ts";
import { Form } from "../../parts/form.tsx";
import { textOf } from "../../parts/form-data.ts";
import { NewPasswordField } from "../../parts/password-field.tsx";
import { PlayerNameField } from "../../parts/player-name-field.tsx";
import { say } from "../../shell/messages.tsx";
import { Page } from "../../shell/page.tsx";
import { words } from "../../words/language.ts";
import { forgetEntered, readEntered } from "./entered.ts";

/** The last step of a registration. Guests sign in first; members who have a name are done. */
export function RegisterFinish() {
  const { guest } = words.value;
  const { route } = useLocation();
  const { state } = session.value;
  const isFinished = member.value?.finished === true;
  useEffect(() => {
    if (state === "guest") route("/login?next=/registerfinish", true);
    if (isFinished) route("/home", true);
  }, [state, isFinished, route]);
  const finish = async (form: FormData) => {
    const body = { username: textOf(form, "username"), password: textOf(form, "password") };
    const result = await ask(api.POST("/api/home/registerfinish", { body }));
    if (!result.ok) return result.problem;
    forgetEntered();
    await askSession();
    say(guest.welcome(body.username));
    return null;
  };
  return (
    <Page heading={guest.finishHeading}>
      <div class="card guest">
        <p class="soft">{guest.finishHelp}</p>
        <Form label={guest.finishHeading} isLabelHidden button={guest.finish} keeps onSubmit={finish}>
          <PlayerNameField label={guest.playerName} name="username" isLogin />
          <NewPasswordField label={guest.password} name="password" value={readEntered()?.password ?? ""} />
        </Form>
      </div>
    </Page>
  );
}
