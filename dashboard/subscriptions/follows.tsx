import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useEffect } from 'react';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import type { Row } from '../kinds/kind.ts';
import { currencyOf } from '../lists/value.tsx';
import { ErrorNote } from '../shell/problem.tsx';
import { useSettled } from '../shell/settled.ts';
import { type Asked, type Follows, foresee } from './asked.ts';
import { Bill } from './bill.tsx';
import { isOutdated, isStale, type Seeing } from './seen.ts';
import { Standing } from './stands.tsx';
import { useSubscribingWords } from './words.ts';

/** How long somebody must have stopped typing before it is asked what follows. */
const SETTLED_MILLISECONDS = 250;

interface Shown {
  id: string;
  seeing: Seeing;
  /** Null: nothing differs yet. */
  asked: Asked | null;
}

/** Names what follows from an act on a version of a subscription. */
export const followsKey = (id: string, etag: string | null, asked: Asked | null) => ['follows', id, etag, asked];

/** What follows from an act, by a dry run of what would be sent. What followed from the text before stays until it is there. */
export function FollowsFrom({ id, seeing, asked: latest }: Shown) {
  const { follows: words } = useSubscribingWords();
  const { session } = useRouteContext({ from: '__root__' });
  const asked = useSettled(latest, SETTLED_MILLISECONDS);
  const { now, first, again } = seeing;
  const read = useQuery({
    queryKey: followsKey(id, now.etag, asked),
    queryFn: ({ signal }) => {
      const api = session.api.with({ signal, ...(now.etag === null ? {} : { ifMatch: now.etag }) });
      return asked && foresee(api, Number(id), asked);
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const { error, data } = read;
  const isBusy = read.isFetching || JSON.stringify(asked) !== JSON.stringify(latest);
  useEffect(() => {
    if (isStale(error) || isOutdated(error, seeing)) void again();
  }, [error]);
  return (
    <aside className="follows" aria-label={words.title}>
      <h3>
        {words.title} {isBusy && data && <small>{words.computing}</small>}
      </h3>
      {now.etag !== first.etag && (
        <p className="warning" role="alert">
          {words.changedMeanwhile}
        </p>
      )}
      <div aria-live="polite" aria-busy={isBusy}>
        {error && !isStale(error) ? (
          <ErrorNote error={error} />
        ) : data === undefined ? (
          <p className="none">{words.computing}</p>
        ) : data === null ? (
          <p className="none">{words.unchanged}</p>
        ) : (
          <Told before={now.row} follows={data} />
        )}
      </div>
    </aside>
  );
}

function Told({ before, follows }: { before: Row; follows: Follows }) {
  const { follows: words } = useSubscribingWords();
  const formats = useFormats();
  const { as_of: at } = follows;
  const isNow = ({ date }: { date: number | null }) => date !== null && date <= at;
  const invoices = follows.invoices.filter(isNow);
  const notes = follows.credit_notes.filter(isNow);
  const next = follows.invoices.find((one) => !isNow(one));
  return (
    <>
      <Standing row={{ ...follows.subscription }} at={at} />
      <PerPeriod before={before} after={follows.subscription.recurring_total} />
      {notes.map((document, place) => (
        <Part key={place} title={words.creditedNow} document={{ ...document }} />
      ))}
      {invoices.map((document, place) => (
        <Part key={place} title={words.billedNow} document={{ ...document }} />
      ))}
      {invoices.length + notes.length === 0 && <p className="none">{words.nothingNow}</p>}
      {next ? (
        <Part title={fill(words.nextOn, { day: formats.day(next.date ?? at) })} document={{ ...next }} />
      ) : (
        <p className="none">{words.noNext}</p>
      )}
    </>
  );
}

function Part({ title, document }: { title: string; document: Row }) {
  const { follows: words } = useSubscribingWords();
  return (
    <>
      <h4>{title}</h4>
      <Bill title={title} document={document} />
      {document.draft === true && <p className="warning">{words.draft}</p>}
    </>
  );
}

/** The price of a period, and the one before if it differs. */
function PerPeriod({ before, after }: { before: Row; after: number }) {
  const { follows: words } = useSubscribingWords();
  const formats = useFormats();
  const currency = currencyOf(before);
  const { recurring_total: former } = before;
  if (currency === null || typeof former !== 'number') return null;
  const amount = formats.money(after, currency);
  return (
    <p>
      {former === after
        ? fill(words.perPeriod, { amount })
        : fill(words.perPeriodBefore, { amount, before: formats.money(former, currency) })}
    </p>
  );
}
