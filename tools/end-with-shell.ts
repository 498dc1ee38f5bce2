/*
 * Preloaded by `npm start`. npm passes signals to its shell, and some shells (dash) end without passing them
 * on; this module then sends the signal to the server. It has no effect on Windows, where a process keeps its
 * parent's number.
 */
const checkMs = 200;
const shell = process.ppid;

if (Bun.isMainThread) {
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, checkMs);
  timer.unref();
  // Where every process gets the signal, a second one would interrupt requests.
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => clearInterval(timer));
}
