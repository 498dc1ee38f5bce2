/** How a check of the gate ends. `tryAgain` is the number that sysexits.h has for a failure that may pass by itself. */
export const exitCodes = { passed: 0, failed: 1, tryAgain: 75 } as const;
