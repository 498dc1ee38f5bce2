import { CopyButton } from "../../parts/copy-button.tsx";
import { words } from "../../words/language.ts";

/**
 * The address that launchers with authlib-injector take: copied, or dragged into their window
 * (docs/connect/authlib-injector.md).
 */
export function LauncherAddress({ address }: { readonly address: string }) {
  const { guest, player } = words.value;
  return (
    <section class="card launcher" aria-labelledby="launcher">
      <h2 id="launcher">{guest.launcher}</h2>
      <p class="soft">{guest.launcherHelp}</p>
      <div class="launcher-address" draggable onDragStart={(event) => dragAddress(event, address)}>
        <code>{address}</code>
        <CopyButton text={address} label={guest.copyAddress} />
      </div>
      <p>
        <a href="/play">{player.steps}</a>
      </p>
    </section>
  );
}

/** Writes the dragged address in the form that launchers take. */
export function dragAddress({ dataTransfer }: DragEvent, address: string): void {
  dataTransfer?.setData("text/plain", `authlib-injector:yggdrasil-server:${encodeURIComponent(address)}`);
  if (dataTransfer) dataTransfer.effectAllowed = "copy";
}
