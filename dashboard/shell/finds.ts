import { useQueries, useQuery } from '@tanstack/react-query';
import { useRouteContext, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { Answer } from '../../client/index.ts';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { groups, kindOfList, kindOfObject } from '../kinds/all.ts';
import type { Kind } from '../kinds/kind.ts';
import { stringifySearch } from '../lists/state.ts';
import { choiceText, titleOf } from '../lists/value.tsx';
import { objectKey, readObject } from '../objects/read.ts';
import { rootOf } from '../place.ts';
import { can } from '../session.ts';
import { useOverviewWords, useWords } from '../words.ts';
import { seenLast } from './kept.ts';
import { useSettled } from './settled.ts';

/** Something that the palette leads to. */
export interface Find {
  key: string;
  title: string;
  about: readonly string[];
  status: { value: string; text: string } | null;
  /** Path below the place: `/invoices/7`. */
  path: string;
}

export interface FindGroup {
  key: string;
  title: string;
  finds: readonly Find[];
}

const plain = (path: string, title: string): Find => ({ key: path, title, about: [], status: null, path });

const objectPath = (list: string, id: string): string => `/${list}/${encodeURIComponent(id)}`;

/** Texts that differ only in case and accents are the same. */
const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Opens what the palette found. */
export function useOpen(): (path: string) => void {
  const router = useRouter();
  const { place } = useRouteContext({ from: '__root__' });
  return (path) => router.history.push(`${rootOf(place)}${path}`);
}

/** The places whose name begins with a text, and the acts that have it. Without a text: all of them. */
export function usePlaces(text: string): FindGroup[] {
  const words = useWords();
  const { palette, report } = useOverviewWords();
  const { me } = useRouteContext({ from: '__root__' });
  const wanted = folded(text);
  const home = plain('/', words.home);
  const readable = groups.flat().filter((list) => can(me, `${kindOfList(list)?.area}.read`));
  const lists = readable.map((list) =>
    plain(`/${list}${stringifySearch(kindOfList(list)?.opening ?? {})}`, words.place[list]),
  );
  const reports = can(me, 'reports.read') ? [plain('/reports', report.all)] : [];
  const acts = [{ find: plain('/customers/new', palette.newCustomer), permission: 'customers.write' }];
  const allowed = acts.filter(({ permission }) => can(me, permission));
  const found = [
    {
      key: 'places',
      title: palette.places,
      finds: [home, ...lists, ...reports].filter(({ title }) => folded(title).startsWith(wanted)),
    },
    {
      key: 'acts',
      title: palette.acts,
      finds: allowed.map(({ find }) => find).filter(({ title }) => folded(title).includes(wanted)),
    },
  ];
  return found.filter(({ finds }) => finds.length > 0);
}

/** The objects that the person looked at last. Those that are gone, or that the person may no longer read, are missing. */
export function useRecent(): FindGroup[] {
  const { palette } = useOverviewWords();
  const words = useWords();
  const { place, me, session } = useRouteContext({ from: '__root__' });
  const [seen] = useState(() => seenLast(place, me));
  const known = seen.flatMap(({ list, id }) => {
    const kind = kindOfList(list);
    return kind && can(me, `${kind.area}.read`) ? [{ kind, id }] : [];
  });
  const read = useQueries({
    queries: known.map(({ kind, id }) => ({
      queryKey: objectKey(kind, id),
      queryFn: () => readObject(session, { kind, id }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const finds = known.flatMap(({ kind, id }, index): Find[] => {
    const data = read[index]?.data;
    if (!data) return [];
    return [
      {
        ...plain(objectPath(kind.list, id), titleOf(kind, data.row, words.choices)),
        about: [words.place[kind.list]],
        status: null,
      },
    ];
  });
  return finds.length === 0 ? [] : [{ key: 'recent', title: palette.recent, finds }];
}

type Hit = Answer<'get', '/search'>['hits'][number];

const WAIT_MILLISECONDS = 150;

/** What the API finds for a text. While somebody types on, the request before is aborted, and its hits are not shown. */
export function useHits(text: string) {
  const { session } = useRouteContext({ from: '__root__' });
  const latest = useSettled(text, WAIT_MILLISECONDS);
  const settled = text === '' ? '' : latest;
  const search = useQuery({
    queryKey: ['search', settled],
    queryFn: ({ signal }) => session.api.with({ signal, retries: 0 }).get('/search', { q: settled }),
    enabled: settled !== '',
  });
  const isFresh = settled === text;
  return {
    error: isFresh && search.isError ? search.error : null,
    isSearching: text !== '' && (!isFresh || search.isFetching),
    results: text !== '' && isFresh ? (search.data ?? null) : null,
  };
}

/** Hits by the kind of their objects, each with the way to its page. */
export function useHitGroups(results: Answer<'get', '/search'> | null): FindGroup[] {
  const words = useWords();
  const { palette } = useOverviewWords();
  const formats = useFormats();
  const findOf = (hit: Hit): Find | null => {
    const kind = kindOfObject(hit.object);
    const path = hitPath(hit, kind);
    if (path === null) return null;
    const money = hit.amount !== null && hit.currency !== null ? formats.money(hit.amount, hit.currency) : null;
    const customer = hit.object === kindOfList('customers')?.object ? null : hit.customer_name;
    const about = [customer, hit.email, money].filter((part) => part !== null && part !== '');
    const status = hit.status === null ? null : { value: hit.status, text: statusText(hit.status, kind) };
    return { key: `${hit.object} ${hit.id}`, title: hit.title, about: about.map(String), status, path };
  };
  const statusText = (status: string, kind: Kind | undefined): string => {
    const field = kind?.fields.find(({ name }) => name === kind.status);
    const others: Readonly<Record<string, string>> = { ...palette.status };
    return field ? choiceText(words.choices, field, status) : (others[status] ?? status);
  };
  if (results === null) return [];
  return [...Map.groupBy(results.hits, ({ object }) => object)].flatMap(([object, hits]) => {
    const kind = kindOfObject(object);
    const title = kind ? words.place[kind.list] : palette.contacts;
    const finds = hits.flatMap((hit) => findOf(hit) ?? []);
    const all =
      kind?.searchable && results.more.includes(object)
        ? [plain(`/${kind.list}?${new URLSearchParams({ search: results.q })}`, fill(palette.all, { place: title }))]
        : [];
    return finds.length === 0 ? [] : [{ key: object, title, finds: [...finds, ...all] }];
  });
}

/** A contact has no page: it is on that of its customer. */
function hitPath({ id, customer }: Hit, kind: Kind | undefined): string | null {
  if (kind) return objectPath(kind.list, String(id));
  return customer === null ? null : objectPath('customers', String(customer));
}
