import { useLocation } from "preact-iso";
import { community } from "../../api/community.ts";
import { isSignedInByHttp } from "../../api/session.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { words } from "../../words/language.ts";

/** Says why members have to sign in again after the server's address has changed. Empty otherwise. */
export function AddressNotice() {
  const { address } = words.value;
  const { query } = useLocation();
  const elsewhere = addressElsewhere();
  if (elsewhere !== null) {
    const next = query["next"] === undefined ? "" : `&next=${encodeURIComponent(query["next"])}`;
    return (
      <>
        <div role="status" class="problem">
          <p>{address.isElsewhere(elsewhere)}</p>
        </div>
        <p>
          <ButtonLink href={`${elsewhere}/login?moved=1${next}`}>{address.open(elsewhere)}</ButtonLink>
        </p>
      </>
    );
  }
  if (isSignedInByHttp.value) return <p role="status">{address.hasHttps}</p>;
  return query["moved"] === undefined ? null : <p role="status">{address.moved}</p>;
}

/** The address where people can sign in; null: this one. */
function addressElsewhere(): string | null {
  const { public_url: own } = community;
  return own === null || new URL(own).origin === location.origin ? null : own;
}
