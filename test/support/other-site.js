/**
 * Runs in the page of another site (`test/browser/other-sites.browser.ts`), whose functions a test calls. Whatever a browser keeps
 * from the page is no finding: that is its answer.
 */

/** Sends requests in every way that a script has, and gives what it could read of their answers. */
globalThis.attack = async ({ address, changes, reads }) => {
  const got = [];
  const ask = async (path, init) => {
    try {
      const answer = await fetch(address + path, { credentials: "include", ...init });
      if (answer.ok) got.push(`${init.mode} ${path}: ${await answer.text()}`);
    } catch {
      // The browser sent nothing, or keeps the answer to itself.
    }
  };
  for (const mode of ["no-cors", "cors"]) {
    for (const [method, path, json] of changes) {
      const body = json === null ? null : JSON.stringify(json);
      for (const own of [{}, { "x-cloakroom-console": "1", "content-type": "application/json" }]) {
        const headers = { "content-type": "text/plain", "x-http-method-override": method, ...own };
        for (const sent of new Set([method, "POST"])) await ask(path, { method: sent, mode, headers, body });
      }
      navigator.sendBeacon(address + path, body ?? "");
    }
    for (const path of reads) await ask(path, { mode });
  }
  const outcomes = reads.flatMap((path) =>
    ["img", "script"].map((name) => {
      const element = document.createElement(name);
      element.src = address + path;
      document.body.append(element);
      return outcomeOf(element, "load");
    }),
  );
  outcomes.push(outcomeOf(new WebSocket(`${address.replace("http", "ws")}/console/session`), "open"));
  const events = new EventSource(`${address}/api/service/events`, { withCredentials: true });
  outcomes.push(outcomeOf(events, "open"));
  const opened = (await Promise.all(outcomes)).filter(Boolean);
  return [...got, ...opened];
};

function outcomeOf(target, success) {
  return new Promise((resolve) => {
    target.addEventListener(success, () => resolve(`${target.constructor.name} ${target.src ?? target.url}`));
    target.addEventListener("error", () => resolve(null));
  });
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends forms from frames in the page, with the page's origin and without any. */
globalThis.sendForms = async (actions) => {
  const field = `{"username":"Eve","password":"a password of Eve","a":"`;
  for (const action of actions) {
    for (const isSandboxed of [false, true]) {
      const frame = document.createElement("iframe");
      if (isSandboxed) frame.sandbox.add("allow-scripts", "allow-forms");
      frame.srcdoc = `<form method="post" enctype="text/plain" action="${action}"><textarea name='${field}'>"}</textarea></form><script>document.forms[0].submit()</script>`;
      document.body.append(frame);
    }
  }
  await pause(1000);
};

/** Shows an address in a frame and in a window, and gives whether it still holds the window. */
globalThis.hold = async (url) => {
  const frame = document.createElement("iframe");
  frame.src = url;
  document.body.append(frame);
  const other = open(url);
  await pause(1000);
  return other?.closed === false;
};

/** Sends each of the posts so often, in every way for which a browser asks nothing beforehand. */
globalThis.flood = async ({ address, posts, times }) => {
  for (const [path, json] of posts) {
    const body = JSON.stringify(json);
    for (let time = 0; time < times; time++) {
      const headers = { "content-type": time % 2 === 0 ? "text/plain" : "application/x-www-form-urlencoded" };
      await fetch(address + path, { method: "POST", mode: "no-cors", credentials: "include", headers, body });
    }
    navigator.sendBeacon(address + path, body);
    // Without a type.
    await fetch(address + path, { method: "POST", mode: "no-cors", body: new Uint8Array([123, 125]) });
  }
};
