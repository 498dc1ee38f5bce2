import { useLocation } from "preact-iso";
import { api, ask } from "../../api/client.ts";
import { setMember } from "../../api/session.ts";
import { Checkbox, Field, Form } from "../../parts/form.tsx";
import { textOf } from "../../parts/form-data.ts";
import { nextPath } from "../../shell/next.ts";
import { Page } from "../../shell/page.tsx";
import { words } from "../../words/language.ts";

export function Login() {
  const { guest } = words.value;
  const { query, route } = useLocation();
  const signIn = async (form: FormData) => {
    const body = {
      username: textOf(form, "username"),
      password: textOf(form, "password"),
      stay: form.has("stay"),
    };
    const result = await ask(api.POST("/console/session", { body }));
    if (!result.ok) return result.problem;
    setMember(result.body.data);
    route(result.body.data.finished ? nextPath(query["next"]) : "/registerfinish", true);
    return null;
  };
  return (
    <Page heading={guest.signIn}>
      <Form label={guest.signIn} isLabelHidden button={guest.signIn} onSubmit={signIn}>
        <Field label={guest.login} name="username" autocomplete="username" />
        <Field label={guest.password} name="password" type="password" autocomplete="current-password" />
        <Checkbox label={guest.stay} name="stay" />
      </Form>
    </Page>
  );
}
