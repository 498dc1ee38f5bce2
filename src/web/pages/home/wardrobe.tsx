import { useState } from "preact/hooks";
import { community } from "../../api/community.ts";
import { FileButton } from "../../parts/file-button.tsx";
import { IncomingFile } from "../../parts/incoming-file.tsx";
import { faceChanged } from "../../shell/member-menu.tsx";
import { sayBad } from "../../shell/messages.tsx";
import { removals } from "../../shell/removals.ts";
import { words } from "../../words/language.ts";
import { HomePage, type ShownWardrobe } from "./home-page.tsx";
import { NewSkin } from "./new-skin.tsx";
import { Preview, type Previewed } from "./preview.tsx";
import { SkinList } from "./skin-list.tsx";
import {
  capeIn,
  keptSkins,
  loadWardrobe,
  playerIn,
  skinIn,
  useChosen,
  type Skin,
  type Wardrobe as Kept,
} from "./wardrobe-data.ts";
import { wearSkin } from "./wear.ts";

/** A member's skins: added, shown, worn, changed and deleted. */
export function Wardrobe() {
  const { home, shell } = words.value;
  const [file, setFile] = useState<File | null>(null);
  return (
    <HomePage
      heading={shell.wardrobe}
      intro={home.uploadHelp}
      list={home.skins}
      actions={(shown) =>
        (shown === null || !isFull(shown)) && (
          <FileButton label={home.upload} accept="image/png,.png" onFile={setFile} />
        )
      }
    >
      {(shown) => <Skins shown={shown} file={file} onFile={setFile} />}
    </HomePage>
  );
}

type SkinsProps = {
  readonly shown: ShownWardrobe;
  /** What is to be added. */
  readonly file: File | null;
  readonly onFile: (file: File | null) => void;
};

function Skins({ shown, file, onFile }: SkinsProps) {
  const { home, player } = words.value;
  const { wardrobe } = shown;
  const [chosen, choose] = useChosen(playerIn(wardrobe));
  const worn = skinIn(wardrobe, playerIn(wardrobe).skin);
  const isKept = !removals.value.has(chosen);
  const look = lookOf(wardrobe, (isKept ? skinIn(wardrobe, chosen) : null) ?? worn);
  const take = (file: File) =>
    isFull(shown) ? sayBad(home.full(community.rules.wardrobe_max)) : onFile(file);
  const added = async (uuid: string) => {
    const now = await loadWardrobe();
    if (!now.ok) {
      await shown.reload();
      return null;
    }
    shown.set(now.body);
    choose(uuid);
    // The first skin is worn at once.
    if (playerIn(now.body).skin === uuid) faceChanged();
    return twinOf(now.body, uuid);
  };
  return (
    <>
      <IncomingFile text={home.drop} onFile={take} />
      <div class="home">
        <Preview
          wardrobe={wardrobe}
          from="front"
          look={look}
          worn={worn?.Name ?? null}
          onWear={() => wearSkin(shown, look.skin)}
          onTakeOff={() => {
            choose("");
            return wearSkin(shown, null);
          }}
          onBack={() => choose("")}
        />
        <SkinList {...shown} shownSkin={look.skin?.Uuid ?? ""} onShow={({ Uuid }) => choose(Uuid)} />
      </div>
      <p>
        <a href="/play">{player.playWithLook}</a>
      </p>
      {file !== null && (
        <NewSkin
          file={file}
          onFile={onFile}
          onClose={() => onFile(null)}
          skins={wardrobe.skins}
          onAdded={added}
        />
      )}
    </>
  );
}

function isFull({ wardrobe }: ShownWardrobe): boolean {
  return keptSkins(wardrobe).length >= community.rules.wardrobe_max;
}

/** How the player looks in a skin: with the player's own cape if it has one, else with the skin's. */
function lookOf(wardrobe: Kept, skin: Skin | null): Previewed {
  const player = playerIn(wardrobe);
  const isWorn = (skin?.Uuid ?? "") === player.skin;
  const own = player.own_cape === "" ? (skin?.Cloak_id ?? "") : player.own_cape;
  return { skin, cape: capeIn(wardrobe, isWorn ? player.cape : own), thing: skin, isWorn };
}

/** Another skin with the same picture. */
function twinOf({ skins }: Kept, uuid: string): Skin | null {
  const hash = skins.find(({ Uuid }) => Uuid === uuid)?.Texture_hash;
  return skins.find(({ Uuid, Texture_hash }) => Uuid !== uuid && Texture_hash === hash) ?? null;
}
