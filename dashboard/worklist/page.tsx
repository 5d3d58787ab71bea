import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { tinykeys } from 'tinykeys';
import { fill, fillCount } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { ErrorNote, Problem } from '../shell/problem.tsx';
import { useTitle } from '../shell/title.ts';
import { useWords } from '../words.ts';
import { Filters } from './filters.tsx';
import { OpenItem } from './item.tsx';
import {
  type ActName,
  actsOn,
  type Item,
  itemsOf,
  keyOf,
  movedFrom,
  nameOf,
  nextOf,
  type Shown,
  shownIn,
} from './items.ts';
import { ItemList } from './list.tsx';
import { useWorkWords } from './words.ts';
import './worklist.css';

const MOST = 100;
const MINUTE = 60_000;

/** What waits for a person, most money first: the list, and beside it the open item with what can be done. Each is done by keys. */
export function WorklistPage() {
  const words = useWorkWords();
  const { worklist, loading } = useWords();
  const { me, session } = useRouteContext({ from: '__root__' });
  const shown = shownIn(useSearch({ from: '/worklist' }), { kinds: words.kind, isMember: me.member !== null });
  const { who, kind } = shown;
  const read = useQuery({
    queryKey: ['worklist', who, kind],
    queryFn: ({ signal }) =>
      session.api.with({ signal }).full('get', '/worklist', {
        filter: { assignee: who, ...(kind === null ? {} : { kind }) },
        per_page: MOST,
      }),
    select: ({ data, total }) => ({ items: itemsOf(data), total: total ?? data.length }),
    refetchInterval: MINUTE,
    refetchOnWindowFocus: 'always',
  });
  useTitle(worklist);
  return (
    <>
      <div className="title">
        <h1>{worklist}</h1>
      </div>
      <Filters shown={shown} />
      {read.isPending && <p role="status">{loading}</p>}
      {read.isError && !read.data && <Problem error={read.error} again={() => read.refetch()} />}
      {read.data && read.isError && <ErrorNote error={read.error} />}
      {read.data && <Work key={`${who} ${kind}`} shown={shown} {...read.data} />}
      <p className="hint keys">{words.keys}</p>
    </>
  );
}

/** Where the focus goes when another item opens. */
type Target = 'row' | 'item' | null;

interface Given {
  shown: Shown;
  items: readonly Item[];
  total: number;
}

function Work({ shown, items, total }: Given) {
  const words = useWorkWords();
  const formats = useFormats();
  const place = useRef<HTMLDivElement>(null);
  const [begun, begin] = useState<ActName | null>(null);
  const [told, tell] = useState('');
  const { open, isNamed, go, leave } = useOpened({
    shown,
    items,
    isBusy: begun !== null,
    place,
    gone: (name) => tell(fill(words.told.gone, { name })),
  });
  const queries = useQueryClient();
  const finish = useCallback(
    (said: string, then: 'next' | 'stay' = 'next') => {
      if (!open) return;
      const next = then === 'stay' ? open : nextOf(items, open.id);
      const after = next === null ? words.told.last : fill(words.told.next, { name: nameOf(next) });
      tell(then === 'stay' ? said : `${said} ${after}`);
      begin(null);
      go(next, 'item');
      void queries.invalidateQueries();
    },
    [open, items, words, go, queries],
  );
  const move = (by: number) => {
    begin(null);
    go(movedFrom(items, open?.id ?? null, by), 'row');
  };
  const leaveAct = () => {
    begin(null);
    place.current?.querySelector<HTMLElement>('.row[aria-current]')?.focus();
  };
  useKeys(place, { open, move, begin, leave: leaveAct });
  if (items.length === 0 && !open) return <Nothing shown={shown} told={told} />;
  return (
    <div className={isNamed ? 'work opened' : 'work'} ref={place}>
      <p role="status" className="told">
        {told}
      </p>
      <section className="waiting" aria-label={words.list}>
        <p className="count">
          {fillCount(words.count, { language: formats.language, count: total }, { count: formats.number(total) })}
        </p>
        <ItemList
          items={items}
          openId={open?.id ?? null}
          choose={(item) => {
            begin(null);
            go(item, 'item');
          }}
        />
        {total > items.length && <p className="hint">{fill(words.some, { shown: formats.number(items.length) })}</p>}
      </section>
      {open && (
        <OpenItem
          key={open.id}
          item={open}
          begun={begun}
          begin={begin}
          finish={finish}
          back={leave}
          leaveAct={leaveAct}
        />
      )}
    </div>
  );
}

/**
 * The open item: that of the address, or the first one. An item on which somebody works stays, even if it has left the list. One that is done is
 * left out until the list is read again.
 */
