/**
 * Lets the calls under one key in one by one. Every process that answers for the same community must see the
 * same ones.
 */
export interface CallGate {
  /**
   * Begins a call, and returns 0. While another one is at work, or ended within the interval, it begins none
   * and returns after how many seconds to ask again.
   */
  enter(key: string): Promise<number>;
  /**
   * Ends a call that began. `holds`: whether the interval begins now; otherwise the next call may begin at
   * once.
   */
  leave(key: string, options: { readonly holds: boolean }): Promise<void>;
}
