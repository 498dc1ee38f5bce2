import { community } from "../api/community.ts";
import { words } from "../words/language.ts";
import { Field } from "./form.tsx";

/** The rule that holds unless the operator sets another one, which has no words of its own. */
const usualPattern = "^[A-Za-z0-9_]{3,16}$";

/** A field for a player's new name, with the rule that it has to keep. */
export function PlayerNameField({
  label,
  name,
  value,
  isLogin = false,
}: {
  readonly label: string;
  readonly name: string;
  readonly value?: string;
  /** Whether the form's password belongs to it, for password managers. */
  readonly isLogin?: boolean;
}) {
  const isUsual = community.rules.username_pattern === usualPattern;
  return (
    <Field
      label={label}
      name={name}
      autocomplete={isLogin ? "username" : "off"}
      {...(isUsual ? { help: words.value.guest.playerNameRule } : {})}
      {...(value === undefined ? {} : { value })}
    />
  );
}
