import { useRoute } from "preact-iso";
import { api, ask } from "../../api/client.ts";
import { bodyPicture } from "../../api/textures.ts";
import { level } from "../../api/session.ts";
import { Badge } from "../../parts/badge.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Loaded, Skeleton, useLoad } from "../../parts/load.tsx";
import { showAgo, showDay, showNumber } from "../../words/format.ts";
import { words } from "../../words/staff-pages.ts";
import { AdminPage, keyFor } from "./admin-page.tsx";
import { LevelText, MailState } from "./people.tsx";
import { UserAccount } from "./user-account.tsx";
import { UserAudit } from "./user-audit.tsx";
import { UserCapes } from "./user-capes.tsx";
import { displayName, type UserDetail, type UserPart } from "./user-part.ts";
import { UserPlayers } from "./user-players.tsx";
import { UserRole } from "./user-role.tsx";
import { UserSessions } from "./user-sessions.tsx";
import { UserSkins } from "./user-skins.tsx";
import { Held, UserSuspension } from "./user-suspension.tsx";

/** One person: what is known of them, and what staff may change. */
export function User() {
  const { params } = useRoute();
  const identifier = params["id"] ?? "";
  const { admin } = words.value;
  const load = useLoad(keyFor(2, identifier), () =>
    ask(api.GET("/api/admin/user/{identifier}", { params: { path: { identifier } } })),
  );
  const user = load.now.state === "ready" ? load.now.data.data : null;
  const heading = user === null ? admin.userNumber(identifier) : displayName(user);
  return (
    <AdminPage heading={heading}>
      <Loaded load={load} skeleton={<Skeleton kind="card" count={3} />}>
        {({ data }) => <Parts user={data} reload={load.reload} />}
      </Loaded>
    </AdminPage>
  );
}

/** One part of the page at a time, by the address: a large wardrobe would push everything else far down. */
function Parts(part: UserPart) {
  // The page's own number, which stays the same while the next page loads.
  const { query } = useRoute();
  const mayChange = level.value >= 3;
  const { tab = "" } = query;
  return (
    <div class="sections">
      <Tabs user={part.user} shown={tab} />
      {tab === "skins" ? (
        <UserSkins {...part} />
      ) : tab === "audit" ? (
        <UserAudit {...part} />
      ) : tab === "account" && mayChange ? (
        <UserAccount {...part} />
      ) : (
        <PersonParts {...part} />
      )}
    </div>
  );
}

function Tabs({ user, shown }: { readonly user: UserDetail; readonly shown: string }) {
  const { shell, staff } = words.value;
  const tabs = [
    { tab: "", text: staff.person },
    { tab: "skins", text: staff.skinsOf(showNumber(user.Skins.length)) },
    { tab: "audit", text: shell.staffSections.audit },
    ...(level.value >= 3 ? [{ tab: "account", text: shell.account }] : []),
  ];
  const here = tabs.some(({ tab }) => tab === shown) ? shown : "";
  return (
    <nav class="tabs nav-links" aria-label={staff.parts}>
      {tabs.map(({ tab, text }) => (
        <a
          key={tab}
          href={`/admin/users/${user.Id}${tab === "" ? "" : `?tab=${tab}`}`}
          aria-current={tab === here ? "page" : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  );
}

function PersonParts(part: UserPart) {
  return (
    <>
      <Summary user={part.user} />
      <div class="card-grid">
        {level.value >= 3 && <UserRole {...part} />}
        {level.value >= 3 && <UserSuspension {...part} />}
        <UserCapes {...part} />
        <UserSessions {...part} />
        <UserPlayers {...part} />
      </div>
    </>
  );
}

function Summary({ user }: { readonly user: UserDetail }) {
  const { account, admin, shell } = words.value;
  return (
    <section class="card summary">
      {user.Username !== "" && <img src={bodyPicture(user.Uuid, 120)} alt="" width={96} height={192} />}
      <dl class="fact-list">
        <dt>{shell.mail}</dt>
        <dd class="facts">
          {user.Mail === "" ? admin.none : user.Mail}
          {user.Mail !== "" && <MailState isVerified={user.Mail_verify === 1} />}
        </dd>
        <dt>{shell.password}</dt>
        <dd class="facts">
          <PasswordKind kind={user.password_kind} />
        </dd>
        <dt>{admin.level}</dt>
        <dd>
          <LevelText of={{ perms: user.PermLvl, perms_expires_at: user.perms_expires_at }} />
        </dd>
        {user.suspended !== null && level.value < 3 && (
          <>
            <dt>{admin.suspension}</dt>
            <dd>
              <Held terms={user.suspended} />
            </dd>
          </>
        )}
        <dt>{admin.number}</dt>
        <dd>{user.Id}</dd>
        <dt>UUID</dt>
        <dd class="facts">
          <span class="code">{user.Uuid}</span>
          <CopyButton text={user.Uuid} label={admin.copyUuid} />
        </dd>
        <dt>{admin.created}</dt>
        <dd>{showDay(user.Created)}</dd>
        <dt>{admin.lastSeen}</dt>
        <dd>{user.last_seen === null ? admin.never : showAgo(user.last_seen)}</dd>
        {user.aliases.length > 0 && (
          <>
            <dt>{account.aliases}</dt>
            <dd dir="auto">{user.aliases.join(", ")}</dd>
          </>
        )}
        {user.Social_integration && (
          <>
            <dt>{admin.social}</dt>
            <dd dir="auto">
              {user.Social.username} <Badge text={admin.linked} />
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

/** How the password is hashed; of one that came from another system also how long it stays so. */
function PasswordKind({ kind }: { readonly kind: string }) {
  const { admin } = words.value;
  if (kind === "none") return <>{admin.none}</>;
  return (
    <>
      <span class="code">{kind}</span>
      {kind !== "argon2id" && <span class="soft">{admin.passwordOfOther}</span>}
    </>
  );
}