function useOpened({
  shown: { item: named },
  items,
  isBusy,
  place,
  gone,
}: Pick<Given, 'shown' | 'items'> & {
  isBusy: boolean;
  place: { current: HTMLElement | null };
  /** Tells that an item waits no longer that was open, by its name. */
  gone(name: string): void;
}) {
  const navigate = useNavigate({ from: '/worklist' });
  const target = useRef<Target>(document.activeElement === document.body ? 'row' : null);
  const last = useRef<Item | null>(null);
  const found = items.find(({ id }) => id === named) ?? null;
  const held = isBusy && last.current?.id === named ? last.current : null;
  const open = found ?? held ?? items[0] ?? null;
  const openId = open?.id ?? null;
  last.current = open;
  const tellGone = useRef(gone);
  tellGone.current = gone;
  const opened = useRef<Item | null>(null);
  useEffect(() => {
    const before = opened.current;
    opened.current = last.current;
    const isLost = before !== null && before.id !== openId && target.current === null;
    if (isLost) tellGone.current(nameOf(before));
    // The focus was in an item that another one has replaced.
    const wanted = isLost && document.activeElement === document.body ? 'item' : target.current;
    target.current = null;
    if (openId === null || wanted === null) return;
    const row = wanted === 'row' ? place.current?.querySelector<HTMLElement>('.row[aria-current]') : null;
    const heading = place.current?.querySelector<HTMLElement>('.item h2');
    const isSeen = row && row.offsetParent !== null;
    (isSeen ? row : heading)?.focus();
  }, [openId, place]);
  const show = useCallback(
    (item: string | undefined) =>
      navigate({
        replace: true,
        resetScroll: false,
        search: ({ item: _, ...search }) => (item === undefined ? search : { ...search, item }),
      }),
    [navigate],
  );
  const go = useCallback(
    (item: Item | null, to: Target) => {
      target.current = to;
      if (item && item.id === openId) {
        // It is open already: only the focus moves.
        target.current = null;
        place.current?.querySelector<HTMLElement>(to === 'row' ? '.row[aria-current]' : '.item h2')?.focus();
      }
      void show(item?.id);
    },
    [show, openId, place],
  );
  return { open, isNamed: named !== null, go, leave: () => show(undefined) };
}

interface Does {
  open: Item | null;
  move(by: number): void;
  begin(act: ActName): void;
  leave(): void;
}

/** The keys of the worklist. They work while the focus is in it, and not in a field. */
function useKeys(place: { current: HTMLElement | null }, does: Does) {
  const { me } = useRouteContext({ from: '__root__' });
  const latest = useRef(does);
  latest.current = does;
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const inList = (event: KeyboardEvent) => event.target instanceof Element && event.target.closest('.waiting');
    const moving = (by: number) => (event: KeyboardEvent) => {
      event.preventDefault();
      latest.current.move(by);
    };
    const movingInList = (by: number) => (event: KeyboardEvent) => {
      if (inList(event)) moving(by)(event);
    };
    const acting = (name: ActName) => (event: KeyboardEvent) => {
      const { open, begin } = latest.current;
      if (!open || !actsOn(open, me).includes(name)) return;
      event.preventDefault();
      begin(name);
    };
    const enter = (event: KeyboardEvent) => {
      const { open, begin } = latest.current;
      const isControl = event.target instanceof Element && event.target.closest('a, summary, button:not(.row)');
      const [usual] = open ? actsOn(open, me) : [];
      if (isControl || usual === undefined) return;
      event.preventDefault();
      begin(usual);
    };
    const keys = Object.entries(keyOf).flatMap(([name, key]) => (isAct(name) ? [[key, acting(name)] as const] : []));
    const ends = tinykeys(element, {
      ...Object.fromEntries(keys),
      j: moving(1),
      k: moving(-1),
      ArrowDown: movingInList(1),
      ArrowUp: movingInList(-1),
      Enter: enter,
    });
    const everywhere = tinykeys(
      element,
      {
        Escape: () => latest.current.leave(),
        '$mod+Enter': ({ target }) => {
          if (target instanceof Element) target.closest('form')?.requestSubmit();
        },
      },
      { ignore: ({ isComposing }) => isComposing },
    );
    return () => {
      ends();
      everywhere();
    };
  }, [place, me]);
}

const isAct = (name: string): name is ActName => Object.hasOwn(keyOf, name);

/** What stands in the place of an empty list. */
function Nothing({ shown: { who }, told }: { shown: Shown; told: string }) {
  const words = useWorkWords();
  const navigate = useNavigate({ from: '/worklist' });
  const place = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (told !== '') place.current?.focus();
  }, [told]);
  return (
    <section className="empty">
      <p role="status" className="told">
        {told}
      </p>
      <h2 tabIndex={-1} ref={place}>
        {words.nothing[who]}
      </h2>
      <p>{words.nothingWhat}</p>
      {who !== 'team' && (
        <Button className="secondary" onPress={() => navigate({ search: { who: 'team' } })}>
          {words.seeTeam}
        </Button>
      )}
    </section>
  );
}
