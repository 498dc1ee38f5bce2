/** Exit codes of the gate's checks. `tryAgain` is EX_TEMPFAIL of sysexits.h. */
export const exitCodes = { passed: 0, failed: 1, tryAgain: 75 } as const;
