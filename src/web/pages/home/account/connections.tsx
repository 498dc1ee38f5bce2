import { api, ask } from "../../../api/client.ts";
import { community } from "../../../api/community.ts";
import type { components } from "../../../api/types.ts";
import { ButtonLink } from "../../../parts/button.tsx";
import { Form } from "../../../parts/form.tsx";
import { textOf } from "../../../parts/form-data.ts";
import { CurrentPassword } from "../../../parts/password-field.tsx";
import { say } from "../../../shell/messages.tsx";
import { words } from "../../../words/language.ts";
import { providerLink } from "../../guest/provider-link.ts";

/** The account at another site by which the member signs in, or the ways to connect one. */
export function Connections({
  profile,
  changed,
}: {
  readonly profile: components["schemas"]["HomeProfile"];
  readonly changed: () => Promise<void>;
}) {
  if (profile.Social_integration) return <Disconnect name={profile.Social.username} changed={changed} />;
  return community.providers.length === 0 ? null : <Connect />;
}

function Disconnect({ name, changed }: { readonly name: string; readonly changed: () => Promise<void> }) {
  const { account } = words.value;
  const disconnect = async (form: FormData) => {
    const body = { password: textOf(form, "password") };
    const result = await ask(api.POST("/api/home/edit/removesocial", { body }));
    if (!result.ok) return result.problem;
    say(account.disconnected);
    void changed();
    return null;
  };
  return (
    <div class="card">
      <Form label={account.connections} button={account.disconnect} buttonKind="danger" onSubmit={disconnect}>
        <p class="soft" dir="auto">
          {account.connectedAs(name)}
        </p>
        <CurrentPassword />
      </Form>
    </div>
  );
}

function Connect() {
  const { account } = words.value;
  return (
    <section class="card account-connect" aria-labelledby="connections">
      <h2 id="connections">{account.connections}</h2>
      <p class="soft">{account.connectHelp}</p>
      {community.providers.map(({ name, label }) => (
        <ButtonLink key={name} href={providerLink(name, "/home/account")}>
          {account.connect(label)}
        </ButtonLink>
      ))}
    </section>
  );
}
