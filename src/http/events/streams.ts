import { httpRefusals } from "../refusals.ts";
import type { OnEvents } from "../../domain/ports/event-store.ts";
import type { Reads } from "../../domain/ports/stores.ts";
import type { Actor } from "../../domain/ports/unit-of-work.ts";
import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import type { Logger } from "../../kernel/log.ts";
import { createSignal } from "../../kernel/signal.ts";
import { comment, createEventPieces, opening, type EventPieces } from "./pieces.ts";

/** All open streams of events. */
export type EventStreams = {
  /**
   * Opens a stream for a service. It begins after the event with this id; null: with what happens from now
   * on. It ends when the service loses its right, and when its client takes nothing for long. Fails with
   * limited when too many are open.
   */
  readonly open: (actor: Actor, after: number | null) => Promise<ReadableStream<Uint8Array>>;
  readonly count: () => number;
  /** Ends all streams at once, and opens no more. */
  readonly close: () => void;
};

/** How often streams do what they do. All in milliseconds. */
export type EventPace = {
  /** Between two comments of a stream without events. */
  readonly commentMs: number;
  /** Streams look for events of other processes, and whether their service may still have them. */
  readonly lookMs: number;
  /** Events of so long go out together. */
  readonly gatherMs: number;
  /** A stream whose client takes nothing for so long ends. */
  readonly stallMs: number;
};

const ownPace: EventPace = { commentMs: 15_000, lookMs: 500, gatherMs: 20, stallMs: 30_000 };

type Deps = {
  readonly reads: Pick<Reads, "events" | "sessions" | "serviceTokens">;
  readonly clock: Clock;
  readonly publicUrl: () => string;
  readonly log: Logger;
  readonly onEvents: OnEvents;
  readonly eventPace?: Partial<EventPace>;
};

/** A stream as the others see it. */
type Stream = {
  isOver: boolean;
  /** When it gave its client a piece that is not taken yet; null: it waits for events. */
  givenAt: number | null;
  end: () => void;
};

export function createEventStreams(deps: Deps): EventStreams {
  const pace = { ...ownPace, ...deps.eventPace };
  const { events } = deps.reads;
  const pieces = createEventPieces(events, deps.publicUrl);
  const streams = new Set<Stream>();
  const watch = createWatch(pace, deps.onEvents, () => {
    pieces.forget();
    const stalled = performance.now() - pace.stallMs;
    for (const { givenAt, end } of streams) if (givenAt !== null && givenAt < stalled) end();
  });
  let isClosed = false;
  const leave = (stream: Stream): void => {
    stream.isOver = true;
    streams.delete(stream);
    if (streams.size === 0) watch.stop();
  };
  return {
    open: async (actor, after) => {
      if (isClosed || streams.size >= limits.eventStreamsMax) throw tooManyStreams();
      const stream: Stream = { isOver: false, givenAt: null, end: () => leave(stream) };
      streams.add(stream);
      watch.start();
      const followed = {
        from: after ?? (await events.newestEventId()),
        mayGoOn: () => mayGoOn(deps, actor),
        isOver: () => stream.isOver,
      };
      return bodyOf(stream, follow(followed, { pace, pieces, watch }), {
        leave: () => leave(stream),
        log: deps.log,
      });
    },
    count: () => streams.size,
    close: () => {
      isClosed = true;
      for (const { end } of streams) end();
    },
  };
}

export function tooManyStreams(): AppError {
  return httpRefusals.tooManyStreams(limits.eventStreamsMax);
}

/** Whether a service still has its right. */
function mayGoOn({ reads, clock }: Deps, actor: Actor): Promise<boolean> {
  const { sessions, serviceTokens } = reads;
  return actor.check({ sessions, serviceTokens, now: clock.nowSeconds() }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError) return false;
      throw error;
    },
  );
}

type Followed = {
  readonly from: number;
  readonly mayGoOn: () => Promise<boolean>;
  readonly isOver: () => boolean;
};
type Shared = {
  readonly pace: EventPace;
  readonly pieces: EventPieces;
  readonly watch: Pick<ReturnType<typeof createWatch>, "next">;
};

/** What a stream sends, piece by piece, each when its client has taken the one before. */
async function* follow(followed: Followed, { pace, pieces, watch }: Shared): AsyncGenerator<Uint8Array> {
  let after = followed.from;
  let sentAt = performance.now();
  let checkedAt = sentAt;
  yield opening(after);
  while (!followed.isOver()) {
    // Before the look, so that no event between the two is missed.
    const next = watch.next();
    const now = performance.now();
    if (now - checkedAt >= pace.lookMs) {
      if (!(await followed.mayGoOn())) return;
      checkedAt = now;
    }
    const piece = await pieces.after(after);
    if (piece === null && now - sentAt < pace.commentMs) {
      await next;
      continue;
    }
    sentAt = now;
    after = piece?.last ?? after;
    yield piece?.text ?? comment;
  }
}

/**
 * Wakes all streams when there may be events: soon after this process's, and now and then for those of
 * others.
 */
function createWatch({ gatherMs, lookMs }: EventPace, onEvents: OnEvents, beforeWaking: () => void) {
  const signal = createSignal();
  let gathering: Timer | null = null;
  let stopWatching: (() => void) | null = null;
  const wake = (): void => {
    gathering = null;
    beforeWaking();
    signal.send();
  };

  return {
    /** Resolves when the streams are woken next. */
    next: signal.next,
    start: (): void => {
      if (stopWatching !== null) return;
      const looking = setInterval(wake, lookMs);
      const listening = onEvents(() => (gathering ??= setTimeout(wake, gatherMs)));
      stopWatching = () => {
        clearInterval(looking);
        listening[Symbol.dispose]();
        // The last ones that wait find that they are over.
        wake();
      };
    },
    stop: (): void => {
      stopWatching?.();
      stopWatching = null;
    },
  };
}

type Ending = { readonly leave: () => void; readonly log: Logger };

/**
 * The body of an answer that takes from the source when its client has taken what it got, and holds nothing
 * beside that.
 */
function bodyOf(stream: Stream, source: AsyncGenerator<Uint8Array>, { leave, log }: Ending) {
  const next = () =>
    source.next().catch((error: unknown): IteratorReturnResult<undefined> => {
      log.error("a stream of events was ended by a fault", { error });
      return { done: true, value: undefined };
    });
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        stream.end = () => {
          if (stream.isOver) return;
          leave();
          controller.close();
        };
      },
      pull: async (controller) => {
        stream.givenAt = null;
        const { done, value } = await next();
        if (stream.isOver) return;
        if (done) return stream.end();
        stream.givenAt = performance.now();
        controller.enqueue(value);
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}
