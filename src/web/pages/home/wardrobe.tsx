import { useState } from "preact/hooks";
import { community } from "../../api/community.ts";
import { Button } from "../../parts/button.tsx";
import { FileButton } from "../../parts/file-button.tsx";
import { IncomingFile } from "../../parts/incoming-file.tsx";
import { sayBad } from "../../shell/messages.tsx";
import { words } from "../../words/language.ts";
import { HomePage, type Shown } from "./home-page.tsx";
import { NewSkin } from "./new-skin.tsx";
import { Preview } from "./preview.tsx";
import { SkinList } from "./skin-list.tsx";
import { keptSkins, playerIn, skinIn } from "./wardrobe-data.ts";
import { wearSkin } from "./wear.ts";

/** A member's skins: taken in, worn, changed and deleted. */
export function Wardrobe() {
  const { home, player, shell } = words.value;
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
      {(shown) => (
        <>
          <IncomingFile
            text={home.drop}
            onFile={(file) =>
              isFull(shown) ? sayBad(home.full(community.rules.wardrobe_max)) : setFile(file)
            }
          />
          <div class="home">
            <Preview wardrobe={shown.wardrobe} from="front">
              <TakeOff {...shown} />
            </Preview>
            <SkinList {...shown} />
          </div>
          <p>
            <a href="/play">{player.playWithLook}</a>
          </p>
          {file !== null && (
            <NewSkin file={file} onFile={setFile} onClose={() => setFile(null)} onAdded={shown.reload} />
          )}
        </>
      )}
    </HomePage>
  );
}

function isFull({ wardrobe }: Shown): boolean {
  return keptSkins(wardrobe).length >= community.rules.wardrobe_max;
}

function TakeOff(shown: Shown) {
  const { home } = words.value;
  const worn = skinIn(shown.wardrobe, playerIn(shown.wardrobe).skin);
  if (worn === null) return null;
  return (
    <Button label={home.takeOffThis(worn.Name)} onClick={() => wearSkin(shown, null)}>
      {home.takeOff}
    </Button>
  );
}
