import { useState } from "preact/hooks";
import { api, ask } from "../../../api/client.ts";
import { headPicture } from "../../../api/textures.ts";
import { askSession } from "../../../api/session.ts";
import type { components } from "../../../api/types.ts";
import { Badge } from "../../../parts/badge.tsx";
import { Button } from "../../../parts/button.tsx";
import { Loaded, Skeleton, type Load } from "../../../parts/load.tsx";
import { CurrentPassword } from "../../../parts/password-field.tsx";
import { showProblem } from "../../../parts/problems.tsx";
import { PlayerDialog, type PlayerTask } from "../../../parts/player-dialog.tsx";
import { PlayerNameField } from "../../../parts/player-name-field.tsx";
import { say, sayBad } from "../../../shell/messages.tsx";
import { words } from "../../../words/language.ts";

type Player = components["schemas"]["Player"];

type PlayersProps = {
  readonly load: Load<components["schemas"]["PlayerListEnvelope"]>;
  /** Whether the account has the password that renaming and deleting ask for. */
  readonly canConfirm: boolean;
  readonly changed: () => Promise<void>;
};

/** The account's players, and the dialogs that make, rename and delete them. */
export function Players({ load, canConfirm, changed }: PlayersProps) {
  const { account } = words.value;
  const [opened, open] = useState<PlayerTask | null>(null);
  const close = () => open(null);
  const done = async (message: string) => {
    close();
    say(message);
    await Promise.all([askSession(), changed()]);
  };
  return (
    <section class="card account-list" aria-labelledby="players">
      <h2 id="players">{account.players}</h2>
      <Loaded load={load} skeleton={<Skeleton kind="row" count={2} />}>
        {({ data: { max, players } }) => (
          <>
            <p class="soft">{account.playersHelp(max)}</p>
            <p class="soft">{words.value.player.sharesHelp}</p>
            <ul aria-labelledby="players">
              {players.map((player) => (
                <PlayerItem key={player.uuid} player={player} canConfirm={canConfirm} open={open} />
              ))}
            </ul>
            {players.length < max && (
              <div>
                <Button onClick={() => open({ what: "add" })}>{account.newPlayer}</Button>
              </div>
            )}
          </>
        )}
      </Loaded>
      {opened !== null && <OwnPlayerDialog task={opened} onDone={done} onClose={close} />}
    </section>
  );
}

function PlayerItem({
  player,
  canConfirm,
  open,
}: {
  readonly player: Player;
  readonly canConfirm: boolean;
  readonly open: (task: PlayerTask) => void;
}) {
  const { account, shell } = words.value;
  const { uuid, name, main, skin } = player;
  // The skin in the address makes the browser ask again when it changes.
  const picture = `${headPicture(uuid, 80)}${skin === "" ? "" : `&v=${skin}`}`;
  return (
    <li class="account-item">
      <img src={picture} alt="" width="40" height="40" />
      <div class="account-what">
        <a href={`/u/${encodeURIComponent(name)}`} dir="auto">
          {name}
        </a>
        {main && <Badge text={account.mainPlayer} />}
        <Sharing player={player} />
      </div>
      {canConfirm && (
        <div class="account-actions">
          <Button label={shell.renameThing(name)} onClick={() => open({ what: "rename", player })}>
            {shell.rename}
          </Button>
          {!main && (
            <Button
              kind="danger"
              label={shell.deleteThing(name)}
              onClick={() => open({ what: "delete", player })}
            >
              {shell.delete}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

/** Whether others may wear the skin that the player shows. It is saved at once. */
function Sharing({ player: { uuid, name, shares_skin } }: { readonly player: Player }) {
  const [isShared, setShared] = useState(shares_skin);
  const change = async () => {
    const { player } = words.peek();
    const wanted = !isShared;
    setShared(wanted);
    const params = { path: { uuid } };
    const result = await ask(
      api.PATCH("/api/home/players/{uuid}", { params, body: { shares_skin: wanted } }),
    );
    if (result.ok) return say(wanted ? player.sharesNow(name) : player.sharesNoMore(name));
    setShared(isShared);
    sayBad(showProblem(result.problem));
  };
  return (
    <label class="checkbox account-sharing">
      <input type="checkbox" checked={isShared} onChange={change} />
      {words.value.player.shares(name)}
    </label>
  );
}

type OwnPlayerDialogProps = {
  readonly task: PlayerTask;
  readonly onDone: (message: string) => Promise<void>;
  readonly onClose: () => void;
};

function OwnPlayerDialog({ task, ...ends }: OwnPlayerDialogProps) {
  const { account } = words.value;
  const { what } = task;
  const texts = { add: account.newPlayerHelp, rename: account.renameHelp, delete: account.deletePlayerHelp };
  const said = (name: string, former: string) =>
    former === "" ? account.playerAdded(name) : account.playerRenamed(former, name);
  const named = what === "add" ? {} : { value: task.player.name };
  return (
    <PlayerDialog {...ends} task={task} text={texts[what]} said={said} send={(given) => sendOwn(task, given)}>
      {what !== "delete" && <PlayerNameField label={account.name} name="name" {...named} />}
      {what !== "add" && <CurrentPassword />}
    </PlayerDialog>
  );
}

/** Changes of an existing player need the password. */
function sendOwn(task: PlayerTask, body: { readonly name: string; readonly password: string }) {
  const { name, password } = body;
  if (task.what === "add") return ask(api.POST("/api/home/players", { body: { name } }));
  const params = { path: { uuid: task.player.uuid } };
  if (task.what === "rename") return ask(api.PATCH("/api/home/players/{uuid}", { params, body }));
  return ask(api.DELETE("/api/home/players/{uuid}", { params, body: { password } }));
}
