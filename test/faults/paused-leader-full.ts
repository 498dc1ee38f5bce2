/* SECONDS=<number> the leader stands still for so long (60) */
import { pausedLeaderSuite } from "./paused-leader.suite.ts";

pausedLeaderSuite(Number(process.env["SECONDS"] ?? 60));
