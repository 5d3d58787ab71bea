import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { Panel } from '../customers/panel.tsx';
import { useFormats } from '../formats.ts';
import type { Row } from '../kinds/kind.ts';
import { currencyOf, Money } from '../lists/value.tsx';
import type { Own } from '../objects/read.ts';
import { ErrorNote } from '../shell/problem.tsx';
import '../styles/subscriptions.css';
import { useWords } from '../words.ts';
import { Bill } from './bill.tsx';
import { Pending, Sold } from './sold.tsx';
import { hasEnded } from './standing.ts';
import { Standing } from './stands.tsx';
import { useSubscribingWords } from './words.ts';

/** How many invoices can be asked for, and how many are shown at first. */
const MOST = 12;
const USUAL = 3;

/** What only subscriptions have on their pages. */
export function SubscriptionPanels(own: Own) {
  const [count, setCount] = useState(USUAL);
  const { session } = useRouteContext({ from: '__root__' });
  const upcoming = useQuery({
    queryKey: ['upcoming invoices', own.id, count],
    queryFn: ({ signal }) =>
      session.api.with({ signal }).get('/subscriptions/{id}/upcoming_invoices', { id: Number(own.id), count }),
    placeholderData: keepPreviousData,
    enabled: !hasEnded(own.row),
  });
  const { data, error, isFetching } = upcoming;
  const words = useSubscribingWords();
  return (
    <>
      <Panel title={words.stands}>
        <Standing row={own.row} at={data?.as_of ?? Date.now() / 1000} />
      </Panel>
      <Sold row={own.row} />
      <Pending row={own.row} />
      {!hasEnded(own.row) && (
        <Panel title={words.upcoming}>
          <HowMany count={count} setCount={setCount} />
          <Upcoming
            invoices={data?.invoices.map((one) => ({ ...one })) ?? null}
            error={error}
            isFetching={isFetching}
          />
        </Panel>
      )}
    </>
  );
}

function HowMany({ count, setCount }: { count: number; setCount(count: number): void }) {
  const words = useSubscribingWords();
  const formats = useFormats();
  const id = useId();
  return (
    <p className="howmany">
      <label htmlFor={id}>{words.howMany}</label>
      <select id={id} value={count} onChange={({ target }) => setCount(Number(target.value))}>
        {Array.from({ length: MOST }, (_, place) => (
          <option key={place} value={place + 1}>
            {formats.number(place + 1)}
          </option>
        ))}
      </select>
    </p>
  );
}

interface Foreseen {
  /** Null: they are being read. */
  invoices: readonly Row[] | null;
  error: unknown;
  isFetching: boolean;
}

/** The invoices that follow if nothing changes, the first one with its lines. */
function Upcoming({ invoices, error, isFetching }: Foreseen) {
  const { loading } = useWords();
  const words = useSubscribingWords();
  const formats = useFormats();
  if (error) return <ErrorNote error={error} />;
  if (invoices === null) return <p role="status">{loading}</p>;
  if (invoices.length === 0) return <p className="none">{words.noUpcoming}</p>;
  return (
    <div className="upcoming" aria-busy={isFetching}>
      {invoices.map((invoice, place) => {
        const { date, total, draft } = invoice;
        const day = typeof date === 'number' ? formats.day(date) : '';
        return (
          <details key={String(date)} open={place === 0}>
            <summary>
              <span>{day}</span>
              {typeof total === 'number' && (
                <strong>
                  <Money amount={total} currency={currencyOf(invoice)} />
                </strong>
              )}
            </summary>
            <Bill title={day} document={invoice} />
            {draft === true && <p className="warning">{words.follows.draft}</p>}
          </details>
        );
      })}
    </div>
  );
}
