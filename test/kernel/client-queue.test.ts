import { describe, expect, test } from "bun:test";
import { ClientQueue } from "../../src/kernel/client-queue.ts";

/** Items are named for their clients: `a1`. */
function queueOf(...items: readonly string[]): ClientQueue<string> {
  const queue = new ClientQueue<string>();
  for (const item of items) queue.add(item.slice(0, 1), item);
  return queue;
}

function takeAll(queue: ClientQueue<string>, mayGo: (item: string) => boolean = () => true) {
  const taken: string[] = [];
  for (let next = queue.next(mayGo); next !== null; next = queue.next(mayGo)) {
    const [client, item] = next;
    queue.take(client);
    taken.push(item);
  }
  return taken;
}

describe("a queue by client", () => {
  test.each([
    ["in the order in which they came", ["a1", "b1", "c1"], ["a1", "b1", "c1"]],
    ["whatever one has put in", ["a1", "a2", "a3", "b1", "c1", "c2"], ["a1", "b1", "c1", "a2", "c2", "a3"]],
    ["alone where there is one", ["a1", "a2", "a3"], ["a1", "a2", "a3"]],
  ])("gives clients their turns %s", (_, put, taken) => {
    const queue = queueOf(...put);
    expect(queue.size).toBe(put.length);
    expect(takeAll(queue)).toEqual(taken);
    expect(queue.size).toBe(0);
  });

  test("puts a client that comes later behind those that wait, and one that had its turn as well", () => {
    const queue = queueOf("a1", "a2", "b1");
    queue.take("a");
    queue.add("c", "c1");
    expect(takeAll(queue)).toEqual(["b1", "a2", "c1"]);
  });

  test("passes over clients whose next item may not go, and keeps their places", () => {
    const queue = queueOf("a1", "b1", "a2", "b2");
    expect(takeAll(queue, (item) => item !== "a1")).toEqual(["b1", "b2"]);
    expect(takeAll(queue)).toEqual(["a1", "a2"]);
  });

  test("puts what goes on before all else of its client", () => {
    const queue = queueOf("a1", "b1", "b2");
    queue.add("b", "b0", "first");
    expect(takeAll(queue)).toEqual(["a1", "b0", "b1", "b2"]);
  });

  test.each([
    ["the client with the most", ["a1", "b1", "b2", "c1"], "b2"],
    ["the last of several such clients", ["a1", "b1", "c1"], "c1"],
  ])("drops the newest of %s", (_, put, dropped) => {
    const queue = queueOf(...put);
    expect(queue.dropOfBusiest()).toBe(dropped);
    expect(takeAll(queue).toSorted()).toEqual(put.filter((item) => item !== dropped));
  });

  test("drops nothing where nothing waits", () => {
    expect(queueOf().dropOfBusiest()).toBeNull();
  });

  test("removes what fits, of all clients", () => {
    const queue = queueOf("a1", "b1", "a2", "b2", "c1");
    expect(queue.remove((item) => item.endsWith("1"))).toEqual(["a1", "b1", "c1"]);
    expect(queue.size).toBe(2);
    expect(takeAll(queue)).toEqual(["a2", "b2"]);
  });
});
