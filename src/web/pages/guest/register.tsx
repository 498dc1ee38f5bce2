import { useLocation } from "preact-iso";
import { api, ask } from "../../api/client.ts";
import { Field, Form } from "../../parts/form.tsx";
import { textOf } from "../../parts/form-data.ts";
import { NewPasswordField } from "../../parts/password-field.tsx";
import { Page } from "../../shell/page.tsx";
import { words } from "../../words/language.ts";
import { keepRegistration } from "./entered.ts";

export function Register() {
  const { guest, shell } = words.value;
  const { route } = useLocation();
  const register = async (form: FormData) => {
    const body = { mail: textOf(form, "mail"), password: textOf(form, "password") };
    const result = await ask(api.POST("/api/auth/register", { body }));
    // Where too many mails were sent the registration is kept all the same, and a code may be in the mailbox.
    if (result.ok || result.problem.kind === "limited") keepRegistration(body);
    if (!result.ok) return result.problem;
    route("/confirm");
    return null;
  };
  return (
    <Page heading={guest.register}>
      <div class="card guest">
        <p class="soft">{guest.registerHelp}</p>
        <Form label={guest.register} isLabelHidden button={guest.register} onSubmit={register}>
          <Field label={shell.mail} name="mail" type="email" autocomplete="username" />
          <NewPasswordField label={shell.password} name="password" />
        </Form>
        <p class="guest-other">
          {guest.haveCode} <a href="/confirm">{guest.confirmHeading}</a>
          <br />
          {guest.haveAccount} <a href="/login">{shell.signIn}</a>
        </p>
      </div>
    </Page>
  );
}
