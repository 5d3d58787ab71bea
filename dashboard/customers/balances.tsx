import { useQuery } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { Money } from '../lists/value.tsx';
import type { Own } from '../objects/read.ts';
import { can } from '../session.ts';
import { useCaringWords, useFormWords } from '../words.ts';
import { Panel } from './panel.tsx';

/** What the customer owes, and what it has, in each currency in which it has either. */
export function Balances({ id }: Own) {
  const { care } = useFormWords();
  const { session } = useRouteContext({ from: '__root__' });
  const read = useQuery({
    queryKey: ['balances', id],
    queryFn: async () => {
      const customer = { id: Number(id) };
      const [own, { balances: open = [] }] = await Promise.all([
        session.api.get('/customers/{id}/balance', customer),
        session.api.get('/customers/{id}', { ...customer, include: 'balances' }),
      ]);
      const others = own.currencies.filter((one) => one !== own.currency);
      const balances = others.map((currency) => session.api.get('/customers/{id}/balance', { ...customer, currency }));
      return [own, ...(await Promise.all(balances))].map((balance) => {
        const owed = open.find(({ currency }) => currency === balance.currency);
        return { ...balance, overdue: owed?.overdue ?? 0, since: owed?.oldest_due_date ?? null };
      });
    },
  });
  return (
    <Panel title={care.balances} error={read.error}>
      <div className="standing">
        {read.data?.map((balance) => (
          <InCurrency key={balance.currency} id={id} {...balance} />
        ))}
      </div>
    </Panel>
  );
}

interface Shown {
  id: string;
  currency: string;
  total_outstanding: number;
  overdue: number;
  since: number | null;
  available_credits: number;
  unapplied_payments: number;
}

function InCurrency({ id, currency, overdue, since, ...balance }: Shown) {
  const { care } = useFormWords();
  const words = useCaringWords();
  const formats = useFormats();
  const { me } = useRouteContext({ from: '__root__' });
  const { total_outstanding: open, available_credits: credit, unapplied_payments: unapplied } = balance;
  const search = { 'filter[customer]': id, 'filter[currency]': currency, 'filter[balance][gt]': '0' };
  const money = <Money amount={unapplied} currency={currency} />;
  return (
    <dl className={overdue > 0 ? 'balance late' : 'balance'}>
      <div>
        <dt>{care.outstanding}</dt>
        <dd>
          <strong>
            <Money amount={open} currency={currency} />
          </strong>
        </dd>
      </div>
      <div>
        <dt>{words.overdue}</dt>
        <dd className={overdue > 0 ? 'bad' : undefined}>
          <Money amount={overdue} currency={currency} />{' '}
          {overdue > 0 && since !== null && <small>{fill(words.since, { day: formats.day(since) })}</small>}
        </dd>
      </div>
      <div>
        <dt>{care.credits}</dt>
        <dd>
          <Money amount={credit} currency={currency} />
        </dd>
      </div>
      <div>
        <dt>{words.unapplied}</dt>
        <dd>
          {unapplied > 0 && can(me, 'payments.read') ? (
            <Link to="/$list" params={{ list: 'payments' }} search={search}>
              {money}
            </Link>
          ) : (
            money
          )}
        </dd>
      </div>
    </dl>
  );
}
