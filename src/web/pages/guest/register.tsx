import { useLocation } from "preact-iso";
import { api, ask } from "../../api/client.ts";
import { community } from "../../api/community.ts";
import { Field, Form } from "../../parts/form.tsx";
import { textOf } from "../../parts/form-data.ts";
import { Page } from "../../shell/page.tsx";
import { words } from "../../words/language.ts";
import { keepRegistration } from "./entered.ts";

/** Takes the address alone: name and password are chosen by the person who has confirmed it. */
export function Register() {
  const { guest, shell } = words.value;
  const { route } = useLocation();
  const register = async (form: FormData) => {
    const mail = textOf(form, "mail");
    const result = await ask(api.POST("/console/register", { body: { mail } }));
    // After too many mails, the mailbox has a code already.
    if (result.ok || result.problem.kind === "limited") keepRegistration(mail);
    if (!result.ok) return result.problem;
    route("/confirm");
    return null;
  };
  return (
    <Page heading={guest.register}>
      <div class="card guest">
        <p class="soft">{guest.registerHelp}</p>
        {!community.has_mail && <p class="soft">{guest.noMailServer}</p>}
        <Form label={guest.register} isLabelHidden button={guest.register} onSubmit={register}>
          <Field label={shell.mail} name="mail" type="email" autocomplete="email" />
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
