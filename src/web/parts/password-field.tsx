import { useState } from "preact/hooks";
import { community } from "../api/community.ts";
import { member } from "../api/session.ts";
import { words } from "../words/language.ts";
import { Field, type FieldProps } from "./form.tsx";

/** A field for a password, with a button that shows what was typed. */
export function PasswordField(props: Omit<FieldProps, "type" | "action">) {
  const [isShown, setShown] = useState(false);
  const { account } = words.value;
  const toggle = (
    <button type="button" class="field-action" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
      {account.show}
      <span class="heard"> {props.label}</span>
    </button>
  );
  return <Field {...props} type={isShown ? "text" : "password"} action={toggle} />;
}

/** A field for a password that is new, with the rule that it has to keep. */
export function NewPasswordField({
  label,
  name,
  value,
}: {
  readonly label: string;
  readonly name: string;
  readonly value?: string;
}) {
  const { password_min: least } = community.rules;
  return (
    <PasswordField
      label={label}
      name={name}
      autocomplete="new-password"
      minLength={least}
      help={words.value.account.passwordRule(least)}
      {...(value === undefined ? {} : { value })}
    />
  );
}

/**
 * The password by which a member confirms a change. The hidden name leads password managers to the right one.
 */
export function CurrentPassword() {
  return (
    <>
      <UsernameHint name={member.value?.username ?? ""} />
      <PasswordField
        label={words.value.account.currentPassword}
        name="password"
        autocomplete="current-password"
      />
    </>
  );
}

/** For password managers, in forms that ask for a password alone: whose it is. */
export function UsernameHint({ name }: { readonly name: string }) {
  return <input type="text" autocomplete="username" value={name} readOnly hidden />;
}
