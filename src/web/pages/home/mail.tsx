import { useLocation } from "preact-iso";
import { api, ask } from "../../api/client.ts";
import { askSession } from "../../api/session.ts";
import { CodeField } from "../../parts/code-field.tsx";
import { forgetCode } from "../../parts/mailed-code.ts";
import { Form } from "../../parts/form.tsx";
import { textOf } from "../../parts/form-data.ts";
import { CurrentPassword } from "../../parts/password-field.tsx";
import { say } from "../../shell/messages.tsx";
import { Page } from "../../shell/page.tsx";
import { words } from "../../words/language.ts";

/** The second step of a new address: its code and the password. */
export function NewMail() {
  const { account, guest, shell } = words.value;
  const { path, route } = useLocation();
  const confirm = async (form: FormData) => {
    const body = { code: textOf(form, "code"), password: textOf(form, "password") };
    const result = await ask(api.POST("/api/home/mail/validate", { body }));
    if (!result.ok) return result.problem;
    forgetCode(path);
    route("/home/account", true);
    say(account.mailChanged);
    await askSession();
    return null;
  };
  return (
    <Page heading={account.confirmMailHeading} level={1}>
      <div class="card guest">
        <p class="soft">{account.confirmMailHelp}</p>
        <Form
          label={account.confirmMailHeading}
          isLabelHidden
          button={guest.confirm}
          keeps
          onSubmit={confirm}
        >
          <CodeField />
          <CurrentPassword />
        </Form>
        <p class="guest-other">
          <a href="/home/account">{shell.account}</a>
        </p>
      </div>
    </Page>
  );
}
