import { eventJson } from "../../domain/events/event-json.ts";
import { readOn } from "../../domain/events/read-on.ts";
import type { EventReads } from "../../domain/ports/event-store.ts";
import { BoundedMap } from "../../kernel/bounded-map.ts";

/**
 * Some events in the form of server-sent events (HTML standard, 9.2), and the id after which the next ones
 * begin.
 */
export type Piece = { readonly text: Uint8Array; readonly last: number };

/** Events of one piece of a stream: some 30 kB. */
const pieceEvents = 100;
/** Streams mostly read the same, so what the last ones got serves the next. */
const piecesKept = 16;

export type EventPieces = {
  /** What follows the event with this id; null: nothing yet. */
  readonly after: (id: number) => Promise<Piece | null>;
  /** There may be more events than when a piece was read. */
  readonly forget: () => void;
};

/** Reads pieces, each once for all streams that ask for it. */
export function createEventPieces(reads: EventReads, publicUrl: () => string): EventPieces {
  const pieces = new BoundedMap<number, Promise<Piece | null>>(piecesKept);
  return {
    after: (id) => {
      const known = pieces.get(id);
      if (known !== undefined) return known;
      const read = readPiece(reads, id, publicUrl());
      pieces.set(id, read);
      return read;
    },
    forget: () => pieces.clear(),
  };
}

async function readPiece(reads: EventReads, id: number, publicUrl: string): Promise<Piece | null> {
  const { after, events } = await readOn(reads, id, pieceEvents);
  const reset = after === id ? [] : [block(after, "reset", JSON.stringify({ id: after, type: "reset" }))];
  const blocks = [
    ...reset,
    ...events.map((event) => block(event.id, event.type, eventJson(event, publicUrl))),
  ];
  if (blocks.length === 0) return null;
  return { text: encode(blocks.join("")), last: events.at(-1)?.id ?? after };
}

function block(id: number, type: string, json: string): string {
  return `id: ${id}\nevent: ${type}\ndata: ${json}\n\n`;
}

/**
 * What a stream begins with. Clients that come back before the first event know where they were: the id
 * stands in a block without data, which is no event.
 */
export function opening(after: number): Uint8Array {
  return encode(`: what follows this id\nretry: 2000\nid: ${after}\n\n`);
}

/** A block that clients pass over. */
export const comment: Uint8Array = encode(":\n\n");

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
