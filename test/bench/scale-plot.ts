/* Draws how something changes with the number of accounts, as an SVG that needs nothing else. */
export type Series = { readonly name: string; readonly values: readonly number[] };
export type Plot = {
  readonly title: string;
  readonly unit: string;
  /** Numbers of accounts, one for each value of a series. */
  readonly sizes: readonly number[];
  readonly series: readonly Series[];
  /** What no value may pass. */
  readonly goal?: number;
};

const width = 760;
const height = 360;
const area = { left: 60, top: 40, right: 470, bottom: 320 };
const colours = [
  "#1b6ac9",
  "#d1495b",
  "#2e933c",
  "#8d5bb5",
  "#c77d0a",
  "#0f8b8d",
  "#6b705c",
  "#b5179e",
  "#3a3a3a",
  "#7fb800",
];

export function drawPlot({ title, unit, sizes, series, goal }: Plot): string {
  const highest = Math.max(goal ?? 0, ...series.flatMap(({ values }) => values)) * 1.1;
  const x = (column: number) =>
    area.left + 20 + (column * (area.right - area.left - 40)) / (sizes.length - 1);
  const y = (value: number) => area.bottom - (value / highest) * (area.bottom - area.top);
  const lines = series.map(({ values }, number) =>
    drawLine(
      values.map((value, at) => [x(at), y(value)]),
      number,
    ),
  );
  const parts = [
    text(area.left, 22, title, 'font-weight="bold" font-size="14"'),
    ...ticksUpTo(highest).flatMap((value) => [
      `<path d="M${area.left} ${round(y(value))}H${area.right}" stroke="#ddd"/>`,
      text(area.left - 8, y(value) + 4, String(value), 'text-anchor="end"'),
    ]),
    text(area.left - 8, area.top - 6, unit, 'text-anchor="end"'),
    ...sizes.map((size, at) =>
      text(x(at), area.bottom + 18, size.toLocaleString("en"), 'text-anchor="middle"'),
    ),
    text((area.left + area.right) / 2, area.bottom + 34, "accounts", 'text-anchor="middle"'),
    ...(goal === undefined ? [] : [drawGoal(y(goal), goal)]),
    ...lines,
    ...series.map(({ name }, number) => drawLegend(name, number)),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">
<rect width="${width}" height="${height}" fill="#fff"/>
${parts.join("\n")}
</svg>
`;
}

function drawLine(points: readonly (readonly number[])[], number: number): string {
  const colour = colours[number % colours.length];
  const path = points.map(([left = 0, top = 0]) => `${round(left)} ${round(top)}`).join("L");
  const dots = points.map(
    ([left = 0, top = 0]) => `<circle cx="${round(left)}" cy="${round(top)}" r="3" fill="${colour}"/>`,
  );
  return `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="1.5"/>${dots.join("")}`;
}

function drawGoal(top: number, goal: number): string {
  return [
    `<path d="M${area.left} ${round(top)}H${area.right}" stroke="#000" stroke-dasharray="5 4"/>`,
    text(area.left + 6, top - 5, `goal: ${goal} at most`),
  ].join("");
}

function drawLegend(name: string, number: number): string {
  const top = area.top + 10 + number * 20;
  const left = area.right + 24;
  return `<path d="M${left} ${top - 4}h18" stroke="${colours[number % colours.length]}" stroke-width="3"/>${text(left + 26, top, name)}`;
}

/** Three to six round numbers from 0 on. */
function ticksUpTo(highest: number): readonly number[] {
  const rough = highest / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  return Array.from({ length: Math.floor(highest / step) + 1 }, (_, number) =>
    Number((number * step).toPrecision(6)),
  );
}

function text(left: number, top: number, words: string, more = ""): string {
  const safe = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${round(left)}" y="${round(top)}"${more === "" ? "" : ` ${more}`}>${safe}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
