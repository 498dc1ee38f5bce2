import { useLocation } from "preact-iso";
import { api, ask } from "../../api/client.ts";
import { setMember } from "../../api/session.ts";
import { CodeField } from "../../parts/code-field.tsx";
import { forgetCode } from "../../parts/mailed-code.ts";
import { Form } from "../../parts/form.tsx";
import { textOf } from "../../parts/form-data.ts";
import { NewPasswordField, UsernameHint } from "../../parts/password-field.tsx";
import { say } from "../../shell/messages.tsx";
import { Page } from "../../shell/page.tsx";
import { words } from "../../words/language.ts";
import { readEntered } from "./entered.ts";

/**
 * Takes the code and the new password. The person signs in with it afterwards: the code alone opens no
 * session.
 */
export function ResetPassword() {
  const { guest } = words.value;
  const { path, route } = useLocation();
  const reset = async (form: FormData) => {
    const body = { code: textOf(form, "code"), password: textOf(form, "password") };
    const result = await ask(api.POST("/api/auth/forgetpass/update", { body }));
    if (!result.ok) return result.problem;
    forgetCode(path);
    // The member's own session has ended with all others of the account.
    setMember(null);
    route("/login", true);
    say(guest.passwordSet);
    return null;
  };
  return (
    <Page heading={guest.resetHeading}>
      <div class="card guest">
        <p class="soft">{guest.resetHelp}</p>
        <Form label={guest.resetHeading} isLabelHidden button={guest.setPassword} onSubmit={reset}>
          <UsernameHint name={readEntered().mail} />
          <CodeField />
          <NewPasswordField label={guest.newPassword} name="password" />
        </Form>
        <p class="guest-other">
          {guest.noResetCode} <a href="/forgetpass">{guest.sendCode}</a>
        </p>
      </div>
    </Page>
  );
}
