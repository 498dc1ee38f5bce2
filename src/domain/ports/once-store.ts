/** Things that work once. Every process that answers for the same community must see the same ones. */
export interface OnceStore {
  /**
   * Uses a thing up that is good until `endsAt` (Unix seconds). False when it was used before; of several
   * uses at once one is true.
   */
  use(key: string, endsAt: number): Promise<boolean>;
}
