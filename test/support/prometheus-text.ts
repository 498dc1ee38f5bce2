export type Sample = { readonly labels: Readonly<Record<string, string>>; readonly value: number };

/** One metric as it is exposed. The samples of a histogram are under their own names (`…_bucket`). */
export type ExposedMetric = {
  readonly type: string;
  readonly help: string;
  readonly samples: readonly (Sample & { readonly name: string })[];
};

const name = "[a-zA-Z_][a-zA-Z0-9_]*";
const helpLine = new RegExp(`^# HELP (${name}) (.+)$`);
const typeLine = new RegExp(`^# TYPE (${name}) (counter|gauge|histogram)$`);
const label = `${name}="(?:[^"\\\\\\n]|\\\\["\\\\n])*"`;
const sampleLine = new RegExp(`^(${name})(?:\\{(${label}(?:,${label})*)\\})? (\\+Inf|-?[0-9.e+-]+)$`);

/** Reads Prometheus's text format, version 0.0.4, by its grammar; a line that breaks it throws. */
export function parsePrometheusText(text: string): ReadonlyMap<string, ExposedMetric> {
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const metrics = new Map<string, { type: string; help: string; samples: (Sample & { name: string })[] }>();
  let current = "";
  for (const line of text.split("\n").filter((one) => one !== "")) {
    const [, helped, help = ""] = helpLine.exec(line) ?? [];
    const [, typed, type = ""] = typeLine.exec(line) ?? [];
    if (helped !== undefined) {
      if (metrics.has(helped)) throw new Error(`${helped} is there twice`);
      current = helped;
      metrics.set(current, { help, type: "", samples: [] });
    } else if (typed !== undefined && typed === current) {
      metrics.get(current)!.type = type;
    } else {
      metrics.get(current)!.samples.push(parseSample(line, current));
    }
  }
  return metrics;
}

function parseSample(line: string, metric: string): Sample & { readonly name: string } {
  const [, sampled, labels = "", value = ""] = sampleLine.exec(line) ?? [];
  if (sampled === undefined || !sampled.startsWith(metric)) throw new Error(`not the text format: ${line}`);
  const pairs = labels.matchAll(new RegExp(`(${name})="((?:[^"\\\\]|\\\\.)*)"`, "g"));
  return {
    name: sampled,
    labels: Object.fromEntries(Array.from(pairs, ([, key = "", text = ""]) => [key, text])),
    value: Number(value.replace("+Inf", "Infinity")),
  };
}
