import { Link } from '@tanstack/react-router';
import { fill } from '../../words/text.ts';
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
          <OwedIn key={one.currency} one={one} />
        ))}
      </div>
    </section>
  );
}

function OwedIn({ one: { currency, count, total, overdue, buckets, link } }: { one: OpenOf }) {
  const { home } = useOverviewWords();
  const told = useTold();
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
      <Link to="/reports/$report" params={{ report: 'aging' }} search={{ currency }}>
        {home.byCustomer}
      </Link>
    </div>
  );
}
