/*
 * Loaded into the server of `npm start`. npm hands a signal to its shell, and some shells (dash) end without handing it on: then
 * the server gets it here. It has no effect on Windows, where a process keeps its parent's number.
 */
const lookMs = 200;
const shell = process.ppid;

if (Bun.isMainThread) {
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, lookMs);
  timer.unref();
  // Where everybody gets the signal, a second one would cut requests off.
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => clearInterval(timer));
}
