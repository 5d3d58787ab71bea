import { useRef } from 'react';
import type { Client, Full } from '../../client/index.ts';
import { FieldError, outcomeOf, type Writer } from '../forms/saving.ts';
import type { Row } from '../kinds/kind.ts';

interface Seen {
  /** The object as it was read for this write. */
  read: Pick<Full<object>, 'data' | 'etag'>;
  /** What the write sends. */
  change: object;
  /** The field at which it is refused. */
  field: string;
  /** What somebody else made of the object that the person has not seen, in words; null: nothing that matters. */
  taken(current: Row): string | null;
  write(api: Client): Promise<unknown>;
}

/** Changes an object as a person has seen it. Refuses what would replace the work of somebody else; other changes do not matter. */
export async function writeAsSeen(writer: Writer, { read, change, field, taken, write }: Seen): Promise<unknown> {
  const refuse = (current: Row) => {
    const said = taken(current);
    if (said !== null) throw new FieldError(field, said);
  };
  const writeTo = (tag: string | null) => write(writer([tag, change]).with(tag === null ? {} : { ifMatch: tag }));
  refuse({ ...read.data });
  const outcome = await outcomeOf(() => writeTo(read.etag));
  if (outcome.kind === 'saved') return outcome.answer;
  if (outcome.kind !== 'stale') throw outcome.error;
  refuse(outcome.current);
  return writeTo(outcome.etag);
}

/** Reads each chosen object once: the repetition of a save whose answer was lost must be the same request. */
export function useReadOnce<Read>(read: (id: number) => Promise<Read>): (id: number) => Promise<Read> {
  const reads = useRef(new Map<number, Promise<Read>>());
  return (id) => {
    const reading = reads.current.get(id) ?? read(id);
    reads.current.set(id, reading);
    reading.catch(() => reads.current.delete(id));
    return reading;
  };
}
