/** A page in a real browser. */
export type Page = AsyncDisposable & {
  readonly view: Bun.WebView;
  /** The value of an expression within the page, once it is one that is no longer false, null or empty. */
  readonly until: <Value>(expression: string) => Promise<Value>;
  /** Serious and critical faults that axe finds in what is shown now, one line each. */
  readonly faults: () => Promise<readonly string[]>;
  /** What the page's policy stopped, and what its scripts failed with. */
  readonly complaints: readonly string[];
};

const flags = [
  // Containers have no namespaces to make a sandbox of, and the page is our own.
  "--no-sandbox",
  "--disable-quic",
  "--disable-component-update",
  "--disable-sync",
];

const axePath = Bun.resolveSync("axe-core/axe.min.js", import.meta.dir);

/** Opens an address in a window of this width. */
export async function openPage(address: string, width = 1280): Promise<Page> {
  const view = new Bun.WebView({ width, height: 900, backend: { type: "chrome", argv: flags } });
  const complaints: string[] = [];
  for (const event of ["Runtime.exceptionThrown", "Log.entryAdded"]) {
    view.addEventListener(event, (thrown) => complaints.push(JSON.stringify((thrown as MessageEvent).data)));
  }
  await view.navigate("about:blank");
  await view.cdp("Runtime.enable");
  await view.cdp("Log.enable");
  await view.navigate(address);
  // Through the browser's own tools, which the page's policy does not bind.
  await view.evaluate(`(() => {${await Bun.file(axePath).text()}\n})()`);

  const until = async <Value>(expression: string): Promise<Value> => {
    for (let tries = 0; tries < 400; tries++) {
      const value: unknown = await view.evaluate(expression);
      if (Array.isArray(value) ? value.length > 0 : value) return value as Value;
      await view.evaluate("new Promise((resolve) => setTimeout(resolve, 25))");
    }
    throw new Error(`The page never came to ${expression}`);
  };
  const faults = async (): Promise<readonly string[]> => {
    const found = (await view.evaluate(
      "axe.run(document).then(({ violations }) => violations)",
    )) as Violations;
    const grave = found.filter(({ impact }) => impact === "serious" || impact === "critical");
    return grave.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  };
  return { view, until, faults, complaints, [Symbol.asyncDispose]: async () => view.close() };
}

type Violations = readonly {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}[];
