import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import type { Row } from '../kinds/kind.ts';
import { Money } from '../lists/value.tsx';
import type { Own } from '../objects/read.ts';
import { can } from '../session.ts';
import { useFormWords, useWords } from '../words.ts';
import { Contacts } from './contacts.tsx';
import { Panel } from './panel.tsx';
import { Sources } from './sources.tsx';
import { CompleteTask } from './talking.tsx';

/** What only customers have on their pages. */
export function CustomerPanels(own: Own) {
  return (
    <>
      <Balances {...own} />
      <OpenTasks {...own} />
      <Notes {...own} />
      <Contacts {...own} />
      <Sources {...own} />
      <Chasing {...own} />
    </>
  );
}

/** What the customer owes, in each currency in which it has invoices. */
function Balances({ row, id }: Own) {
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
      const others = open.map(({ currency }) => currency).filter((one) => one !== own.currency);
      const balances = others.map((currency) => session.api.get('/customers/{id}/balance', { ...customer, currency }));
      return [own, ...(await Promise.all(balances))];
    },
  });
  return (
    <Panel title={care.balances} error={read.error}>
      <div className="standing">
        {read.data?.map(({ currency, total_outstanding, due_now, past_due, available_credits }) => (
          <dl key={currency} className={past_due ? 'balance late' : 'balance'}>
            <div>
              <dt>{care.outstanding}</dt>
              <dd>
                <strong>
                  <Money amount={total_outstanding} currency={currency} />
                </strong>{' '}
                {past_due && <span className="status past_due">{care.pastDue}</span>}
              </dd>
            </div>
            <div>
              <dt>{care.dueNow}</dt>
              <dd>
                <Money amount={due_now} currency={currency} />
              </dd>
            </div>
            <div>
              <dt>{care.credits}</dt>
              <dd>
                <Money amount={available_credits} currency={currency} />
              </dd>
            </div>
          </dl>
        ))}
      </div>
      {row.credit_hold === true && <p className="onhold">{care.onHold}</p>}
    </Panel>
  );
}

/** What is to be done for the customer. */
function OpenTasks(own: Own) {
  const { care } = useFormWords();
  const words = useWords();
  const formats = useFormats();
  const { session, me } = useRouteContext({ from: '__root__' });
  const { id } = own;
  const [begun, setBegun] = useState<Row | null>(null);
  const [told, setTold] = useState('');
  const isAllowed = can(me, 'collections.read');
  const tasks = useQuery({
    queryKey: ['tasks of', id],
    queryFn: () =>
      session.api.get('/tasks', {
        filter: { customer: Number(id), complete: false },
        sort: 'due_date asc',
        per_page: 20,
      }),
    enabled: isAllowed,
  });
  if (!isAllowed) return null;
  return (
    <Panel title={care.tasks} error={tasks.error}>
      {tasks.data?.length === 0 && <p className="none">{care.noTasks}</p>}
      <ul className="entries">
        {tasks.data?.map((task) => (
          <li key={task.id}>
            <div>
              <strong dir="auto">{task.name}</strong>
              <p className="none">
                {words.choices.taskAction[task.action]}
                {task.due_date !== null && ` · ${fill(care.due, { day: formats.day(task.due_date) })}`}
              </p>
            </div>
            {can(me, 'collections.write') && (
              <Button
                className="secondary"
                aria-label={`${care.completed.act}: ${task.name}`}
                onPress={() => setBegun({ ...task })}
              >
                {care.completed.act}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <p role="status" className="told">
        {told}
      </p>
      {begun && <CompleteTask {...own} task={Number(begun.id)} close={() => setBegun(null)} tell={setTold} />}
    </Panel>
  );
}

function Notes({ id }: Own) {
  const { care } = useFormWords();
  const formats = useFormats();
  const { session } = useRouteContext({ from: '__root__' });
  const notes = useQuery({
    queryKey: ['notes of', id],
    queryFn: () =>
      session.api.get('/customers/{customer_id}/notes', {
        customer_id: Number(id),
        sort: 'created_at desc',
        per_page: 10,
      }),
  });
  return (
    <Panel title={care.notes} error={notes.error}>
      {notes.data?.length === 0 && <p className="none">{care.noNotes}</p>}
      <ul className="entries">
        {notes.data?.map(({ id: note, notes: text, created_at: at }) => (
          <li key={note}>
            <div>
              <p className="words" dir="auto">
                {text}
              </p>
              <p className="none">{formats.time(at)}</p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** By which cadence the customer is asked for what it owes, and what comes next. */
function Chasing({ row }: Own) {
  const { care } = useFormWords();
  const { session, me } = useRouteContext({ from: '__root__' });
  const named = row.chasing_cadence;
  const cadence = typeof named === 'number' ? named : null;
  const isAllowed = can(me, 'collections.read');
  const read = useQuery({
    queryKey: ['cadence', cadence],
    queryFn: () => session.api.get('/chasing_cadences/{id}', { id: cadence ?? 0 }),
    enabled: isAllowed && cadence !== null,
  });
  if (!isAllowed) return null;
  const step = read.data?.steps.find(({ id }) => id === row.next_chase_step) ?? read.data?.steps[0];
  return (
    <Panel title={care.chasing} error={read.error}>
      {row.chase === false && <p>{care.chasingOff}</p>}
      {read.data?.paused && <p>{care.chasingPaused}</p>}
      <dl className="facts">
        <div>
          <dt>{care.cadence}</dt>
          <dd dir="auto">{cadence === null ? care.fitting : (read.data?.name ?? '')}</dd>
        </div>
        {step && (
          <div>
            <dt>{care.nextStep}</dt>
            <dd dir="auto">{step.name}</dd>
          </div>
        )}
      </dl>
    </Panel>
  );
}
