import { useLocation } from "preact-iso";
import { words } from "../words/language.ts";
import { Field } from "./form.tsx";

/** A field for the code of a mail. The mail's link fills it in; the code is used by the form's button alone. */
export function CodeField() {
  const { guest } = words.value;
  const { query } = useLocation();
  return (
    <Field
      label={guest.code}
      name="code"
      autocomplete="one-time-code"
      value={query["code"] ?? ""}
      help={guest.codeHelp}
      maxLength={40}
    />
  );
}
