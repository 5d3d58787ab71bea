import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { type Row, textOf } from '../kinds/kind.ts';
import { currencyOf, Money } from '../lists/value.tsx';
import { ErrorNote, Problem } from '../shell/problem.tsx';
import { useSingle } from '../shell/single.ts';
import { useTitle } from '../shell/title.ts';
import { useWords } from '../words.ts';
import { accept, type Became, Choices, type Match, readWaiting, Told, takeBack } from './suggestions.tsx';
import { useCounted, useReceivingWords } from './words.ts';
import '../styles/payments.css';

/** How many payments are shown at a time. */
const MOST_SHOWN = 50;

const KEY = ['unapplied payments'];

/** Money that is not applied yet, payment by payment, with the invoices that each may be meant for. It can be worked off by keyboard. */
export function MatchPage() {
  const words = useReceivingWords();
  const counted = useCounted();
  const { loading, backToList, place: places } = useWords();
  const { session } = useRouteContext({ from: '__root__' });
  const [hasMore, setMore] = useState(false);
  const read = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const filters = { 'filter[balance][gt]': '0', 'filter[voided]': 'false' };
      const query = Object.assign({ per_page: MOST_SHOWN, sort: 'date asc', expand: 'customer' }, filters);
      const { data, total } = await session.api.with({ signal }).full('get', '/payments', query);
      return { rows: data.map((one): Row => ({ ...one })), total: total ?? data.length };
    },
    // What was worked off stays in its place until more is asked for.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  useTitle(words.match);
  const list = useRef<HTMLOListElement>(null);
  const [done, setDone] = useState(0);
  const { tell, last } = useLast();
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
          <ol className="waiting" ref={list} key={String(hasMore)}>
            {read.data.rows.map((row, place) => (
              <One
                key={textOf(row, 'id')}
                row={row}
                isFirst={place === 0}
                count={became}
                tell={tell}
                last={last}
                go={(by) => focusOn(list.current, place + by)}
              />
            ))}
          </ol>
          {read.data.total > read.data.rows.length && (
            <Button
              className="secondary"
              onPress={async () => {
                await read.refetch();
                setDone(0);
                setMore(!hasMore);
                focusOn(list.current, 0);
              }}
            >
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
  go(by: number): void;
}

function One({ row, isFirst, count, tell, last, go }: OneShown) {
  const words = useReceivingWords();
  const formats = useFormats();
  const { session } = useRouteContext({ from: '__root__' });
  const queries = useQueryClient();
  const id = Number(row.id);
  const { place, isSeen } = useSeen();
  const single = useSingle();
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
      count(-1);
      act.reset();
      place.current?.focus();
    },
  });
  const act = useMutation({
    mutationFn: async (match: Match | null): Promise<Became> => {
      if (read.data && match) return accept(session.api, read.data, match);
      await session.api.delete('/payments/{id}/matches', { id });
      return { what: 'refused' };
    },
    onSuccess: (became) => {
      if (became.what === 'applied') {
        count(1);
        tell(() => back(became));
      }
      void queries.invalidateQueries({ queryKey: ['list'] });
      go(1);
    },
    // Somebody else was faster: what is shown is old.
    onError: async () => {
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

/** Whether an element has come into sight. What is out of sight is not read. */
function useSeen() {
  const place = useRef<HTMLLIElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    }, MARGIN);
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return { place, isSeen };
}

/** What comes into sight next is read before. */
const MARGIN = { rootMargin: '600px 0px' };

/** Where the money comes from, and how much of it is left. */
function Received({ row }: { row: Row }) {
  const words = useReceivingWords();
  const { choices } = useWords();
  const formats = useFormats();
  const { date, balance, customer } = row;
  const methods: Readonly<Record<string, string>> = choices.method;
  const method = textOf(row, 'method');
  const sender = textOf(row, 'ach_sender_id');
  return (
    <div className="received">
      <strong>{typeof balance === 'number' && <Money amount={balance} currency={currencyOf(row)} />}</strong>
      <span>
        {typeof date === 'number' && formats.day(date)} · {methods[method] ?? method}
      </span>
      {typeof customer === 'object' && customer !== null && <b dir="auto">{textOf({ ...customer }, 'name')}</b>}
      {textOf(row, 'notes') !== '' && <span dir="auto">{textOf(row, 'notes')}</span>}
      <Link to="/$list/$id" params={{ list: 'payments', id: textOf(row, 'id') }} dir="auto">
        {textOf(row, 'reference') || textOf(row, 'receipt_number') || textOf(row, 'id')}
      </Link>
      {sender !== '' && <small dir="auto">{fill(words.from, { sender })}</small>}
    </div>
  );
}
