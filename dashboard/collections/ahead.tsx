import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import type { Client, DryRunAnswer } from '../../client/index.ts';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import type { Values } from '../forms/field.ts';
import { MailPreview } from '../objects/mailPreview.tsx';
import { can } from '../session.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useSettled } from '../shell/settled.ts';
import { useCaringWords } from '../words.ts';
import { foreseenBody, isWhole } from './steps.ts';
import { useCollectingWords, useCounted } from './words.ts';

type Foreseen = DryRunAnswer<'post', '/chasing_cadences'>;
type ForeseenCustomer = Foreseen['preview']['customers'][number];
type ForeseenStep = ForeseenCustomer['steps'][number];

/** How long somebody must have stopped typing before it is asked what follows. */
const SETTLED_MILLISECONDS = 350;

const DAYS = 14;

/** How many steps stand there at once. The others are shown when they are asked for. */
const MOST_SHOWN = 30;

/** The cadence as a request would leave it, and what follows. Nothing is stored. */
function foresee(api: Client, { id, body }: { id: string | null; body: Record<string, unknown> }) {
  const query = { dry_run: true as const };
  const sent = foreseenBody(body, id === null);
  return id === null
    ? api.post('/chasing_cadences', Object.assign({ name: '', steps: [] }, sent), query)
    : api.patch('/chasing_cadences/{id}', Object.assign({}, sent), { id: Number(id), ...query });
}

interface Shown {
  id: string | null;
  values: Values;
  body: Record<string, unknown>;
}

/** Whom a cadence would ask for what and when in the next days, as it stands in its form. */
export function CadenceAhead({ id, values, body }: Shown) {
  const { ahead: words } = useCollectingWords();
  const { session } = useRouteContext({ from: '__root__' });
  const { number } = useFormats();
  const settled = useSettled(body, SETTLED_MILLISECONDS);
  const { steps } = values;
  const rows = typeof steps === 'object' && 'rows' in steps ? steps.rows : [];
  const isComplete = rows.length > 0 && rows.every(isWhole);
  const { data, error, isError, isFetching } = useQuery({
    queryKey: ['dry run of a cadence', id, settled],
    queryFn: ({ signal }) => foresee(session.api.with({ signal }), { id, body: settled }),
    placeholderData: keepPreviousData,
    enabled: isComplete,
    gcTime: 0,
  });
  return (
    <aside className="foreseen cadence-ahead" aria-label={fill(words.title, { days: number(DAYS) })}>
      <h2>{fill(words.title, { days: number(DAYS) })}</h2>
      <p className="none">{words.what}</p>
      {!isComplete && <p>{words.incomplete}</p>}
      {isComplete && isError && <ErrorNote error={error} />}
      {isComplete && !isError && !data && <p role="status">{words.computing}</p>}
      {isComplete && !isError && data && (
        <div aria-busy={isFetching}>
          <Asked foreseen={data} />
          <NotAsked customers={data.preview.customers} />
          {data.preview.next !== null && (
            <p className="none">{fill(words.partly, { number: number(data.preview.customers.length) })}</p>
          )}
        </div>
      )}
    </aside>
  );
}

/** Who is asked, day by day. */
function Asked({ foreseen: { chasing_cadence: cadence, preview } }: { foreseen: Foreseen }) {
  const { ahead: words } = useCollectingWords();
  const counted = useCounted();
  const formats = useFormats();
  const [isWhole, setWhole] = useState(false);
  const all = preview.customers
    .flatMap((customer) => customer.steps.map((step) => ({ customer, step })))
    .toSorted((one, other) => one.step.at - other.step.at);
  if (preview.customers.length === 0) return <p>{words.nobody}</p>;
  if (all.length === 0) return <p>{words.noSteps}</p>;
  const shown = isWhole ? all : all.slice(0, MOST_SHOWN);
  const byDay = Map.groupBy(shown, ({ step }) => formats.day(step.at));
  const templateOf = (step: ForeseenStep) =>
    cadence.steps.find(({ id }) => id === step.chase_step)?.email_template_id ?? null;
  return (
    <>
      {[...byDay].map(([day, asked]) => (
        <section key={day}>
          <h3>{day}</h3>
          <ul>
            {asked.map(({ customer, step }) => (
              <li key={`${customer.customer}/${step.chase_step}`}>
                <One customer={customer} step={step} template={templateOf(step)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {all.length > shown.length && (
        <button type="button" className="secondary" onClick={() => setWhole(true)}>
          {counted(words.showAll, all.length - shown.length)}
        </button>
      )}
    </>
  );
}

function One({
  customer,
  step,
  template,
}: {
  customer: ForeseenCustomer;
  step: ForeseenStep;
  template: string | null;
}) {
  const { chasing } = useCaringWords();
  const formats = useFormats();
  return (
    <>
      <Link to="/$list/$id" params={{ list: 'customers', id: String(customer.customer) }} target="_blank" dir="auto">
        {customer.name}
      </Link>{' '}
      <span className="figure">
        {step.balances.map(({ currency, balance }) => formats.money(balance, currency)).join(', ')}
      </span>
      <span className="what">
        <span dir="auto">{step.name}</span> · {chasing.actions[step.action]}
      </span>
      {step.action === 'email' && <StepMail customer={customer} step={step} template={template} />}
    </>
  );
}

interface Mailed {
  customer: Pick<ForeseenCustomer, 'customer' | 'name'>;
  step: Pick<ForeseenStep, 'at' | 'balances'>;
  /** Id of the template of the step; null: the usual one. */
  template: string | null;
}

/** The mail of a step, as it would be sent to the customer, once it is opened. */
export function StepMail({ customer: { customer: id, name }, step, template }: Mailed) {
  const { ahead: words } = useCollectingWords();
  const { me } = useRouteContext({ from: '__root__' });
  if (!can(me, 'customers.read') || !can(me, 'documents.read')) return null;
  const sent = {
    at: step.at,
    invoices: step.balances.flatMap(({ invoices }) => invoices),
    ...(template === null ? {} : { email_template_id: template }),
  };
  return (
    <MailPreview
      title={fill(words.mailTo, { name })}
      about={`customers/${id}/reminder`}
      sent={sent}
      read={(api, asked) => api.post('/customers/{id}/reminders/preview', asked, { id })}
    />
  );
}

/** Who is not asked in these days, by the reasons. */
function NotAsked({ customers }: { customers: readonly ForeseenCustomer[] }) {
  const { ahead: words } = useCollectingWords();
  const { chasing } = useCaringWords();
  const counted = useCounted();
  const { number } = useFormats();
  const silent = customers.filter(({ steps }) => steps.length === 0);
  if (silent.length === 0) return null;
  return (
    <details className="not-asked">
      <summary>{counted(words.notAsked, silent.length)}</summary>
      {[...Map.groupBy(silent, ({ reason }) => reason)].map(([reason, ofReason]) => (
        <div key={reason ?? ''}>
          <strong>{reason === null ? fill(chasing.later, { days: number(DAYS) }) : chasing.customer[reason]}</strong>
          <ul>
            {ofReason.slice(0, MOST_SHOWN).map(({ customer, name }) => (
              <li key={customer}>
                <Link to="/$list/$id" params={{ list: 'customers', id: String(customer) }} target="_blank" dir="auto">
                  {name}
                </Link>
              </li>
            ))}
          </ul>
          {ofReason.length > MOST_SHOWN && <p className="none">+ {number(ofReason.length - MOST_SHOWN)}</p>}
        </div>
      ))}
    </details>
  );
}
