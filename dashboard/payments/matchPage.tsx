import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { ApiError, type Client } from '../../client/index.ts';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { type Row, textOf } from '../kinds/kind.ts';
import { ErrorNote, Problem } from '../shell/problem.tsx';
import { useSingle } from '../shell/single.ts';
import { useTitle } from '../shell/title.ts';
import { useWords } from '../words.ts';
import { Received, useSeen } from './received.tsx';
import { accept, type Became, Choices, type Match, readWaiting, Told, takeBack } from './suggestions.tsx';
import { useCounted, useReceivingWords } from './words.ts';
import '../styles/payments.css';

/** How many payments are shown at a time. */
const MOST_SHOWN = 50;

const KEY = ['unapplied payments'];

/** How long a payment has the focus before a key acts on it, if an act brought the focus there. */
const SETTLED_MILLISECONDS = 400;

/** Payments of which money is not applied, the oldest first. */
async function readUnapplied(api: Client, page: number): Promise<{ rows: Row[]; total: number }> {
  const filters = { 'filter[balance][gt]': '0', 'filter[voided]': 'false' };
  const query = Object.assign({ page, per_page: MOST_SHOWN, sort: 'date asc', expand: 'customer' }, filters);
  const { data, total } = await api.full('get', '/payments', query);
  return { rows: data.map((one): Row => ({ ...one })), total: total ?? data.length };
}

/** Money that is not applied yet, payment by payment, with the invoices that each may be meant for. It can be worked off by keyboard. */
export function MatchPage() {
  const words = useReceivingWords();
  const counted = useCounted();
  const { loading, backToList, place: places } = useWords();
  const { session } = useRouteContext({ from: '__root__' });
  const read = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => readUnapplied(session.api.with({ signal }), 1),
    // What was worked off stays in its place.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  useTitle(words.match);
  const list = useRef<HTMLOListElement>(null);
  const [further, setFurther] = useState<readonly Row[]>([]);
  const [done, setDone] = useState(0);
  const { tell, last } = useLast();
  const single = useSingle();
  /** When an act moved the focus by itself. Keys that were pressed for the payment before are not for this one. */
  const moved = useRef({ at: 0, place: 0 });
  const isThere = read.isSuccess;
  // The keys are for whoever comes here, and not only after a click.
  useEffect(() => {
    if (isThere) focusOn(list.current, 0);
  }, [isThere]);
  const rows = [...(read.data?.rows ?? []), ...further];
  const more = useMutation({
    mutationFn: async () => {
      // Those that are done are in the list of the API no more: it goes on after those that still wait.
      const page = Math.floor((rows.length - done) / MOST_SHOWN) + 1;
      const found = await readUnapplied(session.api, page);
      const known = new Set(rows.map(({ id }) => id));
      return found.rows.filter(({ id }) => !known.has(id));
    },
    onSuccess: (fresh) => {
      setFurther([...further, ...fresh]);
    },
  });
  if (read.isError) return <Problem error={read.error} again={() => read.refetch()} />;
  const count = (read.data?.total ?? 0) - done;
  const became = (by: number) => setDone((before) => before + by);
  return (
    <>
      <Link className="back" to="/$list" params={{ list: 'payments' }} search={{}}>
        {fill(backToList, { place: places.payments })}
      </Link>
      <div className="title">
        <h1>{words.match}</h1>
        {read.data && count > 0 && <p className="count">{counted(words.waiting, count)}</p>}
      </div>
      <p>{words.matchWhat}</p>
      {read.isPending && <p role="status">{loading}</p>}
      {read.data?.rows.length === 0 && (
        <div className="nothing">
          <h2>{words.nothingWaits}</h2>
          <p>{words.nothingWaitsWhat}</p>
        </div>
      )}
      {read.data && read.data.rows.length > 0 && (
        <>
          <p className="keys">{words.matchKeys}</p>
          <ol className="waiting" ref={list}>
            {rows.map((row, place) => (
              <One
                key={textOf(row, 'id')}
                row={row}
                isFirst={place === 0}
                count={became}
                tell={tell}
                last={last}
                single={single}
                go={(by) => {
                  moved.current = { at: 0, place: 0 };
                  focusOn(list.current, place + by);
                }}
                goOn={() => {
                  moved.current = { at: performance.now(), place: place + 1 };
                  focusOn(list.current, place + 1);
                }}
                isJustMoved={() =>
                  moved.current.place === place && performance.now() - moved.current.at < SETTLED_MILLISECONDS
                }
              />
            ))}
          </ol>
          {more.isError && <ErrorNote error={more.error} />}
          {read.data.total > rows.length && (
            <Button className="secondary" isPending={more.isPending} onPress={() => single(() => more.mutateAsync())}>
              {words.showMore}
            </Button>
          )}
        </>
      )}
    </>
  );
}

