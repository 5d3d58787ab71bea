import type { Client } from '../../client/index.ts';
import { kindOfObject } from '../kinds/all.ts';
import { type Kind, type Row, textOf } from '../kinds/kind.ts';
import { can, type Me, type Session } from '../session.ts';

/** An object with the tag that a change of it needs. */
export interface Read {
  row: Row;
  etag: string | null;
}

export const objectKey = (kind: Kind, id: string) => ['object', kind.list, id];

/** Reads one object. */
export async function readObject(session: Session, { kind, id }: { kind: Kind; id: string }): Promise<Read> {
  const expand = kind.expand.length > 0 ? { expand: kind.expand.join(',') } : {};
  const { data, etag } = await kind.read(session.api, id, expand);
  return { row: { ...data }, etag };
}

/** A client that acts only on the version of the object that was read. */
export const asShown = (api: Client, { etag }: Pick<Read, 'etag'>): Client =>
  etag === null ? api : api.with({ ifMatch: etag });

/** An object whose kind has acts and panels of its own. */
export interface Own extends Read {
  id: string;
}

/** Whether the person may do something to an object to which anything can still be done. */
export const canTo = (me: Me, permission: string, row: Row): boolean =>
  can(me, permission) && !kindOfObject(textOf(row, 'object'))?.isOver?.(row);
