import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import { fill } from '../../words/text.ts';
import { can } from '../session.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useOverviewWords } from '../words.ts';
import { type Home, To } from './link.tsx';
import { useTold } from './told.ts';

type Open = NonNullable<Home['open']>;
type OpenOf = Open['currencies'][number];

/** What is owed, by age: a bar, and the same numbers as a table. */
export function Owed({ open }: { open: Open }) {
  const { home } = useOverviewWords();
  const told = useTold();
  return (
    <section className="wide" aria-labelledby="owed">
      <h2 id="owed">{home.owed}</h2>
      {open.currencies.length === 0 && <p className="none">{home.nothingOwed}</p>}
      <div className="currencies">
        {told.ownFirst(open.currencies).map((one) => (
          <OwedIn key={one.currency} one={one} readAt={open.as_of} />
        ))}
      </div>
    </section>
  );
}

const MOST = 5;

/** The customers with the largest overdue amounts in a currency. Read anew with Home. */
function MostOverdue({ currency, readAt }: { currency: string; readAt: number }) {
  const { home } = useOverviewWords();
  const told = useTold();
  const { session } = useRouteContext({ from: '__root__' });
  const sorted = { currency, sort: 'overdue desc' };
  const some = { 'filter[overdue][gt]': 0, include: 'balances', per_page: MOST } as const;
  const read = useQuery({
    queryKey: ['home', 'overdue', currency, readAt],
    queryFn: ({ signal }) => session.api.with({ signal }).get('/customers', { ...sorted, ...some }),
    placeholderData: keepPreviousData,
  });
  if (read.isError) return <ErrorNote error={read.error} />;
  if (read.data?.length === 0) return null;
  return (
    <>
      <h3>{home.mostOverdue}</h3>
      <ol className="lines">
        {read.data?.map(({ id, name, balances = [] }) => (
          <li key={id}>
            <Link to="/$list/$id" params={{ list: 'customers', id: String(id) }} dir="auto">
              {name}
            </Link>
            {balances.map(
              (one) =>
                one.currency === currency && (
                  <span key={currency} className="figure">
                    {told.money(one.overdue, currency)}
                  </span>
                ),
            )}
          </li>
        ))}
      </ol>
      <p>
        <Link to="/$list" params={{ list: 'customers' }} search={{ ...sorted, 'filter[overdue][gt]': '0' }}>
          {home.showAll}
        </Link>
      </p>
    </>
  );
}

function OwedIn({ one, readAt }: { one: OpenOf; readAt: number }) {
  const { currency, count, total, overdue, buckets, link } = one;
  const { home } = useOverviewWords();
  const told = useTold();
  const { me } = useRouteContext({ from: '__root__' });
  const isTold = overdue > 0 && can(me, 'customers.read');
  const ages: Readonly<Record<string, string>> = { ...home.ages };
  const filled = buckets.filter(({ amount }) => amount > 0);
  return (
    <div className="owed">
      <p className="big">
        <To link={link}>{told.money(total, currency)}</To>
      </p>
      <p>
        <To link={link}>{told.count(home.open, count)}</To>
        {overdue > 0 && (
          <>
            {' · '}
            <span className="overdue">
              <To link={{ ...link, query: { ...link.query, only: 'overdue' } }}>
                {fill(home.overdue, { amount: told.money(overdue, currency) })}
              </To>
            </span>
          </>
        )}
      </p>
      <div className="stack" aria-hidden="true">
        {filled.map(({ id, amount }) => (
          <span key={id} className={`age ${id}`} style={{ flexGrow: amount }} />
        ))}
      </div>
      <table className="ages">
        <thead>
          <tr>
            <th scope="col">{home.age}</th>
            <th scope="col" className="money">
              {home.amount}
            </th>
          </tr>
        </thead>
        <tbody>
          {filled.map(({ id, title, amount, link: documents }) => (
            <tr key={id}>
              <th scope="row">
                <span className={`swatch age ${id}`} aria-hidden="true" /> {ages[id] ?? title}
              </th>
              <td className="money figure">
                <To link={documents}>{told.money(amount, currency)}</To>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isTold && <MostOverdue currency={currency} readAt={readAt} />}
      <p>
        <Link to="/reports/$report" params={{ report: 'aging' }} search={{ currency }}>
          {home.byCustomer}
        </Link>
      </p>
    </div>
  );
}
