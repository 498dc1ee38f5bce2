import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { words } from "../words/language.ts";

const pauseMs = 250;
/** Three characters, two Chinese, Japanese or Korean ones, or a number, which may be an id. */
const searchable =
  /^(?:\d+|[^]{3,}|[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]{2})$/u;

/** Whether the server would search for it. */
export function isSearchable(text: string): boolean {
  return searchable.test(text);
}

/** What the address asks for; null while it is too short to be asked. */
export function useSearch(): string | null {
  const { query } = useLocation();
  const text = (query["q"] ?? "").trim();
  return text === "" || isSearchable(text) ? text : null;
}

/**
 * Puts what is typed into the address, as `?q=`, after a pause. It asks nothing by itself; see `useSearch`.
 */
export function SearchBox({ label }: { readonly label: string }) {
  const id = useId();
  const { path, query, route } = useLocation();
  const asked = query["q"] ?? "";
  const [text, setText] = useState(asked);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Another address was opened, by Back for example.
  useEffect(() => setText((now) => (now.trim() === asked ? now : asked)), [asked]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = (typed: string) => {
    const { q: _, ...others } = query;
    const q = typed.trim();
    const search = new URLSearchParams(q === "" ? others : { ...others, q }).toString();
    route(search === "" ? path : `${path}?${search}`, true);
  };
  const type = (typed: string) => {
    setText(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => show(typed), pauseMs);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    clearTimeout(timer.current);
    show(text);
  };
  const isShort = text.trim() !== "" && !isSearchable(text.trim());
  return (
    <form role="search" class="search-box" onSubmit={submit}>
      <div class="field">
        <label for={id}>{label}</label>
        <input
          id={id}
          type="search"
          value={text}
          maxLength={200}
          autocomplete="off"
          spellcheck={false}
          aria-describedby={`${id}-help`}
          onInput={({ currentTarget }) => type(currentTarget.value)}
        />
        <p id={`${id}-help`} class="field-help" role="status">
          {isShort ? words.value.shell.searchShort : ""}
        </p>
      </div>
    </form>
  );
}
