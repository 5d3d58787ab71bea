import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import type { Client } from '../../client/index.ts';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import type { BesideShown } from '../forms/field.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useSettled } from '../shell/settled.ts';
import { type ForeseenPayment, foreseePayment } from './editor.ts';
import { useReceivingWords } from './words.ts';

/** How long somebody must have stopped typing before it is asked what follows. */
const SETTLED_MILLISECONDS = 250;

/** What follows from a payment as it stands in its form. */
export function PaymentPreview({ id, row, body }: BesideShown) {
  const isComplete = id === null ? body.amount !== undefined : Object.keys(body).length > 0;
  if (!isComplete) return null;
  return (
    <Follows
      about={id}
      read={(api, asked) => foreseePayment(api, { id, body: asked })}
      asked={body}
      isOver={row?.voided === true}
    />
  );
}

interface Shown {
  /** Id of the payment; null: a new one. */
  about: string | null;
  /** What is sent. Another one is asked about anew. */
  asked: object;
  read(api: Client, asked: object): Promise<ForeseenPayment>;
  isOver?: boolean;
}

/** What a dry run of a change of a payment says: what its invoices would owe, and what of it would not be applied. */
export function Follows({ about, asked, read, isOver = false }: Shown) {
  const words = useReceivingWords();
  const formats = useFormats();
  const { session } = useRouteContext({ from: '__root__' });
  const settled = useSettled(asked, SETTLED_MILLISECONDS);
  const { data, error, isError, isFetching } = useQuery({
    queryKey: ['dry run of a payment', about, settled],
    queryFn: ({ signal }) => read(session.api.with({ signal }), settled),
    placeholderData: keepPreviousData,
    enabled: !isOver,
    gcTime: 0,
  });
  return (
    <aside className="foreseen" aria-label={words.follows}>
      <h2>{words.follows}</h2>
      {isError && <ErrorNote error={error} />}
      {!isError && !data && <p role="status">{words.computing}</p>}
      {!isError && data && (
        <dl className="sums changes" aria-busy={isFetching} aria-live="polite">
          {data.invoices.map((invoice) => (
            <div key={invoice.id}>
              <dt dir="auto">
                <Link to="/$list/$id" params={{ list: 'invoices', id: String(invoice.id) }} target="_blank">
                  {invoice.number ?? invoice.id}
                </Link>
              </dt>
              <dd>
                {fill(words.change, {
                  before: formats.money(invoice.balance_before, invoice.currency),
                  after: formats.money(invoice.balance, invoice.currency),
                })}{' '}
                <Outcome before={invoice.balance_before} after={invoice.balance} />
              </dd>
            </div>
          ))}
          {data.payment && !data.payment.voided && (
            <div>
              <dt>{words.leaves}</dt>
              <dd>{formats.money(data.payment.balance, data.payment.currency)}</dd>
            </div>
          )}
        </dl>
      )}
    </aside>
  );
}

function Outcome({ before, after }: { before: number; after: number }) {
  const words = useReceivingWords();
  if (after === 0 && before > 0) return <span className="status paid">{words.paid}</span>;
  if (after > before) return <span className="status past_due">{words.owedAgain}</span>;
  return null;
}
