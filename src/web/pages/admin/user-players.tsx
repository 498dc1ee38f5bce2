import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { level } from "../../api/session.ts";
import type { components } from "../../api/types.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/form.tsx";
import { PlayerDialog, type PlayerTask } from "../../parts/player-dialog.tsx";
import { Loaded, Skeleton, useLoad } from "../../parts/load.tsx";
import { say } from "../../shell/messages.tsx";
import { words } from "../../words/staff-pages.ts";
import { Head } from "./people.tsx";
import type { UserPart } from "./user-part.ts";

type Player = components["schemas"]["Player"];

/** A person's players: the main one first. */
export function UserPlayers({ user, reload: reloadUser }: UserPart) {
  const { account, admin } = words.value;
  const [asked, setAsked] = useState<PlayerTask | null>(null);
  const path = { identifier: String(user.Id) };
  const load = useLoad(`players ${user.Id}`, () =>
    ask(api.GET("/api/admin/user/{identifier}/players", { params: { path } })),
  );
  const mayChange = level.value >= 3;
  const done = async (text: string) => {
    setAsked(null);
    say(text);
    await Promise.all([load.reload(), reloadUser()]);
  };
  return (
    <section class="card panel">
      <div class="page-head">
        <h2>{account.players}</h2>
        {mayChange && user.Username !== "" && (
          <Button onClick={() => setAsked({ what: "add" })}>{account.newPlayer}</Button>
        )}
      </div>
      <Loaded load={load} skeleton={<Skeleton kind="row" count={2} />}>
        {({ data }) => (
          <ul class="row-list" aria-label={account.players}>
            {data.players.map((player) => (
              <li key={player.uuid}>
                <span class="person">
                  <Head uuid={player.uuid} size={28} />
                  <a href={`/u/${encodeURIComponent(player.name)}`} dir="auto">
                    {player.name}
                  </a>
                  {player.main && <Badge text={account.mainPlayer} />}
                </span>
                {mayChange && <Actions player={player} onAsk={setAsked} />}
              </li>
            ))}
            {data.players.length === 0 && <li class="soft">{admin.noPlayers}</li>}
          </ul>
        )}
      </Loaded>
      {asked !== null && (
        <UserPlayerDialog
          task={asked}
          identifier={path.identifier}
          onDone={done}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  );
}

function Actions({ player, onAsk }: { readonly player: Player; readonly onAsk: (task: PlayerTask) => void }) {
  const { shell } = words.value;
  return (
    <span class="facts">
      <Button label={shell.renameThing(player.name)} onClick={() => onAsk({ what: "rename", player })}>
        {shell.rename}
      </Button>
      {!player.main && (
        <Button
          kind="danger"
          label={shell.deleteThing(player.name)}
          onClick={() => onAsk({ what: "delete", player })}
        >
          {shell.delete}
        </Button>
      )}
    </span>
  );
}

type UserPlayerDialogProps = {
  readonly task: PlayerTask;
  readonly identifier: string;
  readonly onDone: (text: string) => Promise<void>;
  readonly onClose: () => void;
};

function UserPlayerDialog({ task, identifier, ...ends }: UserPlayerDialogProps) {
  const { admin, shell } = words.value;
  const send = ({ name }: { readonly name: string }) => sendPlayer(task, identifier, name);
  const shared = { ...ends, task, send, said: shell.savedThing };
  if (task.what === "delete") return <PlayerDialog {...shared} text={admin.deletePlayerHelp} />;
  const named =
    task.what === "add" ? { help: admin.newPlayerHelp } : { help: admin.renameHelp, value: task.player.name };
  return (
    <PlayerDialog {...shared}>
      <Field label={shell.playerName} name="name" {...named} />
    </PlayerDialog>
  );
}

function sendPlayer(task: PlayerTask, identifier: string, name: string) {
  if (task.what === "add") {
    return ask(
      api.POST("/api/admin/user/{identifier}/players", { params: { path: { identifier } }, body: { name } }),
    );
  }
  const params = { path: { uuid: task.player.uuid } };
  if (task.what === "delete") return ask(api.DELETE("/api/admin/players/{uuid}", { params }));
  return ask(api.PATCH("/api/admin/players/{uuid}", { params, body: { name } }));
}
