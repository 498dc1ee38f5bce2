import { api, ask } from "../../api/client.ts";
import { askSession, member } from "../../api/session.ts";
import { Field, Form, Select } from "../../parts/form.tsx";
import { textOf } from "../../parts/form-data.ts";
import { fromField, toField } from "../../parts/moments.ts";
import { say } from "../../shell/messages.tsx";
import { words } from "../../words/language.ts";
import { levelName } from "./people.tsx";
import type { UserPart } from "./user-part.ts";

/** The level in force, permanent or with an end. */
export function UserRole({ user, reload }: UserPart) {
  const { admin } = words.value;
  const setRole = async (form: FormData) => {
    const end = fromField(textOf(form, "expired_at"), user.perms_expires_at);
    const body = {
      user: user.Id,
      role_level: Number(textOf(form, "role_level")) as 1 | 2 | 3, // one of the options below
      ...(end !== null && { expired_at: end }),
    };
    const path = { identifier: String(user.Id) };
    const result = await ask(api.POST("/api/admin/user/role/{identifier}", { params: { path }, body }));
    if (!result.ok) return result.problem;
    say(admin.roleSet);
    await Promise.all([reload(), user.Id === member.peek()?.id && askSession()]);
    return null;
  };
  return (
    <section class="card panel">
      <Form label={admin.role} button={admin.setRole} onSubmit={setRole} keeps>
        <Select
          label={admin.level}
          name="role_level"
          value={String(user.PermLvl)}
          options={[1, 2, 3].map((level) => ({ value: String(level), text: levelName(level) }))}
        />
        <Field
          label={admin.untilField}
          name="expired_at"
          type="datetime-local"
          value={toField(user.perms_expires_at)}
          help={
            user.perms_expires_at === null
              ? admin.untilHelp
              : admin.thenLevel(levelName(user.perms_permanent))
          }
          isOptional
        />
      </Form>
    </section>
  );
}
