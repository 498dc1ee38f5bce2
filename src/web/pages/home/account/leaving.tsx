import { useLocation } from "preact-iso";
import { api, ask } from "../../../api/client.ts";
import { community } from "../../../api/community.ts";
import { member, setMember } from "../../../api/session.ts";
import { Form } from "../../../parts/form.tsx";
import { textOf } from "../../../parts/form-data.ts";
import { CurrentPassword } from "../../../parts/password-field.tsx";
import { say } from "../../../shell/messages.tsx";
import { showDeadline } from "../../../words/format.ts";
import { words } from "../../../words/language.ts";

/** Everything that is kept about the member, as a file. */
export function ExportForm() {
  const { account, shell } = words.value;
  const download = async () => {
    const result = await ask(api.GET("/api/home/export", { parseAs: "blob" }));
    if (!result.ok) return result.problem;
    save(result.body, nameIn(result.response));
    say(account.downloaded);
    return null;
  };
  return (
    <div class="card">
      <Form label={account.export} button={account.download} buttonKind="plain" onSubmit={download}>
        <p class="soft">{account.exportHelp}</p>
        <p class="soft">
          {account.freshSignIn} <a href="/login?next=%2Fhome%2Faccount">{shell.signIn}</a>
        </p>
      </Form>
    </div>
  );
}

/** The file's name, as the server gives it. */
function nameIn({ headers }: Response): string {
  return /filename="([\w.-]+)"/.exec(headers.get("content-disposition") ?? "")?.[1] ?? "my-data.zip";
}

function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Once the browser has begun to take it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Asks for the end of the member's account, which ends the session with all others. */
export function DeleteForm() {
  const { account } = words.value;
  const { route } = useLocation();
  // Every page of theirs says when it happens, and how to keep it.
  if (member.value?.deletes_at !== undefined) return null;
  const leave = async (form: FormData) => {
    const body = { password: textOf(form, "password") };
    const result = await ask(api.POST("/api/home/delete", { body }));
    if (!result.ok) return result.problem;
    const at = result.body.data.deletes_at;
    const isGone = at <= Date.now() / 1000;
    setMember(null);
    route("/");
    say(isGone ? account.accountGone : account.accountLeavesOn(showDeadline(at)));
    return null;
  };
  return (
    <div class="card">
      <Form label={account.deleteAccount} button={account.deleteAccount} buttonKind="danger" onSubmit={leave}>
        <p class="soft">
          {account.deleteAccountHelp} {account.deleteDays(community.rules.delete_days)}
        </p>
        <CurrentPassword />
      </Form>
    </div>
  );
}

/** For accounts without a password, which deleting asks for; above it the page leads to choosing one. */
export function DeleteLater() {
  const { account } = words.value;
  if (member.value?.deletes_at !== undefined) return null;
  return (
    <section class="card account-missing" aria-labelledby="delete-later">
      <h2 id="delete-later">{account.deleteAccount}</h2>
      <p class="soft">{account.deleteNeedsPassword}</p>
    </section>
  );
}
