import { useLocation } from "preact-iso";
import { api, ask } from "../../../api/client.ts";
import { askSession, member } from "../../../api/session.ts";
import { ButtonLink } from "../../../parts/button.tsx";
import { Field, Form } from "../../../parts/form.tsx";
import { textOf } from "../../../parts/form-data.ts";
import { CurrentPassword, NewPasswordField } from "../../../parts/password-field.tsx";
import { PlayerNameField } from "../../../parts/player-name-field.tsx";
import { say } from "../../../shell/messages.tsx";
import { words } from "../../../words/language.ts";

type Changed = () => Promise<void>;

export function NameForm({ name, changed }: { readonly name: string; readonly changed: Changed }) {
  const { account, shell } = words.value;
  const change = async (form: FormData) => {
    const body = { username: textOf(form, "username"), password: textOf(form, "password") };
    const result = await ask(api.PATCH("/api/home/edit/username", { body }));
    if (!result.ok) return result.problem;
    say(account.nameChanged(body.username));
    void askSession();
    void changed();
    return null;
  };
  return (
    <div class="card">
      <Form label={shell.playerName} button={account.changeName} onSubmit={change}>
        <p class="soft" dir="auto">
          {account.nowCalled(name)}
        </p>
        <PlayerNameField label={account.newPlayerName} name="username" />
        <CurrentPassword />
      </Form>
    </div>
  );
}

export function PasswordForm({ changed }: { readonly changed: Changed }) {
  const { account, guest, shell } = words.value;
  const change = async (form: FormData) => {
    const body = { password: textOf(form, "password"), newpassword: textOf(form, "newpassword") };
    const result = await ask(api.PATCH("/api/home/edit/password", { body }));
    if (!result.ok) return result.problem;
    say(account.passwordChanged);
    void changed();
    return null;
  };
  return (
    <div class="card">
      <Form label={shell.password} button={account.changePassword} onSubmit={change}>
        <p class="soft">
          {account.passwordHelp} <a href="/forgetpass">{guest.forgot}</a>
        </p>
        <CurrentPassword />
        <NewPasswordField label={guest.newPassword} name="newpassword" />
      </Form>
    </div>
  );
}

/**
 * The first of two steps: the address gets a code, and the next page takes it. One that came from another
 * system may be confirmed so as well.
 */
export function MailForm({ mail, isConfirmed }: { readonly mail: string; readonly isConfirmed: boolean }) {
  const { account, guest, shell } = words.value;
  const { route } = useLocation();
  const order = async (form: FormData) => {
    const body = { mail: textOf(form, "mail"), password: textOf(form, "password") };
    const result = await ask(api.POST("/api/home/mail/request", { body }));
    if (!result.ok) return result.problem;
    route("/home/mail");
    say(account.codeOnItsWay(body.mail));
    return null;
  };
  return (
    <div class="card">
      <Form label={shell.mail} button={guest.sendCode} onSubmit={order}>
        <p class="soft" dir="auto">
          {mail === "" && account.mailNone}
          {mail !== "" && (isConfirmed ? account.mailNow(mail) : account.mailUnconfirmed(mail))}
        </p>
        <Field
          label={isConfirmed ? account.newMail : shell.mail}
          name="mail"
          type="email"
          autocomplete="email"
          value={isConfirmed ? "" : mail}
        />
        <CurrentPassword />
      </Form>
    </div>
  );
}

/** For accounts that were made by social sign-in: name and password are chosen once, together. */
export function PasswordMissing() {
  const { account, shell } = words.value;
  return (
    <section class="card account-missing" aria-labelledby="password-missing">
      <h2 id="password-missing">{shell.password}</h2>
      <p>{account.noPassword(member.value?.username ?? "")}</p>
      <ButtonLink kind="main" href="/registerfinish">
        {account.chooseBoth}
      </ButtonLink>
    </section>
  );
}
