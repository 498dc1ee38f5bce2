/** Facts beside the message of a log line. An `Error` is written with its stack and causes. Never put a secret here. */
export type LogFields = Readonly<Record<string, unknown>>;
