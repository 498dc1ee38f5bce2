/** What every store of joins must do, wherever it keeps them. */
import { describe, expect, test } from "bun:test";
import type { Join, JoinStore } from "../../src/domain/ports/join-store.ts";
import type { Clock } from "../../src/kernel/clock.ts";
import { newUuid, type SessionId } from "../../src/kernel/ids.ts";
import { limits } from "../../src/kernel/limits.ts";

const joinOf = (rest: Partial<Join> = {}): Join => ({
  player: newUuid(),
  name: "Ångström_ß",
  serverId: "-1a2b3c",
  address: "2001:db8::1",
  session: newUuid() as string as SessionId,
  ...rest,
});

/** `open` makes a store that is empty, as two nodes see it. */
export function joinsSuite(name: string, open: (clock: Clock) => readonly [JoinStore, JoinStore]): void {
  const openTurned = () => {
    let now = 4_000_000_000;
    const clock = { nowSeconds: () => now, steadySeconds: () => now };
    return { nodes: open(clock), turn: (seconds: number) => void (now += seconds) };
  };
  describe(`${name}: joins`, () => {
    test("are found as they were kept, by the other node at once", async () => {
      const { nodes } = openTurned();
      const join = joinOf();
      await nodes[0].keep(join);
      expect(await nodes[1].find(join.player)).toEqual(join);
      expect(await nodes[0].find(join.player)).toEqual(join);
      expect(await nodes[0].find(newUuid())).toBeNull();
    });

    test.each(["", "\0", "\ud800", "'\"\\", "连接"])(
      "are found by what the server is called: %j",
      async (serverId) => {
        const { nodes } = openTurned();
        const join = joinOf({ serverId });
        await nodes[0].keep(join);
        expect(await nodes[1].find(join.player)).toEqual(join);
      },
    );

    test("take the place of an earlier one of the player", async () => {
      const { nodes } = openTurned();
      const join = joinOf();
      await nodes[0].keep(join);
      const later = joinOf({ player: join.player, serverId: "other", address: "" });
      await nodes[1].keep(later);
      expect(await nodes[0].find(join.player)).toEqual(later);
    });

    test("end after half a minute, counted from the last", async () => {
      const { nodes, turn } = openTurned();
      const join = joinOf();
      await nodes[0].keep(join);
      turn(limits.joinSeconds - 1);
      expect(await nodes[1].find(join.player)).toEqual(join);
      await nodes[1].keep(join);
      turn(limits.joinSeconds - 1);
      expect(await nodes[0].find(join.player)).toEqual(join);
      turn(1);
      expect(await nodes[0].find(join.player)).toBeNull();
    });
  });
}
