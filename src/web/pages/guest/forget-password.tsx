import { useLocation } from "preact-iso";
import { api, ask } from "../../api/client.ts";
import { community } from "../../api/community.ts";
import { member } from "../../api/session.ts";
import { Field, Form } from "../../parts/form.tsx";
import { textOf } from "../../parts/form-data.ts";
import { say } from "../../shell/messages.tsx";
import { Page } from "../../shell/page.tsx";
import { words } from "../../words/language.ts";
import { keepEntered } from "./entered.ts";

export function ForgetPassword() {
  const { guest, shell } = words.value;
  const { route } = useLocation();
  const order = async (form: FormData) => {
    const mail = textOf(form, "mail");
    const result = await ask(api.POST("/api/auth/forgetpass", { body: { mail } }));
    if (!result.ok) return result.problem;
    keepEntered({ mail, password: "" });
    route("/resetpassword");
    say(guest.codeOnItsWay(mail));
    return null;
  };
  return (
    <Page heading={guest.forgotHeading}>
      <div class="card guest">
        <p class="soft">{guest.forgotHelp}</p>
        {!community.has_mail && <p class="soft">{guest.noMailServer}</p>}
        <Form label={guest.forgotHeading} isLabelHidden button={guest.sendCode} onSubmit={order}>
          <Field
            label={shell.mail}
            name="mail"
            type="email"
            autocomplete="username"
            value={member.value?.mail ?? ""}
          />
        </Form>
        <p class="guest-other">
          <a href="/login">{shell.signIn}</a>
        </p>
      </div>
    </Page>
  );
}
