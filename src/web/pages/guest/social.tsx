import { useLocation } from "preact-iso";
import { api, ask } from "../../api/client.ts";
import type { Result } from "../../api/problem.ts";
import { community } from "../../api/community.ts";
import { member, setMember, type Member } from "../../api/session.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { textOf } from "../../parts/form-data.ts";
import { Empty, Loaded, Skeleton, useLoad } from "../../parts/load.tsx";
import { PasswordField } from "../../parts/password-field.tsx";
import { say } from "../../shell/messages.tsx";
import { nextPath } from "../../shell/next.ts";
import { Page } from "../../shell/page.tsx";
import { words } from "../../words/language.ts";

/** A person who signed in through a provider and has no account here yet, or does not use this way yet. */
export function Social() {
  const { guest, shell } = words.value;
  const waiting = useLoad("social", () => ask(api.GET("/console/social")));
  return (
    <Page heading={guest.socialHeading}>
      <Loaded load={waiting} skeleton={<Skeleton kind="figure" />}>
        {({ data }) =>
          data === null ? (
            <Empty text={guest.nothingWaits}>
              <ButtonLink href="/login">{shell.signIn}</ButtonLink>
            </Empty>
          ) : (
            <Choice name={data.username} provider={labelOf(data.provider)} />
          )
        }
      </Loaded>
    </Page>
  );
}

function labelOf(provider: string): string {
  return community.providers.find(({ name }) => name === provider)?.label ?? provider;
}

function Choice({ name, provider }: { readonly name: string; readonly provider: string }) {
  const { guest } = words.value;
  return (
    <>
      <p dir="auto">{guest.waiting(name, provider)}</p>
      <div class="guest-choice">
        <LinkForm />
        {member.value === null && <CreateForm />}
      </div>
    </>
  );
}

/** Takes the session over that came of the choice. */
function useOpened() {
  const { query, route } = useLocation();
  return (result: Result<{ readonly data: Member }>, message: string) => {
    if (!result.ok) return result.problem;
    const wasMember = member.peek() !== null;
    setMember(result.body.data);
    route(wasMember ? "/home/account" : nextPath(query["next"]), true);
    say(message);
    return null;
  };
}

function LinkForm() {
  const { guest, shell } = words.value;
  const opened = useOpened();
  const link = async (form: FormData) => {
    const body = {
      action: "link",
      username: textOf(form, "username"),
      password: textOf(form, "password"),
    } as const;
    return opened(await ask(api.POST("/console/social", { body })), guest.linked);
  };
  return (
    <div class="card guest">
      <Form label={guest.link} button={guest.link} onSubmit={link}>
        <p class="soft">{guest.linkHelp}</p>
        <Field
          label={guest.login}
          name="username"
          autocomplete="username"
          value={member.value?.username ?? ""}
        />
        <PasswordField label={shell.password} name="password" autocomplete="current-password" />
      </Form>
    </div>
  );
}

function CreateForm() {
  const { guest } = words.value;
  const opened = useOpened();
  const create = async () => {
    const result = await ask(api.POST("/console/social", { body: { action: "create" } }));
    return opened(result, guest.welcome(result.ok ? result.body.data.username : ""));
  };
  return (
    <div class="card guest">
      <Form label={guest.createHeading} button={guest.create} onSubmit={create}>
        <p class="soft">{guest.createHelp}</p>
      </Form>
    </div>
  );
}
