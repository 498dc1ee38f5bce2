import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, ask } from "../../api/client.ts";
import { refusal } from "../../api/problem.ts";
import { Button } from "../../parts/button.tsx";
import { Checkbox, Field, Form } from "../../parts/form.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { textOf } from "../../parts/form-data.ts";
import { showProblem } from "../../parts/problems.tsx";
import { say, sayBad } from "../../shell/messages.tsx";
import { words } from "../../words/staff-pages.ts";
import { displayName, type UserDetail, type UserPart } from "./user-part.ts";

/** The name, the address and the number of players; a mail to reset the password; the end of the account. */
export function UserAccount(part: UserPart) {
  return (
    <div class="card-grid">
      <section class="card panel">
        <AccountForm {...part} />
      </section>
      <section class="card panel">
        <ResetMail user={part.user} />
        <DeleteUser user={part.user} />
      </section>
    </div>
  );
}

function AccountForm({ user, reload }: UserPart) {
  const { admin, shell } = words.value;
  const save = async (form: FormData) => {
    const body = changesOf(user, form);
    if (Object.keys(body).length === 0) return refusal(admin.nothingChanged);
    const path = { identifier: String(user.Id) };
    const result = await ask(api.PATCH("/api/admin/user/{identifier}", { params: { path }, body }));
    if (!result.ok) return result.problem;
    say(admin.saved);
    await reload();
    return null;
  };
  return (
    <Form key={JSON.stringify(user)} label={shell.account} button={shell.save} onSubmit={save} keeps>
      <Field
        label={shell.playerName}
        name="username"
        value={user.Username}
        isOptional={user.Username === ""}
      />
      <Field
        label={shell.mail}
        name="mail"
        type="email"
        value={user.Mail}
        help={admin.mailHelp}
        isOptional={user.Mail === ""}
      />
      <Checkbox label={admin.mailVerified} name="mail_verify" checked={user.Mail_verify === 1} />
      <Field
        label={admin.playersMax}
        name="players_max"
        inputMode="numeric"
        pattern="[0-9]*"
        value={user.players_max === null ? "" : String(user.players_max)}
        help={admin.playersMaxHelp}
        isOptional
      />
    </Form>
  );
}

/** Only what differs: a field that is sent ends sessions, or counts as a rename. */
function changesOf(user: UserDetail, form: FormData) {
  const username = textOf(form, "username").trim();
  const mail = textOf(form, "mail").trim();
  const isVerified = form.has("mail_verify");
  const most = textOf(form, "players_max").trim();
  const playersMax = most === "" ? null : Number(most);
  return {
    ...(username !== user.Username && { username }),
    ...(mail !== user.Mail && { mail }),
    // A new address counts as unverified unless the request says otherwise.
    ...((mail !== user.Mail || isVerified !== (user.Mail_verify === 1)) && { mail_verify: isVerified }),
    ...(playersMax !== user.players_max && { players_max: playersMax }),
  };
}

function ResetMail({ user }: { readonly user: UserDetail }) {
  const { admin, shell } = words.value;
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    const result = await ask(api.POST("/api/auth/forgetpass", { body: { mail: user.Mail } }));
    setBusy(false);
    if (result.ok) say(admin.resetSent(user.Mail));
    else sayBad(showProblem(result.problem));
  };
  return (
    <>
      <h2>{shell.password}</h2>
      <p class="soft">{user.Mail === "" ? admin.noMailHelp : admin.resetHelp}</p>
      {user.Mail !== "" && (
        <p>
          <Button busy={isBusy} onClick={send}>
            {admin.sendReset}
          </Button>
        </p>
      )}
    </>
  );
}

function DeleteUser({ user }: { readonly user: UserDetail }) {
  const { admin, shell } = words.value;
  const { route } = useLocation();
  const [isAsked, setAsked] = useState(false);
  const name = displayName(user);
  const remove = async (form: FormData) => {
    if (textOf(form, "confirmation").trim() !== name) return refusal(admin.typeNameWrong(name));
    const params = { path: { identifier: String(user.Id) } };
    const result = await ask(api.DELETE("/api/admin/user/{identifier}", { params }));
    if (!result.ok) return result.problem;
    route("/admin/users");
    say(shell.deleted(name));
    return null;
  };
  return (
    <>
      <h2>{admin.deleteUser}</h2>
      <p class="soft">{admin.deleteUserHelp}</p>
      <p>
        <Button kind="danger" onClick={() => setAsked(true)}>
          {shell.deleteThing(name)}
        </Button>
      </p>
      {isAsked && (
        <FormDialog
          title={shell.deleteThing(name)}
          text={admin.deleteUserHelp}
          button={shell.delete}
          onSubmit={remove}
          onClose={() => setAsked(false)}
        >
          <Field label={admin.typeName(name)} name="confirmation" />
        </FormDialog>
      )}
    </>
  );
}
