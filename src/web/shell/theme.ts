import { signal } from "@preact/signals";
import { readStored, store } from "../stored.ts";

/** `auto`: as the system is. */
export type Theme = "auto" | "light" | "dark";

const key = "cloakroom.theme";

export const theme = signal<Theme>(read());

/** Shows the theme now and next time. */
export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  apply();
  store(key, chosen);
}

function apply(): void {
  document.documentElement.style.colorScheme = theme.peek() === "auto" ? "light dark" : theme.peek();
}

function read(): Theme {
  const chosen = readStored(key);
  return chosen === "light" || chosen === "dark" ? chosen : "auto";
}

apply();
