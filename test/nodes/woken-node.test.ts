import { expect, test } from "bun:test";
import { password } from "../faults/people.ts";
import { makeMember } from "../faults/written-once.ts";
import { lentDatabase } from "../support/lent-postgres.ts";
import { postgresMissing } from "../support/postgres.ts";
import { openNodes, until } from "./node-processes.ts";

if (postgresMissing !== null) console.error(`NOT RUN: a node that slept (${postgresMissing})`);

test.skipIf(postgresMissing !== null)(
  "a node that was stopped for longer than a second remembers nothing from before when it goes on",
  async () => {
    await using database = await lentDatabase();
    await using nodes = await openNodes(database.url);
    const settings = { RENAME_HOURS: "0" };
    const [one, other] = [await nodes.start("one", settings), await nodes.start("other", settings)];
    const { name: first, token } = await makeMember(nodes, other, "Member0");
    let name = first;
    const statusOf = async (asked: string) => (await one.ask(`GET /csl/${asked}.json`)).status;
    for (let round = 1; round <= 3; round++) {
      await until(async () => (await statusOf(name)) === 200);
      // What is remembered now is asked for in the moment of waking.
      await statusOf(name);
      one.signal("SIGSTOP");
      const next = `Member${round}`;
      const renamed = await other.ask("PATCH /api/home/edit/username", {
        json: { username: next, password },
        token,
      });
      expect(renamed).toMatchObject({ status: 200 });
      const asked = statusOf(name);
      await Bun.sleep(1300);
      one.signal("SIGCONT");
      expect([round, await asked]).toEqual([round, 404]);
      name = next;
    }
  },
  60_000,
);
