import { useLocation } from "preact-iso";
import { api, ask } from "../../api/client.ts";
import { community } from "../../api/community.ts";
import { CodeField } from "../../parts/code-field.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { textOf } from "../../parts/form-data.ts";
import { forgetCode } from "../../parts/mailed-code.ts";
import { NewPasswordField } from "../../parts/password-field.tsx";
import { say } from "../../shell/messages.tsx";
import { Page } from "../../shell/page.tsx";
import { words } from "../../words/language.ts";
import { keepEntered } from "./entered.ts";
import { SignedInAlready } from "./signed-in-already.tsx";

/**
 * Takes the operator's code, and an address and a password for the account that came from another system. The
 * person signs in afterwards: the code alone opens no session.
 */
export function Claim() {
  const { guest, shell } = words.value;
  const { path, route } = useLocation();
  const claim = async (form: FormData) => {
    const mail = textOf(form, "mail");
    const body = { code: textOf(form, "code"), mail, password: textOf(form, "password") };
    const result = await ask(api.POST("/api/auth/claim", { body }));
    if (!result.ok) return result.problem;
    const name = result.body.data.username || mail;
    forgetCode(path);
    // On some servers the address signs in only after its own code was used.
    keepEntered({ mail: name, password: "" });
    route("/login", true);
    say([guest.claimed(name), community.has_mail && guest.claimedMail(mail)].filter(Boolean).join(" "));
    return null;
  };
  return (
    <Page heading={guest.claimHeading}>
      <div class="card guest">
        <p class="soft">{guest.claimHelp}</p>
        {!community.has_mail && <p class="soft">{guest.noMailServer}</p>}
        <SignedInAlready />
        <Form label={guest.claimHeading} isLabelHidden button={guest.claim} onSubmit={claim}>
          <CodeField help={guest.claimCodeHelp} />
          <Field label={shell.mail} name="mail" type="email" autocomplete="email" />
          <NewPasswordField label={shell.password} name="password" />
        </Form>
        <p class="guest-other">
          {guest.haveAccount} <a href="/login">{shell.signIn}</a>
        </p>
      </div>
    </Page>
  );
}
