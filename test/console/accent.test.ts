import { describe, expect, test } from "bun:test";
import { coloursOf } from "../../src/domain/mail/html.ts";
import { accentColours, contrastOf } from "../../src/domain/model/accent.ts";

const { light, dark } = coloursOf(null);
const tokens = await Bun.file(new URL("../../src/web/styles/tokens.css", import.meta.url)).text();

/** A colour of the console in both modes. */
function token(name: string): readonly [light: string, dark: string] {
  const [, onLight = "", onDark = ""] =
    new RegExp(`--${name}: light-dark\\((\\S+), (\\S+)\\)`).exec(tokens) ?? [];
  return [onLight, onDark];
}

const surfaces = ["page", "card", "hover"].map(token);
const backgrounds = {
  light: [...surfaces.map(([colour]) => colour), light.page, light.card],
  dark: [...surfaces.map(([, colour]) => colour), dark.page, dark.card],
};

describe.each([
  "#000000",
  "#ffffff",
  "#808080",
  "#ff0000",
  "#00ff00",
  "#0000ff",
  "#ffff00",
  "#00ffff",
  "#ff00ff",
  "#0f766e",
  "#5eead4",
  "#5865f2",
  "#FF6600",
  "#123456",
])("the accent %s", (given) => {
  const colours = accentColours(given);

  test.each(["light", "dark"] as const)("can be read on everything that is %s, and text on it", (mode) => {
    const { accent, fill, onFill } = colours[mode];
    expect(accent).toMatch(/^#[0-9a-f]{6}$/);
    for (const background of backgrounds[mode]) {
      expect(background).toMatch(/^#[0-9a-f]{6}$/);
      expect(contrastOf(accent, background)).toBeGreaterThanOrEqual(4.5);
    }
    expect(contrastOf(fill, onFill)).toBeGreaterThanOrEqual(4.5);
  });
});

test.each([
  ["#ffe14d", "light", "#ffe14d", "#0e1413"],
  ["#FFFFFF", "light", "#ffffff", "#0e1413"],
  ["#ff6600", "light", "#ff6600", "#0e1413"],
  ["#ffe14d", "dark", "#ffe14d", "#0e1413"],
  ["#5865f2", "light", null, "#ffffff"],
  ["#ff0000", "light", null, "#ffffff"],
] as const)("a button of %s (%s) is %s under text of %s", (given, mode, fill, onFill) => {
  const colours = accentColours(given)[mode];
  expect(colours).toMatchObject({ fill: fill ?? colours.accent, onFill });
});

test.each([
  ["#0f766e", "light", "#0f766e"],
  ["#5eead4", "dark", "#5eead4"],
  ["#B42318", "light", "#b42318"],
] as const)("%s stays as it is where it can be read (%s)", (given, mode, accent) => {
  expect(accentColours(given)[mode].accent).toBe(accent);
});

test.each([
  ["#ffff00", "light", "yellow", [60, 70]],
  ["#0000ff", "dark", "blue", [225, 255]],
  ["#ff0000", "dark", "red", [350, 20]],
  ["#5eead4", "light", "teal", [165, 180]],
] as const)("%s keeps its hue when it is moved (%s): %s", (given, mode, _, [from, to]) => {
  const hue = hueOf(accentColours(given)[mode].accent);
  expect(from < to ? hue >= from - 12 && hue <= to + 12 : hue >= from - 12 || hue <= to + 12).toBe(true);
});

test("grey stays grey", () => {
  for (const { accent } of Object.values(accentColours("#808080"))) {
    const channels = [1, 3, 5].map((at) => Number.parseInt(accent.slice(at, at + 2), 16));
    expect(Math.max(...channels) - Math.min(...channels)).toBeLessThanOrEqual(1);
  }
});

test.each([
  ["#000000", "#ffffff", 21],
  ["#777777", "#ffffff", 4.48],
  ["#0f766e", "#ffffff", 5.47],
  ["#ffffff", "#0f766e", 5.47],
  ["#123456", "#123456", 1],
])("the contrast of %s and %s is %d", (one, other, contrast) => {
  expect(contrastOf(one, other)).toBeCloseTo(contrast, 2);
});

/** Degrees of HSL. */
function hueOf(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255,
  );
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  if (range === 0) return 0;
  const sixth =
    most === red
      ? (green - blue) / range
      : most === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4;
  return (sixth * 60 + 360) % 360;
}
