import { intakeCape, intakeSkin } from "../../domain/textures/intake.ts";
import type { ErrorCode } from "../../kernel/errors.ts";
import { drawPicture } from "./draw-picture.ts";

/** What a thread can be asked to do: functions that take and give only what can be sent between threads. */
export const tasks = { drawPicture, intakeSkin, intakeCape };

export type TaskName = keyof typeof tasks;
export type TaskInput<Name extends TaskName> = Parameters<(typeof tasks)[Name]>;
export type TaskResult<Name extends TaskName> = Awaited<ReturnType<(typeof tasks)[Name]>>;

/** One call, on its way to a thread. */
export type TaskCall<Name extends TaskName = TaskName> = {
  readonly name: Name;
  readonly input: TaskInput<Name>;
};

/** What the user did wrong, or what went wrong here. */
export type TaskFailure =
  { readonly refusal: { readonly code: ErrorCode; readonly message: string } } | { readonly fault: string };

/** What the thread answers. */
export type TaskReply = { readonly result: unknown } | TaskFailure;
