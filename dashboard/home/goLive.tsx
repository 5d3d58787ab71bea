import { Link, useRouteContext } from '@tanstack/react-router';
import type { GoLiveWords } from '../../words/overview/wording.ts';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { kindOfList } from '../kinds/all.ts';
import type { ListName } from '../kinds/kind.ts';
import { can } from '../session.ts';
import { useOverviewWords, useWords } from '../words.ts';
import { ApiCall, type Home } from './link.tsx';

type GoLive = NonNullable<Home['go_live']>;

interface Call {
  method: string;
  path: string;
  body: string;
}

/** Where each step is done: in a list of the dashboard, or by a request. */
const places: Readonly<Record<keyof GoLiveWords, Call | { list: ListName }>> = {
  business: {
    method: 'PATCH',
    path: '/account',
    body: '{ "email": "us@example.com", "address1": "1 Main Street", "country": "US" }',
  },
  tax: { method: 'POST', path: '/tax_rates', body: '{ "id": "sales-tax", "name": "Sales tax", "value": 8.25 }' },
  gateway: {
    method: 'POST',
    path: '/merchant_accounts',
    body: '{ "gateway": "stripe", "name": "Ours", "secret_key": "sk_…", "publishable_key": "pk_…" }',
  },
  mail_sender: { method: 'POST', path: '/mail_senders', body: '{ "email": "billing@example.com" }' },
  first_invoice: { list: 'invoices' },
  colleague: {
    method: 'POST',
    path: '/members',
    body: '{ "email": "colleague@example.com", "role": "employee" }',
  },
};

/** The steps with which an account goes live. They tick themselves. Of an account that is at work, they are folded away unless it `isOpen`. */
export function GoLiveSteps({ goLive: { steps }, isOpen }: { goLive: GoLive; isOpen: boolean }) {
  const { goLive } = useOverviewWords();
  const formats = useFormats();
  const done = steps.filter((one) => one.done).length;
  const progress = fill(goLive.progress, { done: formats.number(done), count: formats.number(steps.length) });
  const list = (
    <ol>
      {steps.map(({ step, done: isDone }) => (
        <li key={step} className={isDone ? 'done' : ''}>
          <span className="tick" aria-hidden="true">
            {isDone ? '✓' : ''}
          </span>
          <div>
            <h3>
              {goLive.steps[step].title} <span className="hidden">{isDone ? goLive.done : goLive.open}</span>
            </h3>
            {!isDone && <p>{goLive.steps[step].why}</p>}
            {!isDone && <Where place={places[step]} />}
          </div>
        </li>
      ))}
    </ol>
  );
  return (
    <section className="wide golive" aria-labelledby="golive">
      <h2 id="golive">{goLive.title}</h2>
      <p className="none">{goLive.what}</p>
      <p className="progress">
        <progress aria-label={goLive.title} value={done} max={steps.length} /> <span>{progress}</span>
      </p>
      {isOpen ? (
        list
      ) : (
        <details>
          <summary>{goLive.show}</summary>
          {list}
        </details>
      )}
    </section>
  );
}

function Where({ place }: { place: Call | { list: ListName } }) {
  const words = useWords();
  const { goLive } = useOverviewWords();
  const { me } = useRouteContext({ from: '__root__' });
  if ('list' in place)
    return can(me, `${kindOfList(place.list)?.area}.read`) ? (
      <Link to="/$list" params={{ list: place.list }} search={{}}>
        {fill(goLive.goTo, { place: words.place[place.list] })}
      </Link>
    ) : null;
  return (
    <details>
      <summary>{goLive.noPage}</summary>
      <ApiCall {...place} />
    </details>
  );
}
