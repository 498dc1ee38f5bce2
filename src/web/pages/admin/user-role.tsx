import { useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { refusal } from "../../api/problem.ts";
import { askSession, member } from "../../api/session.ts";
import { Field, Form, Select } from "../../parts/form.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { textOf } from "../../parts/form-data.ts";
import { fromField, toField } from "../../parts/moments.ts";
import { say } from "../../shell/messages.tsx";
import { showMoment } from "../../words/format.ts";
import { words } from "../../words/staff-pages.ts";
import { levelName } from "./people.tsx";
import { displayName, type UserDetail, type UserPart } from "./user-part.ts";

/** A level, and until when: Unix seconds, or null for good. */
type Role = { readonly level: 1 | 2 | 3; readonly end: number | null };

/**
 * The level in force, permanent or with an end. A change that grants rights, or takes the visitor's own, is
 * confirmed first.
 */
export function UserRole({ user, reload }: UserPart) {
  const { admin } = words.value;
  const { route } = useLocation();
  const [asked, setAsked] = useState<Role | null>(null);
  const [chosen, setChosen] = useState(String(user.PermLvl));
  useEffect(() => setChosen(String(user.PermLvl)), [user.PermLvl]);
  const send = async ({ level, end }: Role) => {
    const body = { user: user.Id, role_level: level, ...(end !== null && { expired_at: end }) };
    const path = { identifier: String(user.Id) };
    const result = await ask(api.POST("/api/admin/user/role/{identifier}", { params: { path }, body }));
    if (!result.ok) return result.problem;
    setAsked(null);
    say(admin.roleSet);
    // This page is not theirs any more.
    if (isSelf(user) && level === 1) {
      route("/home");
      await askSession();
      return null;
    }
    await Promise.all([reload(), isSelf(user) && askSession()]);
    return null;
  };
  const submit = async (form: FormData) => {
    const role: Role = {
      level: Number(textOf(form, "role_level")) as 1 | 2 | 3, // one of the options below
      end: fromField(textOf(form, "expired_at"), user.perms_expires_at),
    };
    if (role.level === user.PermLvl && role.end === user.perms_expires_at)
      return refusal(admin.nothingChanged);
    if (questionOf(user, role) === null) return send(role);
    setAsked(role);
    return null;
  };
  return (
    <section class="card panel">
      <Form label={admin.role} button={admin.setRole} onSubmit={submit} keeps>
        <RoleFields user={user} chosen={chosen} choose={setChosen} />
      </Form>
      {asked !== null && (
        <AskRole user={user} role={asked} onSubmit={() => send(asked)} onClose={() => setAsked(null)} />
      )}
    </section>
  );
}

type RoleFieldsProps = {
  readonly user: UserDetail;
  readonly chosen: string;
  readonly choose: (level: string) => void;
};

function RoleFields({ user, chosen, choose }: RoleFieldsProps) {
  const { admin } = words.value;
  return (
    <>
      <Select
        label={admin.level}
        name="role_level"
        value={chosen}
        onChange={choose}
        options={[1, 2, 3].map((level) => ({ value: String(level), text: levelName(level) }))}
      />
      <Field
        label={admin.untilField}
        name="expired_at"
        type="datetime-local"
        value={toField(user.perms_expires_at)}
        help={
          user.perms_expires_at === null ? admin.untilHelp : admin.thenLevel(levelName(user.perms_permanent))
        }
        isOptional
      />
    </>
  );
}

type AskRoleProps = {
  readonly user: UserDetail;
  readonly role: Role;
  readonly onSubmit: () => ReturnType<Parameters<typeof FormDialog>[0]["onSubmit"]>;
  readonly onClose: () => void;
};

function AskRole({ user, role: { level, end }, onSubmit, onClose }: AskRoleProps) {
  const { admin, grants } = words.value;
  const question = questionOf(user, { level, end });
  return (
    <FormDialog
      title={grants.roleOf(displayName(user), levelName(level))}
      thing={String(user.Id)}
      text={question ?? ""}
      button={admin.setRole}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {end !== null && <p>{grants.roleUntil(showMoment(end), levelName(user.perms_permanent))}</p>}
    </FormDialog>
  );
}

const isSelf = ({ Id }: UserDetail) => Id === member.peek()?.id;

/**
 * The consequences of a change that grants rights or takes the visitor's own; null: it needs no confirmation.
 */
function questionOf(user: UserDetail, { level, end }: Role): string | null {
  const { grants } = words.peek();
  if (isSelf(user) && level < user.PermLvl)
    return level === 2 ? grants.losesAdministration : grants.losesStaff;
  const isLonger = level === user.PermLvl && isLater(end, user.perms_expires_at);
  if (level === 1 || (level <= user.PermLvl && !isLonger)) return null;
  const name = displayName(user);
  return level === 3 ? grants.makesAdministrator(name) : grants.makesModerator(name);
}

/** Whether the first end is later; null is never. */
function isLater(one: number | null, other: number | null): boolean {
  return (one ?? Infinity) > (other ?? Infinity);
}
