import { useId, useState } from "preact/hooks";
import type { components } from "../../api/types.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { textOf } from "../../parts/form-data.ts";
import { Checkbox, Field } from "../../parts/form.tsx";
import { words } from "../../words/staff-pages.ts";
import { isCommunityName, publicAddressOf } from "./rules.ts";
import { settingsBlock, type Filled } from "./settings-block.ts";

/** Where settings go on this server, and how it was started. */
export type Installation = components["schemas"]["Installation"];

/** How settings get into the file: fill in, copy the lines, paste them, restart. Nothing is sent. */
export function SettingsFile({ of }: { readonly of: Installation }) {
  const { setup } = words.value;
  return (
    <section class="card steps" aria-labelledby="file">
      <h2 id="file">{setup.fileHeading}</h2>
      {of.faults.length > 0 ? <Refused of={of} /> : <Lines of={of} />}
    </section>
  );
}

/** A file that has to be corrected first: more lines would not help. */
function Refused({ of: { faults, settings_file: path } }: { readonly of: Installation }) {
  const { setup } = words.value;
  return (
    <>
      <div class="notice file-faults">
        <p>{setup.fileRefused}</p>
        {faults.map((fault) => (
          <p key={fault} lang="en">
            <code>{fault}</code>
          </p>
        ))}
      </div>
      <p class="file-actions">
        <CopyButton text={path} label={setup.copyPath} isLabelled />
        <Button onClick={() => location.reload()}>{setup.loadAgain}</Button>
      </p>
    </>
  );
}

/** The lines that are left to set, and what is set. */
function Lines({ of }: { readonly of: Installation }) {
  const { setup } = words.value;
  const [filled, setFilled] = useState<Filled>({});
  const given = new Set(of.settings.map(({ name }) => name.toLowerCase()));
  const block = settingsBlock(filled, given, setup);
  return (
    <>
      {/* Changes of the file since the start show only after the next start. */}
      {of.is_changed && <p class="notice">{setup.fileChanged}</p>}
      {block === "" ? (
        <p>{setup.allGiven}</p>
      ) : (
        <>
          <p class="soft">{setup.fileHelp}</p>
          <FillIn given={given} filled={filled} onFilled={setFilled} />
        </>
      )}
      {(block !== "" || of.is_changed) && (
        <ol class="file-steps" aria-labelledby="file">
          {block !== "" && <CopyBlock block={block} />}
          {block !== "" && <PutInto of={of} />}
          <Restart of={of} />
        </ol>
      )}
      <Given of={of} />
    </>
  );
}

type FillInProps = {
  readonly given: ReadonlySet<string>;
  readonly filled: Filled;
  readonly onFilled: (filled: Filled) => void;
};

/**
 * Fields for settings that need a click or a few words. A given setting has no field: the file or something
 * stronger sets it.
 */
function FillIn({ given, filled, onFilled }: FillInProps) {
  const { setup } = words.value;
  const [faulty, setFaulty] = useState<ReadonlySet<string>>(new Set());
  const read = ({ currentTarget, target }: InputEvent & { readonly currentTarget: HTMLFormElement }) => {
    const data = new FormData(currentTarget);
    // A colour field always has a value; it counts once it was chosen.
    const isChosen = target instanceof HTMLInputElement && target.name === "community_accent";
    const name = textOf(data, "community_name").trim();
    const typed = textOf(data, "public_url").trim();
    const address = typed === "" ? "" : publicAddressOf(typed, location);
    const isNamed = name === "" || isCommunityName(name);
    setFaulty(new Set([...(isNamed ? [] : ["community_name"]), ...(address === null ? ["public_url"] : [])]));
    onFilled({
      community_name: isNamed ? name : "",
      community_accent: isChosen ? target.value : (filled["community_accent"] ?? ""),
      public_url: address ?? "",
      ...(data.has("backups") && { backup_schedule: "30 4 * * *", backup_keep: "14" }),
    });
  };
  return (
    <form class="form" aria-label={setup.fill} onInput={read} onSubmit={(event) => event.preventDefault()}>
      {!given.has("community_name") && (
        <Field
          label={setup.communityName}
          name="community_name"
          fault={faulty.has("community_name") ? setup.nameFault : null}
          maxLength={60}
          isFree
        />
      )}
      {!given.has("community_accent") && <ColourField />}
      {!given.has("public_url") && (
        <Field
          label={setup.publicAddress}
          name="public_url"
          fault={faulty.has("public_url") ? setup.addressFault : null}
          help={setup.publicAddressHelp}
          isFree
        />
      )}
      {!given.has("backup_schedule") && <Checkbox label={setup.nightlyBackup} name="backups" />}
    </form>
  );
}

function ColourField() {
  const { setup } = words.value;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{setup.colour}</label>
      <input id={id} type="color" name="community_accent" defaultValue="#0f766e" />
    </div>
  );
}

function CopyBlock({ block }: { readonly block: string }) {
  const { setup } = words.value;
  return (
    <li>
      <h3>{setup.copyBlock}</h3>
      <p>{setup.blockHelp}</p>
      <pre class="file-block" aria-label={setup.blockLabel} role="region">
        <code>{block}</code>
      </pre>
      <CopyButton text={block} label={setup.copyLines} />
    </li>
  );
}

function PutInto({ of: { settings_file: path, is_there: isThere, restart } }: { readonly of: Installation }) {
  const { setup } = words.value;
  return (
    <li>
      <h3>{setup.putInto}</h3>
      <p>
        <code>{path}</code>
      </p>
      <p>
        {isThere ? setup.fileIsThere : setup.fileIsNew} {restart.by === "container" && setup.inContainer}
      </p>
      <CopyButton text={path} label={setup.copyPath} />
    </li>
  );
}

function Restart({ of: { restart } }: { readonly of: Installation }) {
  const { setup } = words.value;
  const { by, command } = restart;
  return (
    <li>
      <h3>{setup.restart}</h3>
      <p>{setup.restarts[by]}</p>
      {command !== null && (
        <p>
          <code>{command}</code>
        </p>
      )}
      <p>{setup.thenLoad}</p>
      <Button onClick={() => location.reload()}>{setup.loadAgain}</Button>
    </li>
  );
}

/** What is given already, and where it has to be changed. */
function Given({ of: { settings } }: { readonly of: Installation }) {
  const { setup } = words.value;
  const names = (isInFile: boolean) =>
    settings
      .filter(({ from, name }) => (from === "file") === isInFile && name !== "DATA_DIR")
      .map(({ name }) => (isInFile ? name.toLowerCase() : name))
      .join(", ");
  const [inFile, elsewhere] = [names(true), names(false)];
  return (
    <>
      {inFile !== "" && <p class="soft small">{setup.inFile(inFile)}</p>}
      {elsewhere !== "" && <p class="soft small">{setup.beatsFile(elsewhere)}</p>}
    </>
  );
}
