import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import type { Row } from '../kinds/kind.ts';
import { can } from '../session.ts';

/** Id of the test clock in whose time an object lives: its own, or that of its customer. Null: it lives in real time. */
function clockOf({ test_clock: own, customer }: Row): number | null {
  const owner: Row = typeof customer === 'object' && customer !== null ? { ...customer } : {};
  const clock = own ?? owner.test_clock;
  return typeof clock === 'number' ? clock : null;
}

/** The time of an object: on a test clock that of the clock. */
export interface Now {
  /** UNIX time in seconds. Null: the clock is being read, or the person may not read it. */
  at: number | null;
  isOfClock: boolean;
}

export function useNow(row: Row): Now {
  const { session, me } = useRouteContext({ from: '__root__' });
  const id = clockOf(row);
  const read = useQuery({
    queryKey: ['clock', id],
    queryFn: () => session.api.get('/test_clocks/{id}', { id: id ?? 0 }),
    enabled: id !== null && can(me, 'developers.read'),
  });
  if (id === null) return { at: Date.now() / 1000, isOfClock: false };
  return { at: read.data?.frozen_time ?? null, isOfClock: true };
}
