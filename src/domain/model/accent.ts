/** A community's colour, in a form that people can read. Pure functions. */

/** An accent in one mode of a page, as `#rrggbb`. */
export type Accent = {
  /** For links and lines. Its contrast to every background of the mode is at least 4.5 (WCAG 2.2, 1.4.3). */
  readonly accent: string;
  /** The background of buttons: a light colour stays as it was given, and is not darkened for white text. */
  readonly fill: string;
  /** Text on the fill, with a contrast of at least 4.5. */
  readonly onFill: string;
};

/** An accent for pages that are light, and for dark ones. */
export type AccentColours = { readonly light: Accent; readonly dark: Accent };

/**
 * What accents stand on: the pages and cards of the console (`src/web/styles/tokens.css`) and of mails
 * (`domain/mail/html.ts`), and what the pointer is over.
 */
const modes = {
  light: { backgrounds: ["#e8eeec", "#eef2f1", "#f4f7f6", "#ffffff"], onFill: "#ffffff", towards: 0 },
  dark: { backgrounds: ["#0e1413", "#18211f", "#22302d"], onFill: "#0e1413", towards: 1 },
} as const;

const contrastMin = 4.5;

/**
 * Text on light fills, and the contrast from which on a colour counts as light: yellow and orange do, red and
 * grey do not.
 */
const darkText = "#0e1413";
const lightFillContrastMin = 6;

/** Lightness is changed in steps that the eye does not see. */
const lightnessStep = 0.005;

/**
 * The colours of an accent (`#rrggbb`) for light and dark pages: the accent itself where it can be read, else
 * the nearest lightness of the same hue that can. Chroma is reduced only as far as screens demand. Buttons
 * have the same colour under light or dark text, but a light accent stays as it is under dark text. See
 * https://www.w3.org/TR/css-color-4/#ok-lab
 */
export function accentColours(given: string): AccentColours {
  return { light: coloursIn(given, modes.light), dark: coloursIn(given, modes.dark) };
}

type Mode = (typeof modes)["light" | "dark"];

function coloursIn(given: string, mode: Mode): Accent {
  const accent = readableOn(given, mode);
  const isLight = contrastOf(given, darkText) >= lightFillContrastMin;
  return isLight
    ? { accent, fill: given.toLowerCase(), onFill: darkText }
    : { accent, fill: accent, onFill: mode.onFill };
}

/** The contrast of two colours (`#rrggbb`), from 1 to 21 (WCAG 2.2, relative luminance). */
export function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function readableOn(given: string, { backgrounds, towards }: Mode): string {
  const isReadable = (accent: string) => backgrounds.every((one) => contrastOf(accent, one) >= contrastMin);
  const colour = toOklch(given);
  let accent = given.toLowerCase();
  const steps = Math.ceil(Math.abs(towards - colour.lightness) / lightnessStep);
  for (let step = 1; step <= steps && !isReadable(accent); step++) {
    const moved = colour.lightness + Math.sign(towards - colour.lightness) * step * lightnessStep;
    accent = toHex({ ...colour, lightness: Math.min(1, Math.max(0, moved)) });
  }
  return accent;
}

/** Lightness from 0 to 1, chroma from 0, hue in radians. */
type Oklch = { readonly lightness: number; readonly chroma: number; readonly hue: number };
/** Linear light, 0 to 1 within what screens show. */
type Rgb = readonly [red: number, green: number, blue: number];

function luminance(hex: string): number {
  const [red, green, blue] = toLinear(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function toLinear(hex: string): Rgb {
  const channel = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function toOklch(hex: string): Oklch {
  const [red, green, blue] = toLinear(hex);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  return {
    lightness: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    chroma: Math.hypot(a, b),
    hue: Math.atan2(b, a),
  };
}

function fromOklch({ lightness, chroma, hue }: Oklch): Rgb {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

/** Halvings of the chroma's range: finer than a screen's 256 steps. */
const halvings = 16;

/** The colour as `#rrggbb`, with as much of its chroma as screens show. */
function toHex(colour: Oklch): string {
  let least = 0;
  let most = colour.chroma;
  for (let turn = 0; turn < halvings && !isShown(fromOklch({ ...colour, chroma: most })); turn++) {
    const middle = (least + most) / 2;
    if (isShown(fromOklch({ ...colour, chroma: middle }))) least = middle;
    else most = middle;
  }
  const chroma = isShown(fromOklch({ ...colour, chroma: most })) ? most : least;
  return `#${fromOklch({ ...colour, chroma })
    .map(toByte)
    .join("")}`;
}

/** Rounding errors are no reason to lose chroma. */
const tolerance = 1e-6;

function isShown(rgb: Rgb): boolean {
  return rgb.every((value) => value >= -tolerance && value <= 1 + tolerance);
}

function toByte(linear: number): string {
  const value = Math.min(1, Math.max(0, linear));
  const encoded = value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
  return Math.round(encoded * 255)
    .toString(16)
    .padStart(2, "0");
}
