import type { components } from "../../api/types.ts";
import { Button } from "../../parts/button.tsx";
import { languages } from "../../words/language.ts";
import { words } from "../../words/staff-pages.ts";

type Preview = components["schemas"]["MailPreview"];

type MailPreviewProps = {
  readonly preview: Preview;
  /** Sends it to the person who writes it. */
  readonly onTry: () => Promise<void>;
  readonly onSend: () => void;
};

/**
 * A mail to everybody in each language. It is shown as text: the policy of our pages allows no frames, and
 * the mail's HTML says the same.
 */
export function MailPreview({ preview, onTry, onSend }: MailPreviewProps) {
  const { home, records } = words.value;
  const { recipients } = preview;
  return (
    <section class="panel" aria-labelledby="preview">
      <h2 id="preview">{home.preview}</h2>
      <div class="card-grid">
        {preview.languages.map(({ language, recipients, subject, text }) => (
          <article key={language} class="card">
            <p class="soft">
              {languageName(language)} · {records.people(recipients)}
            </p>
            <h3 dir="auto">{subject}</h3>
            <p class="mail-text" lang={language} dir="auto">
              {text}
            </p>
          </article>
        ))}
      </div>
      {recipients === 0 ? (
        <p class="soft">{records.noRecipients}</p>
      ) : (
        <p class="mail-sends">
          <Button onClick={onTry}>{records.sendToMe}</Button>
          <Button kind="main" onClick={onSend}>
            {records.sendTo(recipients)}
          </Button>
        </p>
      )}
    </section>
  );
}

function languageName(tag: string): string {
  return languages.find((language) => language.tag === tag)?.name ?? tag;
}
