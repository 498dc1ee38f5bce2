import { useEffect } from "preact/hooks";
import { inBackground } from "../../api/client.ts";
import { askSession } from "../../api/session.ts";

/**
 * Asks for the session whenever the tab is shown again. A phone freezes background tabs, which then miss
 * messages of other tabs.
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
