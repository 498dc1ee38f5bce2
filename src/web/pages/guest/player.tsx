import { useLocation, useRoute } from "preact-iso";
import type { Model } from "../../../render/parts.ts";
import { api, ask } from "../../api/client.ts";
import { bodyPicture, wornCapeFile, wornSkinFile } from "../../api/textures.ts";
import type { Problem, Result } from "../../api/problem.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Loaded, useLoad } from "../../parts/load.tsx";
import { NotFound } from "../../shell/not-found.tsx";
import { Page } from "../../shell/page.tsx";
import { askDefaultModel } from "../../viewer/default-skin.ts";
import { FigureWithControls } from "../../viewer/figure-with-controls.tsx";
import { showDate } from "../../words/format.ts";
import { words } from "../../words/language.ts";
import { PlayerActions, playerPath } from "./player-actions.tsx";

/** What a player shows. */
type PlayerFacts = {
  readonly name: string;
  readonly uuid: string;
  readonly model: Model;
  /** The name of its cape; null: it has none. */
  readonly cape: string | null;
  /** When it was made: Unix seconds. */
  readonly created: number;
  /** Whether members may wear its skin, too. */
  readonly isShared: boolean;
};

/** The same addresses as on the server's own page, so each is loaded once. */
const figurePicture = (player: string) => bodyPicture(player, 200);
const wornCapePicture = (player: string) => `${wornCapeFile(player)}?type=player&size=200`;

/** A player for everyone: the figure, the cape, and the skin's file. */
export function Player() {
  const asked = useRoute().params["name"] ?? "";
  const made = madeByServer();
  const known = made?.name.toLowerCase() === asked.toLowerCase() || made?.uuid === asked ? made : null;
  const { route } = useLocation();
  const load = useLoad(asked, async () => {
    const result = await loadPlayer(known?.uuid ?? asked);
    const path = known === null ? await findPath(asked, result) : null;
    if (path !== null) route(path, true);
    return result;
  });
  if (load.now.state === "failed" && isUnknown(load.now.problem)) return <NotFound />;
  const name = load.now.state === "ready" ? load.now.data.name : (known?.name ?? asked);
  return (
    <Page heading={name}>
      <div class="player">
        <Loaded load={load} skeleton={<Waiting player={known?.uuid ?? null} />}>
          {(player) => (
            <>
              <FigureWithControls
                key={player.uuid}
                name={player.name}
                skin={wornSkinFile(player.uuid)}
                model={player.model}
                cape={player.cape === null ? null : wornCapeFile(player.uuid)}
                picture={figurePicture(player.uuid)}
                standIn={figurePicture(player.uuid)}
              />
              <Facts shown={player} />
            </>
          )}
        </Loaded>
      </div>
    </Page>
  );
}

/** The picture that the server's page showed already. */
function Waiting({ player }: { readonly player: string | null }) {
  if (player === null) return <div class="figure" />;
  return <img class="figure" src={figurePicture(player)} alt="" />;
}

function Facts({ shown }: { readonly shown: PlayerFacts }) {
  const { name, uuid, cape, created } = shown;
  const { home, player } = words.value;
  return (
    <div class="player-facts">
      <p class="soft">{player.since(showDate(created))}</p>
      <PlayerActions shown={shown} />
      <ButtonLink href={wornSkinFile(uuid)} download={`${name}.png`}>
        {player.download}
      </ButtonLink>
      <h2>{home.cape}</h2>
      {cape === null ? (
        <p class="soft" dir="auto">
          {player.noCape(name)}
        </p>
      ) : (
        <>
          <img src={wornCapePicture(uuid)} alt={player.capeOf(name)} width="100" height="200" />
          <p dir="auto">{cape}</p>
        </>
      )}
    </div>
  );
}

/** The player whose page the server sent; null on any other page. */
function madeByServer(): { readonly name: string; readonly uuid: string } | null {
  const text = document.querySelector("#player")?.textContent ?? null;
  // The server writes it so (`http/console/page-answers.ts`).
  return text === null ? null : (JSON.parse(text) as { name: string; uuid: string });
}

/**
 * The address of the player's page under its name, if a link within the console led elsewhere. A UUID may be
 * the offline one, which no request accepts; the server's page knows former names. Null: the address is
 * right, or no player has it.
 */
async function findPath(asked: string, found: Result<PlayerFacts>): Promise<string | null> {
  if (found.ok) return isUuid.test(asked) ? playerPath(found.body.name) : null;
  if (!isUnknown(found.problem)) return null;
  try {
    const { redirected, url } = await fetch(playerPath(asked), { method: "HEAD" });
    return redirected ? new URL(url).pathname : null;
  } catch {
    return null;
  }
}

const isUuid = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

const isUnknown = ({ kind }: Problem) => kind === "not-found" || kind === "refused";

async function loadPlayer(uuid: string): Promise<Result<PlayerFacts>> {
  const result = await ask(api.GET("/api/skin/launcher/envelope/{uuid}", { params: { path: { uuid } } }));
  if (!result.ok) return result;
  const { username: name, uuid: found, SKIN, cape_name, created, shares_skin } = result.body.data;
  const model = SKIN === undefined ? await askDefaultModel(found) : (SKIN.metadata?.model ?? "classic");
  // A default skin needs no copy.
  const isShared = shares_skin && SKIN !== undefined;
  return { ok: true, body: { name, uuid: found, model, cape: cape_name ?? null, created, isShared } };
}
