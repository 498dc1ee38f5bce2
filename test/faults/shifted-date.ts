/* Loaded before the program: its machine's clock is so many milliseconds ahead as SHIFTED_MS says. */
const shift = Number(process.env["SHIFTED_MS"]);
const RightDate = Date;

class ShiftedDate extends RightDate {
  constructor(...given: readonly unknown[]) {
    // A copy of all forms of the constructor, of which the one without values asks the clock.
    super(...((given.length === 0 ? [RightDate.now() + shift] : given) as [number]));
  }

  static override now(): number {
    return RightDate.now() + shift;
  }
}

Object.assign(globalThis, { Date: ShiftedDate });
