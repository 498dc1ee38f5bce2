/** Reports the progress of a long operation. `total` is null when it is unknown. */
export type Progress = (step: string, done: number, total: number | null) => void;
