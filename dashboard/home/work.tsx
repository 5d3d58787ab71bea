import { Link } from '@tanstack/react-router';
import { fill } from '../../words/text.ts';
import { failureText } from '../lists/value.tsx';
import { useOverviewWords, useWords } from '../words.ts';
import { type Home, To } from './link.tsx';
import { useTold } from './told.ts';

type Needs = NonNullable<Home['needs_a_person']>;
type Waiting = Needs['items'][number];

/** What waits for a person, each with the way to it. */
export function NeedsPerson({ needs }: { needs: Needs }) {
  const { home } = useOverviewWords();
  const words = useWords();
  return (
    <section aria-labelledby="needs">
      <h2 id="needs">{home.needs}</h2>
      {needs.items.length === 0 ? (
        <p className="none">{home.nothingWaits}</p>
      ) : (
        <p>
          <Link to="/worklist">{words.worklist}</Link>
        </p>
      )}
      <ul className="lines">
        {needs.items.map((item) => (
          <li key={item.kind} className={item.kind}>
            <WaitingLine item={item} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function WaitingLine({ item: { kind, count, sums, first_at: at, link } }: { item: Waiting }) {
  const { home } = useOverviewWords();
  const told = useTold();
  const when = kind === 'disputes' ? home.evidenceBy : kind === 'tasks' ? home.dueSince : home.waitingSince;
  return (
    <>
      <strong>
        <To link={link}>{told.count(home.waiting[kind], count)}</To>
      </strong>
      <span className="figure">{told.sums(sums)}</span>
      {at !== null && <small>{fill(when, { day: told.day(at) })}</small>}
    </>
  );
}

type Retries = NonNullable<Home['retrying']>;

/** Failed payments that are tried again, those with the next attempts first. */
export function Retrying({ retrying: { count, sums, invoices, link } }: { retrying: Retries }) {
  const { home } = useOverviewWords();
  const told = useTold();
  const { choices } = useWords();
  return (
    <section aria-labelledby="retrying">
      <h2 id="retrying">{home.retrying}</h2>
      {count === 0 && <p className="none">{home.nothingRetried}</p>}
      {count > 0 && (
        <p>
          <strong>
            <To link={link}>{told.count(home.retried, count)}</To>
          </strong>{' '}
          <span className="figure">{told.sums(sums)}</span>
        </p>
      )}
      <ul className="lines">
        {invoices.map(
          ({ invoice, number, customer, customer_name: name, amount, currency, code, message, next_attempt: at }) => (
            <li key={invoice}>
              <Link to="/$list/$id" params={{ list: 'invoices', id: String(invoice) }} dir="auto">
                {number ?? invoice}
              </Link>
              <Link to="/$list/$id" params={{ list: 'customers', id: String(customer) }} dir="auto">
                {name}
              </Link>
              <span className="figure">{told.money(amount, currency)}</span>
              <small>
                <span dir="auto">{failureText(code, message, choices)}</span> ·{' '}
                {fill(home.nextAttempt, { day: told.day(at) })}
              </small>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}

type Week = NonNullable<Home['next_seven_days']>;

/** What the next seven days bring, by day. */
export function NextDays({ week, today }: { week: Week; today: string }) {
  const { home } = useOverviewWords();
  const told = useTold();
  const days = [...Map.groupBy(week.items, ({ day }) => day)];
  return (
    <section aria-labelledby="week">
      <h2 id="week">{home.week}</h2>
      {days.length === 0 && <p className="none">{home.nothingAhead}</p>}
      <dl className="days">
        {days.map(([day, items]) => (
          <div key={day}>
            <dt>{told.weekday(day, today)}</dt>
            {items.map(({ kind, count, sums, link }) => (
              <dd key={kind}>
                <To link={link}>{told.count(home.ahead[kind], count)}</To>{' '}
                <span className="figure">{told.sums(sums)}</span>
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </section>
  );
}
