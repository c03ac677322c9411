// Between bytes and messages.

import { PbfReader, PbfWriter } from 'pbf';
import {
  readServerMessage,
  writeClientMessage,
  type ClientMessage,
  type ServerMessage,
} from '../proto/live.js';

/** What the page sends: one of the kinds of ClientMessage, with its fields. */
export type Outgoing = Parameters<typeof writeClientMessage>[0];

/** The message in these bytes, or undefined where they are none: a broken message is skipped. */
export function decode(bytes: ArrayBuffer): ServerMessage | undefined {
  try {
    const message = readServerMessage(new PbfReader(new Uint8Array(bytes)));
    return message.kind === undefined ? undefined : message;
  } catch {
    return undefined;
  }
}

export function encode(message: Outgoing): Uint8Array<ArrayBuffer> {
  const writer = new PbfWriter();
  writeClientMessage(message, writer);
  // The writer's buffer is its own and never shared.
  return writer.finish() as Uint8Array<ArrayBuffer>;
}

export type { ClientMessage, ServerMessage };
