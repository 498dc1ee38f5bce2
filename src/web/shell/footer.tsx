import { useLocation } from "preact-iso";
import { community } from "../api/community.ts";
import { chooseLanguage, language, languages, words, type Language } from "../words/language.ts";
import { sayNotLoaded } from "./not-loaded.tsx";
import { chooseTheme, theme, type Theme } from "./theme.ts";

/** The bottom of every page: the community's links, the language and the theme. */
export function Footer() {
  const { shell } = words.value;
  // The start page shows them itself.
  const links = useLocation().path === "/" ? [] : community.links;
  return (
    <footer class="footer">
      <ul class="footer-links">
        {links.map(({ label, url }) => (
          <li key={url}>
            <a href={url} rel="noreferrer">
              {label}
            </a>
          </li>
        ))}
      </ul>
      <div class="footer-choices">
        <label>
          {shell.language}
          <select value={language.value} onChange={({ currentTarget }) => void choose(currentTarget)}>
            {languages.map(({ tag, name }) => (
              <option key={tag} value={tag} lang={tag}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {shell.theme}
          <select
            value={theme.value}
            onChange={({ currentTarget }) => chooseTheme(currentTarget.value as Theme)}
          >
            {Object.entries(shell.themes).map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        </label>
      </div>
    </footer>
  );
}

async function choose(select: HTMLSelectElement): Promise<void> {
  if (await chooseLanguage(select.value as Language)) return; // one of its options
  select.value = language.peek();
  await sayNotLoaded();
}
