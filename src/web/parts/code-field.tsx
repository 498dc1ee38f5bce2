import { useLocation } from "preact-iso";
import { words } from "../words/language.ts";
import { Field } from "./form.tsx";
import { codeOf } from "./mailed-code.ts";

/**
 * A field for the code of a mail, or for another one with its own help. A link fills it in; the code is used
 * by the form's button alone.
 */
export function CodeField({ help }: { readonly help?: string }) {
  const { guest } = words.value;
  const { path } = useLocation();
  const code = codeOf(path);
  return (
    <Field
      key={code}
      label={guest.code}
      name="code"
      autocomplete="one-time-code"
      value={code}
      help={help ?? guest.codeHelp}
      maxLength={40}
    />
  );
}
