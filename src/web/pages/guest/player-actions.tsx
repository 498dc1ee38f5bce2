import { api, ask } from "../../api/client.ts";
import { mayAsk, member, session } from "../../api/session.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { useLoad } from "../../parts/load.tsx";
import { showProblem } from "../../parts/problems.tsx";
import { say, sayBad } from "../../shell/messages.tsx";
import { words } from "../../words/language.ts";

/** The address of a player's page. */
export const playerPath = (name: string) => `/u/${encodeURIComponent(name)}`;

type ShownPlayer = { readonly name: string; readonly uuid: string; readonly isShared: boolean };

/** What a visitor may do with a player: wear its skin if the owner shares it, and share its address. */
export function PlayerActions({ shown }: { readonly shown: ShownPlayer }) {
  const { player } = words.value;
  const { name } = shown;
  const path = playerPath(name);
  const address = location.origin + path;
  const wearing = <Wear shown={shown} path={path} />;
  return (
    <>
      {shown.isShared ? <div class="player-wear">{wearing}</div> : wearing}
      <div class="player-share">
        {"share" in navigator && (
          <Button label={player.shareThis(name)} onClick={() => share(name, address)}>
            {player.share}
          </Button>
        )}
        <CopyButton text={address} label={player.copyLink} isLabelled />
      </div>
    </>
  );
}

function Wear({ shown, path }: { readonly shown: ShownPlayer; readonly path: string }) {
  const { player } = words.value;
  const { name, uuid, isShared } = shown;
  const isMain = member.value?.uuid === uuid;
  // Only a member's further players need the list.
  const own = useLoad(mayAsk.value && !isMain ? "players" : null, () => ask(api.GET("/api/home/players")));
  const isOwn =
    isMain || (own.now.state === "ready" && own.now.data.data.players.some((one) => one.uuid === uuid));
  if (isOwn) return <ButtonLink href="/home">{player.toWardrobe}</ButtonLink>;
  if (!isShared || session.value.state === "asking") return null;
  if (!mayAsk.value)
    return <ButtonLink href={`/login?next=${encodeURIComponent(path)}`}>{player.signInToWear}</ButtonLink>;
  if (own.now.state === "loading") return null;
  return (
    <Button kind="main" label={player.wearSkinOf(name)} onClick={() => wear(shown)}>
      {player.wearThis}
    </Button>
  );
}

async function wear({ name, uuid }: ShownPlayer): Promise<void> {
  const result = await ask(api.POST("/api/home/edit/skin/copy", { body: { player: uuid } }));
  if (result.ok) say(words.peek().player.wearsSkinOf(name));
  else sayBad(showProblem(result.problem));
}

/** Opens the device's own sharing dialog. Closing it is no failure. */
async function share(title: string, url: string): Promise<void> {
  await navigator.share({ title, url }).catch(() => null);
}
