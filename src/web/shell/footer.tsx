import { community } from "../api/community.ts";
import { chooseLanguage, language, languages, words, type Language } from "../words/language.ts";
import { chooseTheme, theme, type Theme } from "./theme.ts";

/** The bottom of every page: the community's links, the language and the theme. */
export function Footer() {
  const { shell } = words.value;
  return (
    <footer class="footer">
      <ul class="footer-links">
        {community.links.map(({ label, url }) => (
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
          <select
            value={language.value}
            onChange={({ currentTarget }) => void chooseLanguage(currentTarget.value as Language)} // one of the options below
          >
            {Object.entries(languages).map(([tag, name]) => (
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
