import { member } from "../../api/session.ts";
import { words } from "../../words/language.ts";

/** For members who open a guest's page by an old link. They may still go on as another person. */
export function SignedInAlready() {
  const { guest } = words.value;
  if (member.value === null) return null;
  return (
    <p dir="auto">
      {guest.signedInAs(member.value.username || member.value.mail)} <a href="/home">{guest.openWardrobe}</a>
    </p>
  );
}
