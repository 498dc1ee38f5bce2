import { useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { community } from "../../api/community.ts";
import { level, setMember } from "../../api/session.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { textOf } from "../../parts/form-data.ts";
import { Empty } from "../../parts/load.tsx";
import { NewPasswordField } from "../../parts/password-field.tsx";
import { PlayerNameField } from "../../parts/player-name-field.tsx";
import { say } from "../../shell/messages.tsx";
import { Page } from "../../shell/page.tsx";
import { words } from "../../words/staff-pages.ts";
import { NextSteps } from "./next-steps.tsx";

/**
 * Makes the first administrator, by the link that the server prints. Administrators see the next steps of a
 * new community.
 */
export function Setup() {
  const { setup } = words.value;
  const [secret, setSecret] = useState(secretInAddress);
  useEffect(() => {
    const read = () => setSecret((known) => secretInAddress() || known);
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return (
    <Page heading={setup.heading}>
      {level.value >= 3 && <NextSteps />}
      {level.value < 3 && secret !== "" && <SetupForm secret={secret} />}
      {level.value < 3 && secret === "" && <WithoutLink />}
    </Page>
  );
}

/** What follows # in the link. Other places of the page have short names. */
function secretInAddress(): string {
  const { hash } = location;
  return hash.length > 20 ? hash.slice(1) : "";
}

function SetupForm({ secret }: { readonly secret: string }) {
  const { setup, shell } = words.value;
  const { route } = useLocation();
  const create = async (form: FormData) => {
    const body = {
      secret,
      mail: textOf(form, "mail"),
      username: textOf(form, "username"),
      password: textOf(form, "password"),
    };
    const result = await ask(api.POST("/console/setup", { body }));
    if (!result.ok) return result.problem;
    // Without the secret, which is used up.
    route("/setup", true);
    setMember(result.body.data);
    say(setup.created(body.username));
    document.querySelector<HTMLElement>("main")?.focus();
    return null;
  };
  return (
    <div class="card guest">
      <p class="soft">{setup.welcome}</p>
      <Form label={setup.heading} isLabelHidden button={setup.create} keeps onSubmit={create}>
        <Field label={shell.mail} name="mail" type="email" autocomplete="email" />
        <PlayerNameField label={shell.playerName} name="username" isLogin />
        <NewPasswordField label={shell.password} name="password" />
      </Form>
    </div>
  );
}

function WithoutLink() {
  const { setup, shell } = words.value;
  return (
    <Empty text={community.needs_setup ? setup.noLink : setup.isDone}>
      {!community.needs_setup && <ButtonLink href="/login">{shell.signIn}</ButtonLink>}
    </Empty>
  );
}
