import { useState } from "preact/hooks";
import { api, ask } from "../../../api/client.ts";
import { headPicture } from "../../../api/textures.ts";
import type { Problem } from "../../../api/problem.ts";
import { askSession } from "../../../api/session.ts";
import type { components } from "../../../api/types.ts";
import { Badge } from "../../../parts/badge.tsx";
import { Button } from "../../../parts/button.tsx";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { textOf } from "../../../parts/form-data.ts";
import { Loaded, Skeleton, type Load } from "../../../parts/load.tsx";
import { CurrentPassword } from "../../../parts/password-field.tsx";
import { showProblem } from "../../../parts/problems.tsx";
import { PlayerNameField } from "../../../parts/player-name-field.tsx";
import { say, sayBad } from "../../../shell/messages.tsx";
import { words } from "../../../words/language.ts";

type Player = components["schemas"]["Player"];
type Opened = { readonly what: "new" } | { readonly what: "rename" | "delete"; readonly player: Player };

type PlayersProps = {
  readonly load: Load<components["schemas"]["PlayerListEnvelope"]>;
  /** Whether the account has the password that renaming and deleting ask for. */
  readonly canConfirm: boolean;
  readonly changed: () => Promise<void>;
};

/** The account's players, and the dialogs that make, rename and delete them. */
export function Players({ load, canConfirm, changed }: PlayersProps) {
  const { account } = words.value;
  const [opened, open] = useState<Opened | null>(null);
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
                <Button onClick={() => open({ what: "new" })}>{account.newPlayer}</Button>
              </div>
            )}
          </>
        )}
      </Loaded>
      {opened?.what === "new" && <NewPlayer onClose={close} done={done} />}
      {opened?.what === "rename" && <Rename player={opened.player} onClose={close} done={done} />}
      {opened?.what === "delete" && <Delete player={opened.player} onClose={close} done={done} />}
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
  readonly open: (opened: Opened) => void;
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

type DialogProps = {
  readonly onClose: () => void;
  /** Closes the dialog, says what was done and shows it. */
  readonly done: (message: string) => Promise<void>;
};

function NewPlayer({ onClose, done }: DialogProps) {
  const { account } = words.value;
  const add = async (form: FormData): Promise<Problem | null> => {
    const name = textOf(form, "name");
    const result = await ask(api.POST("/api/home/players", { body: { name } }));
    if (!result.ok) return result.problem;
    await done(account.playerAdded(name));
    return null;
  };
  return (
    <FormDialog
      title={account.newPlayer}
      text={account.newPlayerHelp}
      button={account.addPlayer}
      kind="main"
      onSubmit={add}
      onClose={onClose}
    >
      <PlayerNameField label={account.name} name="name" />
    </FormDialog>
  );
}

function Rename({ player, onClose, done }: DialogProps & { readonly player: Player }) {
  const { account, shell } = words.value;
  const rename = async (form: FormData): Promise<Problem | null> => {
    const body = { name: textOf(form, "name"), password: textOf(form, "password") };
    const params = { path: { uuid: player.uuid } };
    const result = await ask(api.PATCH("/api/home/players/{uuid}", { params, body }));
    if (!result.ok) return result.problem;
    await done(account.playerRenamed(player.name, body.name));
    return null;
  };
  return (
    <FormDialog
      title={shell.renameThing(player.name)}
      text={account.renameHelp}
      button={shell.rename}
      kind="main"
      onSubmit={rename}
      onClose={onClose}
    >
      <PlayerNameField label={account.name} name="name" value={player.name} />
      <CurrentPassword />
    </FormDialog>
  );
}

function Delete({ player, onClose, done }: DialogProps & { readonly player: Player }) {
  const { account, shell } = words.value;
  const remove = async (form: FormData): Promise<Problem | null> => {
    const params = { path: { uuid: player.uuid } };
    const body = { password: textOf(form, "password") };
    const result = await ask(api.DELETE("/api/home/players/{uuid}", { params, body }));
    if (!result.ok) return result.problem;
    await done(shell.deleted(player.name));
    return null;
  };
  return (
    <FormDialog
      title={shell.deleteThing(player.name)}
      text={account.deletePlayerHelp}
      button={shell.delete}
      onSubmit={remove}
      onClose={onClose}
    >
      <CurrentPassword />
    </FormDialog>
  );
}
