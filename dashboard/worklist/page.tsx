import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { fill, fillCount } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { ErrorNote, Problem } from '../shell/problem.tsx';
import { useTitle } from '../shell/title.ts';
import { useWords } from '../words.ts';
import { Filters } from './filters.tsx';
import { OpenItem } from './item.tsx';
import { type ActName, actsOn, type Item, itemsOf, movedFrom, nameOf, nextOf, type Shown, shownIn } from './items.ts';
import { useKeys } from './keys.ts';
import { ItemList } from './list.tsx';
import { useOpened } from './opened.ts';
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
    </>
  );
}

interface Given {
  shown: Shown;
  items: readonly Item[];
  total: number;
}

function Work({ shown, items, total }: Given) {
  const words = useWorkWords();
  const formats = useFormats();
  const place = useRef<HTMLDivElement>(null);
  const { me } = useRouteContext({ from: '__root__' });
  /** The act that is begun, and the item that it is about. */
  const [work, setWork] = useState<{ act: ActName; id: string } | null>(null);
  const [told, tell] = useState('');
  /** Ids of the items that this person has done. */
  const done = useRef(new Set<string>());
  const { open, isNamed, go, leave } = useOpened({
    shown,
    items,
    busyId: work?.id ?? null,
    place,
    gone: (item) => {
      if (!done.current.has(item.id)) tell(fill(words.told.gone, { name: nameOf(item) }));
    },
  });
  const begun = work && work.id === open?.id ? work.act : null;
  const begin = (act: ActName) => {
    if (open && actsOn(open, me).includes(act)) setWork({ act, id: open.id });
  };
  const queries = useQueryClient();
  const finish = useCallback(
    (said: string, then: 'next' | 'stay' = 'next') => {
      if (!open) return;
      done.current.add(open.id);
      const next = then === 'stay' ? open : nextOf(items, open.id);
      const after = next === null ? words.told.last : fill(words.told.next, { name: nameOf(next) });
      tell(then === 'stay' ? said : `${said} ${after}`);
      setWork(null);
      go(next, 'item');
      void queries.invalidateQueries();
    },
    [open, items, words, go, queries],
  );
  const move = (by: number) => {
    setWork(null);
    go(movedFrom(items, open?.id ?? null, by), 'row');
  };
  const leaveAct = () => {
    setWork(null);
    place.current?.querySelector<HTMLElement>('.row[aria-current]')?.focus();
  };
  useKeys(place, { open, move, begin, leave: leaveAct });
  if (items.length === 0 && !open) return <Nothing shown={shown} told={told} />;
  return (
    <div className={isNamed || begun !== null ? 'work opened' : 'work'} ref={place}>
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
            setWork(null);
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
          back={() => {
            setWork(null);
            void leave();
          }}
          leaveAct={leaveAct}
        />
      )}
      <p className="hint keys">{words.keys}</p>
    </div>
  );
}

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
