import { useLocation } from "preact-iso";
import { community } from "../../api/community.ts";
import { isUnnamed } from "../../api/session.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Checkbox, Field, Form } from "../../parts/form.tsx";
import { textOf } from "../../parts/form-data.ts";
import { PasswordField } from "../../parts/password-field.tsx";
import { nextPath } from "../../shell/next.ts";
import { Page } from "../../shell/page.tsx";
import { words } from "../../words/language.ts";
import { AddressNotice } from "./address-notice.tsx";
import { keepEntered, readEntered } from "./entered.ts";
import { openSession } from "./open-session.ts";
import { providerLink } from "./provider-link.ts";
import { SignedInAlready } from "./signed-in-already.tsx";

export function Login() {
  const { guest, shell } = words.value;
  const { query, route } = useLocation();
  const signIn = async (form: FormData) => {
    const [username, password] = [textOf(form, "username"), textOf(form, "password")];
    const problem = await openSession({ username, password, stay: form.has("stay") });
    if (problem !== null) return problem;
    if (isUnnamed.peek()) keepEntered({ mail: username, password });
    route(isUnnamed.peek() ? "/registerfinish" : nextPath(query["next"]), true);
    return null;
  };
  return (
    <Page heading={shell.signIn}>
      <div class="card guest">
        <SignInProblem word={query["problem"]} />
        <AddressNotice />
        <SignedInAlready />
        <Form label={shell.signIn} isLabelHidden button={shell.signIn} onSubmit={signIn}>
          <Field label={guest.login} name="username" autocomplete="username" value={readEntered().mail} />
          <PasswordField label={shell.password} name="password" autocomplete="current-password" />
          <Checkbox label={guest.stay} name="stay" />
        </Form>
        <p>
          <a href="/forgetpass">{guest.forgot}</a>
        </p>
        <Providers next={query["next"]} />
        <p class="guest-other">
          {guest.noAccount} <a href="/register">{guest.register}</a>
        </p>
      </div>
    </Page>
  );
}

/** Why a sign-in through a provider came back without a session. */
function SignInProblem({ word }: { readonly word: string | undefined }) {
  const { guest } = words.value;
  if (word === undefined) return null;
  return (
    <div role="alert" class="problem">
      <p>{(Object.hasOwn(guest.problems, word) && guest.problems[word]) || guest.problem}</p>
    </div>
  );
}

/** The links of providers. */
function Providers({ next }: { readonly next: string | undefined }) {
  const { guest } = words.value;
  if (community.providers.length === 0) return null;
  return (
    <div class="guest-providers">
      <p class="guest-or">{guest.or}</p>
      {community.providers.map(({ name, label }) => (
        <ButtonLink key={name} href={providerLink(name, next)}>
          {guest.signInWith(label)}
        </ButtonLink>
      ))}
    </div>
  );
}
