import { signal } from "@preact/signals";

/** `auto`: as the system is. */
export type Theme = "auto" | "light" | "dark";

const key = "cloakroom.theme";

export const theme = signal<Theme>(read());

/** Shows the theme now and next time. */
export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  apply();
  try {
    localStorage.setItem(key, chosen);
  } catch {
    // Storage is off: the choice holds until the page is left.
  }
}

function apply(): void {
  document.documentElement.style.colorScheme = theme.peek() === "auto" ? "light dark" : theme.peek();
}

function read(): Theme {
  try {
    const chosen = localStorage.getItem(key);
    return chosen === "light" || chosen === "dark" ? chosen : "auto";
  } catch {
    return "auto";
  }
}

apply();
