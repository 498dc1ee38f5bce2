/** The colours of a page in one mode: mails, and the pages that links in them open. */
export type Palette = {
  readonly page: string;
  readonly card: string;
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  readonly accent: string;
  /** What stands on the accent. */
  readonly onAccent: string;
};

/** What most people see. Every pair that is read together has a contrast of 4.5 or more (WCAG 2.2, 1.4.3). */
export const light: Palette = {
  page: "#eef2f1",
  card: "#ffffff",
  ink: "#17211f",
  soft: "#55635f",
  line: "#d5dedb",
  accent: "#0f766e",
  onAccent: "#ffffff",
};

/** What people see whose device is dark. */
export const dark: Palette = {
  page: "#0e1413",
  card: "#18211f",
  ink: "#eaf1ef",
  soft: "#a3b3af",
  line: "#33423e",
  accent: "#5eead4",
  onAccent: "#0e1413",
};
