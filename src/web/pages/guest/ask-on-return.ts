import { useEffect } from "preact/hooks";
import { inBackground } from "../../api/client.ts";
import { askSession } from "../../api/session.ts";

/**
 * Asks whose session this is whenever the tab is shown again. A telephone freezes a tab in the background, which then misses what
 * another tab says.
 */
export function useAskOnReturn(): void {
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === "visible") void askSession(inBackground);
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
}
