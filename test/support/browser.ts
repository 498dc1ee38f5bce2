/** A page in a real browser. */
export type Page = AsyncDisposable & {
  readonly view: Bun.WebView;
  /** Waits until an expression within the page holds. */
  readonly until: (expression: string) => Promise<void>;
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

const axe = Bun.file(new URL(import.meta.resolve("axe-core/axe.min.js")));

/** Opens an address in a window of this width. The browser is Bun's one, with a profile of its own. */
export async function openPage(address: string, width = 1280): Promise<Page> {
  const view = new Bun.WebView({ width, height: 900, backend: { type: "chrome", argv: flags } });
  const complaints: string[] = [];
  for (const event of ["Runtime.exceptionThrown", "Log.entryAdded"]) {
    view.addEventListener(event, (thrown) => complaints.push(JSON.stringify((thrown as MessageEvent).data)));
  }
  // Its tools can be used from the first page on.
  await view.navigate("about:blank");
  await view.cdp("Runtime.enable");
  await view.cdp("Log.enable");
  await view.navigate(address);
  // The page's policy binds its own scripts, and not what comes through the browser's tools.
  await view.evaluate(`(() => {${await axe.text()}\n})()`);

  return {
    view,
    until: async (expression) => {
      const holds = `new Promise((resolve) => {
        const look = () => ${expression} ? resolve(true) : setTimeout(look, 20);
        setTimeout(() => resolve(false), 20_000);
        look();
      })`;
      if (!(await view.evaluate(holds))) throw new Error(`The page never came to ${expression}`);
    },
    faults: async () => {
      const found = await view.evaluate<Violations>(
        'axe.run({ resultTypes: ["violations"] }).then((all) => all.violations)',
      );
      const grave = found.filter(({ impact }) => impact === "serious" || impact === "critical");
      return grave.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
    },
    complaints,
    [Symbol.asyncDispose]: async () => view.close(),
  };
}

type Violations = readonly {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}[];
