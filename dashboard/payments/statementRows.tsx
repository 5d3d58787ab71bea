import { useQuery } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReceivingWords } from '../../words/receiving/wording.ts';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { Money } from '../lists/value.tsx';
import { useWords } from '../words.ts';
import { countsOf, type StatementRow } from './statement.ts';
import { useCounted, useReceivingWords } from './words.ts';

type Status = StatementRow['status'];

/** What cannot be read is what somebody must look at. */
const order: readonly Status[] = ['refused', 'created', 'duplicate', 'ignored'];

const plurals = (words: ReceivingWords['statement']) =>
  ({ created: words.fresh, duplicate: words.known, ignored: words.ignored, refused: words.refused }) as const;

/** The rows of a statement, and what becomes of each. Those of one status can be looked at alone. */
export function StatementRows({ rows, isBusy }: { rows: readonly StatementRow[]; isBusy: boolean }) {
  const { statement: words } = useReceivingWords();
  const { fields } = useWords();
  const counted = useCounted();
  const [only, setOnly] = useState<Status | null>(null);
  const counts = countsOf(rows);
  const numbers = useNumbers(rows);
  const shown = only === null ? rows : rows.filter(({ status }) => status === only);
  if (rows.length === 0) return null;
  return (
    <section aria-busy={isBusy}>
      <ul className="counts">
        {order.map(
          (status) =>
            counts[status] > 0 && (
              <li key={status}>
                <button
                  type="button"
                  className="plain"
                  aria-pressed={only === status}
                  onClick={() => setOnly(only === status ? null : status)}
                >
                  {counted(plurals(words)[status], counts[status])}
                </button>
              </li>
            ),
        )}
      </ul>
      <div className="scroll">
        <table className="related statement-rows">
          <thead>
            <tr>
              <th scope="col" className="number">
                {words.row}
              </th>
              <th scope="col">{fields.date}</th>
              <th scope="col">{words.column.payer}</th>
              <th scope="col">{fields.reference}</th>
              <th scope="col" className="money">
                {fields.amount}
              </th>
              <th scope="col">{fields.status}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Line key={row.row} row={row} numbers={numbers} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface LineShown {
  row: StatementRow;
  /** Numbers of invoices by their ids. */
  numbers: ReadonlyMap<number, string>;
}

function Line({ row, numbers }: LineShown) {
  const { statement: words } = useReceivingWords();
  const { fields } = useWords();
  const formats = useFormats();
  const { status, date, amount, currency = null, direction, payer, reference, reason, payment, error } = row;
  const paid = (row.applied_to ?? []).map(({ invoice }) => numbers.get(invoice) ?? String(invoice));
  return (
    <tr>
      <th scope="row" className="number" data-label={words.row}>
        {row.row}
      </th>
      <td data-label={fields.date}>{date && formats.day(formats.startOf(date))}</td>
      <td data-label={words.column.payer} dir="auto">
        {payer}
      </td>
      <td data-label={fields.reference} dir="auto">
        {reference}
      </td>
      <td className="money" data-label={fields.amount}>
        {amount !== undefined && <Money amount={direction === 'debit' ? -amount : amount} currency={currency} />}
      </td>
      <td data-label={fields.status}>
        <span className={`status ${status}`}>{words.status[status]}</span>{' '}
        {reason && <small>{words.reason[reason]}</small>}
        {error && (
          <small className="bad" dir="auto">
            {error.message}
          </small>
        )}
        {paid.length > 0 && <small>{fill(words.autoApplies, { numbers: paid.join(', ') })}</small>}
        {payment !== undefined && (
          <Link to="/$list/$id" params={{ list: 'payments', id: String(payment) }}>
            {payment}
          </Link>
        )}
      </td>
    </tr>
  );
}

/** How many numbers one request asks for. */
const MOST_IDS = 100;

/** The numbers of the invoices that rows pay by themselves. */
function useNumbers(rows: readonly StatementRow[]): ReadonlyMap<number, string> {
  const { session } = useRouteContext({ from: '__root__' });
  const ids = [...new Set(rows.flatMap(({ applied_to: parts = [] }) => parts.map(({ invoice }) => invoice)))];
  const some = ids.slice(0, MOST_IDS);
  const read = useQuery({
    queryKey: ['numbers of invoices', some],
    queryFn: () =>
      session.api.get('/invoices', Object.assign({ per_page: MOST_IDS }, { 'filter[id][in]': some.join(',') })),
    enabled: some.length > 0,
  });
  return new Map(read.data?.map(({ id, number, name }) => [id, number ?? name]));
}
