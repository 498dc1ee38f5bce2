import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import type { Result } from "../../api/problem.ts";
import { community } from "../../api/community.ts";
import { isUnnamed, member, session, setMember, signOut, type Member } from "../../api/session.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { textOf } from "../../parts/form-data.ts";
import { Empty, Loaded, Skeleton, useLoad } from "../../parts/load.tsx";
import { CurrentPassword, PasswordField } from "../../parts/password-field.tsx";
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
  const [isOver, setOver] = useState(false);
  const over = () => setOver(true);
  // Not drawn for the new member while the next page loads.
  if (isOver || session.value.state === "asking") return <Skeleton kind="figure" />;
  return (
    <>
      <p dir="auto">{guest.waiting(name, provider)}</p>
      <div class="guest-choice">
        {member.value === null ? (
          <>
            <LinkForm over={over} />
            <CreateForm over={over} />
          </>
        ) : (
          <OwnAccount provider={provider} over={over} />
        )}
      </div>
    </>
  );
}

type Over = { readonly over: () => void };

/** For a member: links the signed-in account, or signs out to offer the other choices. */
function OwnAccount({ provider, over }: { readonly provider: string } & Over) {
  const { guest, shell } = words.value;
  const opened = useOpened(over);
  const { username = "", mail = "" } = member.value ?? {};
  const link = async (form: FormData) => {
    const body = { action: "link", username, password: textOf(form, "password") } as const;
    return opened(await ask(api.POST("/console/social", { body })), guest.linked);
  };
  const leave = async () => {
    if (!(await signOut())) say(guest.problem);
  };
  return (
    <div class="card guest">
      {isUnnamed.value ? (
        <p dir="auto">
          {guest.signedInAs(mail)} <a href="/registerfinish">{guest.finishHeading}</a>
        </p>
      ) : (
        <Form label={guest.linkTo(provider, username)} button={guest.link} onSubmit={link}>
          <p class="soft" dir="auto">
            {guest.linkToHelp(provider, username)}
          </p>
          <CurrentPassword />
        </Form>
      )}
      <div class="guest-other">
        {guest.otherAccount} <Button onClick={leave}>{shell.signOut}</Button>
      </div>
    </div>
  );
}

/** Uses the session that the choice has opened. */
function useOpened(over: () => void) {
  const { query, route } = useLocation();
  return (result: Result<{ readonly data: Member }>, message: string) => {
    if (!result.ok) return result.problem;
    const wasMember = member.peek() !== null;
    over();
    setMember(result.body.data);
    route(wasMember ? "/home/account" : nextPath(query["next"]), true);
    say(message);
    return null;
  };
}

function LinkForm({ over }: Over) {
  const { guest, shell } = words.value;
  const opened = useOpened(over);
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
        <Field label={guest.login} name="username" autocomplete="username" />
        <PasswordField label={shell.password} name="password" autocomplete="current-password" />
      </Form>
    </div>
  );
}

function CreateForm({ over }: Over) {
  const { guest } = words.value;
  const opened = useOpened(over);
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
