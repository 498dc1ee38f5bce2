import { community } from "../../api/community.ts";
import { level, session } from "../../api/session.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Page } from "../../shell/page.tsx";
import { words } from "../../words/language.ts";
import { LauncherAddress } from "./launcher-address.tsx";

/** The community's own page: what it is, its links, and how to get in. */
export function Start() {
  const { guest } = words.value;
  return (
    <div class="start">
      {community.logo && <img class="start-logo" src="/console/logo" alt="" width="96" height="96" />}
      <Page heading={community.name}>
        {community.text !== null && (
          <p class="start-text" dir="auto">
            {community.text}
          </p>
        )}
        {community.needs_setup && <p class="notice">{guest.setupNeeded}</p>}
        <WaysIn />
        <Links />
        {community.protocols.yggdrasil !== null && (
          <LauncherAddress address={community.protocols.yggdrasil} />
        )}
      </Page>
    </div>
  );
}

function WaysIn() {
  const { guest, shell } = words.value;
  const isGuest = level.value === 0 && session.value.state !== "asking";
  return (
    <p class="start-ways">
      {level.value > 0 && (
        <ButtonLink kind="main" href="/home">
          {guest.openWardrobe}
        </ButtonLink>
      )}
      {isGuest && (
        <>
          <ButtonLink kind="main" href="/login">
            {shell.signIn}
          </ButtonLink>
          <ButtonLink href="/register">{guest.register}</ButtonLink>
        </>
      )}
      <ButtonLink href="/play">{shell.play}</ButtonLink>
    </p>
  );
}

function Links() {
  if (community.links.length === 0) return null;
  return (
    <ul class="start-links">
      {community.links.map(({ label, url }) => (
        <li key={url}>
          <a href={url} rel="noreferrer" dir="auto">
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}