function focusOn(list: HTMLOListElement | null, place: number): void {
  const one = list?.children.item(place);
  if (one instanceof HTMLElement) one.focus();
}

/** The payment that was applied last, for the key that takes it back. */
function useLast() {
  const undoing = useRef<(() => void) | null>(null);
  const tell = useCallback((undo: (() => void) | null) => {
    undoing.current = undo;
  }, []);
  return { tell, last: () => undoing.current?.() };
}

interface OneShown {
  row: Row;
  isFirst: boolean;
  /** Counts what was worked off. */
  count(by: number): void;
  /** Tells how the latest act is taken back. */
  tell(undo: (() => void) | null): void;
  last(): void;
  single: ReturnType<typeof useSingle>;
  go(by: number): void;
  /** Goes to the next one, because this one is done. */
  goOn(): void;
  isJustMoved(): boolean;
}

function One({ row, isFirst, count, tell, last, single, go, goOn, isJustMoved }: OneShown) {
  const words = useReceivingWords();
  const formats = useFormats();
  const { session } = useRouteContext({ from: '__root__' });
  const queries = useQueryClient();
  const id = Number(row.id);
  const { place, isSeen } = useSeen();
  const read = useQuery({
    queryKey: ['waiting payment', id],
    queryFn: () => readWaiting(session.api, id),
    enabled: isSeen,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const undo = useMutation({
    mutationFn: (became: Extract<Became, { what: 'applied' }>) => takeBack(session.api, became, formats),
    onSuccess: async () => {
      await read.refetch();
      tell(null);
      if (act.data?.what === 'applied' && act.data.isWhole) count(-1);
      act.reset();
      place.current?.focus();
    },
  });
  /** The key of the act, as long as its answer is not known. */
  const key = useRef(crypto.randomUUID());
  const act = useMutation({
    mutationFn: async (match: Match | null): Promise<Became> => {
      if (match)
        return accept(
          session.api.with({ idempotencyKey: key.current }),
          read.data ?? { row, etag: null, matches: [] },
          match,
        );
      await session.api.delete('/payments/{id}/matches', { id });
      return { what: 'refused' };
    },
    onSuccess: (became) => {
      key.current = crypto.randomUUID();
      if (became.what === 'applied') {
        if (became.isWhole) count(1);
        tell(() => back(became));
      }
      void queries.invalidateQueries({ queryKey: ['list'] });
      goOn();
    },
    onError: async (error) => {
      if (!(error instanceof ApiError && error.code === 'stale')) return;
      // Somebody else was faster: what is shown is old.
      key.current = crypto.randomUUID();
      const { data } = await read.refetch();
      if (data?.row.balance === 0) count(1);
    },
  });
  const choose = (match: Match | null) => {
    if (!act.data) single(() => act.mutateAsync(match));
  };
  const back = (became: Extract<Became, { what: 'applied' }>) => single(() => undo.mutateAsync(became));
  const matches = read.data?.matches ?? null;
  const error = act.error ?? undo.error ?? read.error;
  const isTaken = !act.data && read.data?.row.balance === 0;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const does = keyed(event.key, { matches, choose, go, last });
    const isMove = event.key.startsWith('Arrow');
    if (does && !isMove && (event.repeat || (event.key !== 'z' && isJustMoved()))) return event.preventDefault();
    if (does) {
      event.preventDefault();
      does();
    }
  };
  return (
    <li ref={place} tabIndex={isFirst ? 0 : -1} className={act.data ? 'done' : ''} onKeyDown={onKeyDown}>
      <Received row={row} />
      <div>
        {error && !isTaken && <ErrorNote error={error} />}
        {act.data ? (
          <Told became={act.data} undo={back} />
        ) : isTaken ? (
          <p role="status">{words.meanwhile}</p>
        ) : (
          <Choices matches={matches} choose={choose} isBusy={act.isPending} />
        )}
      </div>
      {!act.data && (
        <Link className="button secondary" to="/$list/$id/edit" params={{ list: 'payments', id: String(id) }}>
          {words.byHand}
        </Link>
      )}
    </li>
  );
}

interface Keys {
  matches: readonly Match[] | null;
  choose(match: Match | null): void;
  go(by: number): void;
  last(): void;
}

/** What a key does to the payment that has the focus. */
function keyed(key: string, { matches, choose, go, last }: Keys): (() => void) | null {
  if (key === 'ArrowDown') return () => go(1);
  if (key === 'ArrowUp') return () => go(-1);
  if (key === 'z') return last;
  if (key === 'Delete' && matches?.length) return () => choose(null);
  const place = key === 'Enter' ? 1 : Number(key);
  const match = matches?.find(({ rank }) => rank === place);
  return match ? () => choose(match) : null;
}
