import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import { Fragment } from 'react';
import { Button } from 'react-aria-components';
import { useFormats } from '../formats.ts';
import { kindOfObject } from '../kinds/all.ts';
import type { Timeline as Entries, Kind } from '../kinds/kind.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useWords } from '../words.ts';

interface Of {
  kind: Kind;
  id: string;
}

/** Entries that are read at once. */
const AT_ONCE = 100;

/** What comes next, the earliest first, or what happened, the latest first. Hooks with the same arguments share what they read. */
export function useTimeline({ kind, id }: Of, isUpcoming: boolean) {
  const { session } = useRouteContext({ from: '__root__' });
  const earliestFirst = { sort: 'timestamp' };
  const part = Object.assign({ 'filter[upcoming]': isUpcoming, per_page: AT_ONCE }, isUpcoming ? earliestFirst : {});
  return useInfiniteQuery({
    queryKey: ['timeline', kind.list, id, isUpcoming],
    queryFn: async ({ pageParam: page, signal }) => {
      const read = await kind.timeline?.(session.api.with({ signal }), id, { ...part, page });
      return { entries: read?.data ?? [], total: read?.total ?? 0 };
    },
    initialPageParam: 1,
    getNextPageParam: ({ total }, pages) => (pages.length * AT_ONCE < total ? pages.length + 1 : null),
    select: ({ pages }) => onlyOnce(pages.flatMap(({ entries }) => entries)),
  });
}

/** What happened while pages were read moves entries to the next page. */
const onlyOnce = (entries: Entries): Entries => [...new Map(entries.map((one) => [one.id, one])).values()];

/** What happened to an object, what comes next, and why. */
export function Timeline({ kind, id }: Of) {
  const words = useWords();
  const upcoming = useTimeline({ kind, id }, true);
  const past = useTimeline({ kind, id }, false);
  const parts = [
    { read: upcoming, title: words.upcoming },
    { read: past, title: words.happened },
  ];
  const error = upcoming.error ?? past.error;
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">{words.timeline}</h2>
      {error && <ErrorNote error={error} />}
      {(upcoming.isPending || past.isPending) && <p role="status">{words.loading}</p>}
      {parts.map(
        ({ title, read: { data = [], hasNextPage, isFetchingNextPage, fetchNextPage } }) =>
          data.length > 0 && (
            <Fragment key={title}>
              <h3>{title}</h3>
              <Steps entries={data} kind={kind} />
              {hasNextPage && (
                <Button
                  className="secondary"
                  aria-label={`${words.showMore} – ${title}`}
                  isPending={isFetchingNextPage}
                  onPress={() => void fetchNextPage()}
                >
                  {isFetchingNextPage ? words.loading : words.showMore}
                </Button>
              )}
            </Fragment>
          ),
      )}
      {upcoming.data?.length === 0 && past.data?.length === 0 && <p className="none">{words.nothingHappened}</p>}
    </section>
  );
}

function Steps({ entries, kind }: { entries: Entries; kind: Kind }) {
  const formats = useFormats();
  if (entries.length === 0) return null;
  return (
    <ol className="steps">
      {entries.map(({ id, timestamp, what, why, rule, subject }) => (
        <li key={id}>
          <time dateTime={new Date(timestamp * 1000).toISOString()}>{formats.time(timestamp)}</time>
          <p dir="auto">
            {what} {namesOther({ rule, what, subject }, kind) && <Subject {...subject} />}
          </p>
          {why && (
            <p className="why" dir="auto">
              {why}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Whether a step is about an object that neither the page nor its text names. The look-up of a charge names an attempt, which has no page. */
const namesOther = ({ rule, what, subject }: Pick<Entries[number], 'rule' | 'what' | 'subject'>, kind: Kind): boolean =>
  subject.object !== kind.object && rule !== 'look_up' && !(subject.number && what.includes(subject.number));

/** What a step is about, on the page of another object. */
function Subject({ object, id, number }: Entries[number]['subject']) {
  const words = useWords();
  const kind = kindOfObject(object);
  if (!kind) return null;
  return (
    <Link to="/$list/$id" params={{ list: kind.list, id: String(id) }} dir="auto">
      {number ?? `${words.place[kind.list]} ${id}`}
    </Link>
  );
}
