import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../client/index.ts';
import { kindOfObject } from '../kinds/all.ts';
import type { Row } from '../kinds/kind.ts';
import type { Begun } from '../objects/acts.tsx';
import { readObject } from '../objects/read.ts';

/** The version of a subscription that an act changes, and the time for which its bills are foreseen. */
export interface Seen {
  row: Row;
  etag: string | null;
  /** UNIX time in seconds; null: it could not be read. */
  asOf: number | null;
}

export interface Seeing {
  /** As it was when the act was begun. */
  first: Seen;
  /** As it stands. */
  now: Seen;
  /** Reads it again, after somebody else changed it. */
  again(): Promise<unknown>;
  /** Whether its time was read longer ago than that; false: it has none. */
  isOlderThan(milliseconds: number): boolean;
}

/** The API takes the time of a preview for an hour. A dialog that stays open reads it anew long before. */
export const SEEN_LASTS = 30 * 60_000;

/** Between two readings because of a refused time: a time that is refused for something else is not asked for without end. */
const READ_ANEW_AFTER = 60_000;

/** Reads a subscription for an act that was begun; null: it is being read. */
export function useSeen(begun: Begun): Seeing | null {
  const { session } = useRouteContext({ from: '__root__' });
  const [first, setFirst] = useState<Seen | null>(null);
  const { id } = begun;
  const read = useQuery({
    queryKey: ['subscription seen', id],
    queryFn: async (): Promise<Seen> => {
      const kind = kindOfObject('subscription');
      if (!kind) throw new Error('subscriptions have no kind');
      // The object first: a change in between is then refused as one that nobody has seen.
      const own = await readObject(session, { kind, id });
      const { as_of: asOf } = await session.api.get('/subscriptions/{id}/upcoming_invoices', { id: Number(id) });
      return { ...own, asOf };
    },
    staleTime: SEEN_LASTS,
    refetchInterval: SEEN_LASTS,
    refetchOnMount: 'always',
    gcTime: 0,
  });
  const unread = read.isError ? { row: begun.row, etag: begun.etag, asOf: null } : null;
  const now = read.data ?? unread;
  if (now === null) return null;
  if (first === null) setFirst(now);
  const isOlderThan = (milliseconds: number) => now.asOf !== null && Date.now() - read.dataUpdatedAt > milliseconds;
  return { first: first ?? now, now, again: read.refetch, isOlderThan };
}

/** Whether an act was refused because the time of its preview is too old by now. */
export const isOutdated = (error: unknown, { isOlderThan }: Pick<Seeing, 'isOlderThan'>): boolean =>
  error instanceof ApiError && error.param === 'proration_date' && isOlderThan(READ_ANEW_AFTER);

/** Whether an act was refused because somebody else changed the object meanwhile. */
export const isStale = (error: unknown): boolean => error instanceof ApiError && error.code === 'stale';

/** Whether the API refuses a request for what it asks. Other errors say nothing about what would follow. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
