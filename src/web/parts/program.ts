const browsers = [
  ["Edg", "Edge"],
  ["OPR", "Opera"],
  ["Firefox", "Firefox"],
  ["Chrome", "Chrome"],
  ["CriOS", "Chrome"],
  ["FxiOS", "Firefox"],
  ["Safari", "Safari"],
] as const;

const systems = [
  ["Android", "Android"],
  ["iPhone", "iOS"],
  ["iPad", "iPadOS"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

/**
 * What people call the program behind a User-Agent: "Firefox, Windows". Programs that are no browser keep the
 * name that they give.
 */
export function programOf(userAgent: string): string {
  if (!userAgent.startsWith("Mozilla/")) return userAgent;
  const browser = browsers.find(([mark]) => userAgent.includes(`${mark}/`))?.[1];
  const system = systems.find(([mark]) => userAgent.includes(mark))?.[1];
  return [browser, system].filter(Boolean).join(", ") || userAgent;
}
