import { fill } from '../../words/text.ts';
import { useOverviewWords } from '../words.ts';
import { type Home, To } from './link.tsx';
import { useTold } from './told.ts';

type Money = NonNullable<Home['money']>;
type Revenue = NonNullable<Home['mrr']>;

/** Money that came in this month and the last one, less what went back. */
export function MoneyIn({ money }: { money: Money }) {
  const { home } = useOverviewWords();
  const ranges = [
    { name: home.thisMonth, range: money.this_month, isBig: true },
    { name: home.lastMonthSoFar, range: money.last_month_to_date, isBig: false },
    { name: home.lastMonth, range: money.last_month, isBig: false },
  ];
  return (
    <section aria-labelledby="money">
      <h2 id="money">{home.money}</h2>
      <dl className="ranges">
        {ranges.map(({ name, range, isBig }) => (
          <div key={name} className={isBig ? 'main' : ''}>
            <dt>{name}</dt>
            <dd>
              <Received range={range} isBig={isBig} before={isBig ? money.last_month_to_date : null} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

type Range = Money['this_month'];

function Received({ range: { sums }, isBig, before }: { range: Range; isBig: boolean; before: Range | null }) {
  const { home } = useOverviewWords();
  const told = useTold();
  if (sums.length === 0) return <span className="none">{home.nothingReceived}</span>;
  return told.ownFirst(sums).map(({ currency, received, returned, net, link }) => {
    const earlier = before?.sums.find((one) => one.currency === currency)?.net ?? 0;
    return (
      <div key={currency}>
        <span className={isBig ? 'big' : 'figure'}>
          <To link={link}>{told.money(net, currency)}</To>
        </span>
        {returned !== 0 && (
          <>
            <small>{home.afterReturns}</small>
            <small>
              <To link={link}>{fill(home.received, { amount: told.money(received, currency) })}</To>
            </small>
            <small>
              <To link={link}>{fill(home.returned, { amount: told.money(returned, currency) })}</To>
            </small>
          </>
        )}
        {earlier > 0 && <small>{fill(home.against, { percent: told.share((net - earlier) / earlier) })}</small>}
      </div>
    );
  });
}

/** Recurring revenue now, and what moved it in a month. */
export function RecurringRevenue({ mrr }: { mrr: Revenue }) {
  const { home } = useOverviewWords();
  const told = useTold();
  return (
    <section aria-labelledby="mrr">
      <h2 id="mrr">{home.revenue}</h2>
      {mrr.currencies.length === 0 && <p className="none">{home.noRevenue}</p>}
      {told.ownFirst(mrr.currencies).map((one) => (
        <RevenueIn key={one.currency} one={one} start={mrr.start} />
      ))}
    </section>
  );
}

function RevenueIn({ one, start }: { one: Revenue['currencies'][number]; start: string }) {
  const { home } = useOverviewWords();
  const told = useTold();
  const { currency, now, month_ago: before, link } = one;
  const day = told.isoDayText(start);
  const { movement: names } = home;
  const movements = [
    { kind: 'new', name: names.new, amount: one.new },
    { kind: 'reactivation', name: names.reactivation, amount: one.reactivation },
    { kind: 'expansion', name: names.expansion, amount: one.expansion },
    { kind: 'contraction', name: names.contraction, amount: one.contraction },
    { kind: 'churn', name: names.churn, amount: one.churn },
  ].filter(({ amount }) => amount !== 0);
  const most = Math.max(...movements.map(({ amount }) => Math.abs(amount)));
  return (
    <div className="revenue">
      <p>
        <span className="big">
          <To link={{ ...link, path: '/reports/mrr' }}>{told.money(now, currency)}</To>
        </span>{' '}
        <To link={link}>{fill(home.sinceMonth, { amount: told.moved(now - before, currency), day })}</To>
      </p>
      {movements.length === 0 && <p className="none">{fill(home.noMovement, { day })}</p>}
      <ul className="movements">
        {movements.map(({ kind, name, amount }) => (
          <li key={kind}>
            <span>{name}</span>
            <span className={amount < 0 ? 'move loss' : 'move'} aria-hidden="true">
              <span style={{ inlineSize: `${(100 * Math.abs(amount)) / most}%` }} />
            </span>
            <span className="figure">
              <To link={{ ...link, query: { ...link.query, kind } }}>{told.moved(amount, currency)}</To>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
