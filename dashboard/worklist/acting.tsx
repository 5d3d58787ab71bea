import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouteContext } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { ApiError } from '../../client/index.ts';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { outcomeOf, type Writer } from '../forms/saving.ts';
import { kindOfObject } from '../kinds/all.ts';
import { ErrorNote, Problem } from '../shell/problem.tsx';
import { useWords } from '../words.ts';
import { CallForm } from './call.tsx';
import { changeTask, type ReadTask } from './doing.ts';
import { Effects } from './effects.tsx';
import { ActForm, type Acting, endedIn, useTaken } from './form.tsx';
import { type ActName, nameOf } from './items.ts';
import { useWorkWords } from './words.ts';

/** An act on an item that was begun. */
export function ActOn(shown: Acting & { act: ActName }) {
  return (
    <div className="acting">
      <Begun {...shown} />
    </div>
  );
}

function Begun({ act, ...acting }: Acting & { act: ActName }) {
  switch (act) {
    case 'done':
      return <WithTask {...acting}>{(read) => <CallForm read={read} {...acting} />}</WithTask>;
    case 'log':
      return <CallForm read={null} {...acting} />;
    case 'later':
      return <WithTask {...acting}>{(read) => <LaterForm read={read} {...acting} />}</WithTask>;
    case 'mine':
      return <WithTask {...acting}>{(read) => <TakeOver read={read} {...acting} />}</WithTask>;
    case 'retry':
      return <Retry {...acting} />;
    case 'charge':
      return <ChargeForm {...acting} />;
    default:
      return <Leads {...acting} />;
  }
}

/** The task of an item as it is now: what is shown may have been read long before. One that is done already is told. */
function WithTask({ item, finish, children }: Acting & { children(read: ReadTask): ReactNode }) {
  const { session } = useRouteContext({ from: '__root__' });
  const { loading } = useWords();
  const tellTaken = useTaken(item);
  const read = useQuery({
    queryKey: ['task of item', item.task],
    queryFn: () => session.api.full('get', '/tasks/{id}', { id: item.task ?? 0 }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const isTaken = read.data?.data.complete === true;
  const outcome = read.data?.data.outcome ?? '';
  useEffect(() => {
    if (isTaken) finish(tellTaken(outcome));
  }, [isTaken, outcome, finish, tellTaken]);
  if (read.isError) return <Problem error={read.error} again={() => read.refetch()} />;
  if (!read.data) return <p role="status">{loading}</p>;
  return isTaken ? null : children(read.data);
}

/** Puts an item off. */
function LaterForm({ read, item, finish, leaveAct }: Acting & { read: ReadTask }) {
  const words = useWorkWords();
  const formats = useFormats();
  const tellTaken = useTaken(item);
  const day = useRef(0);
  return (
    <ActForm
      about={null}
      sections={[
        {
          title: null,
          fields: [{ name: 'due_date', label: words.laterDay, kind: 'day', isRequired: true, hint: words.saves }],
        },
      ]}
      row={null}
      submit={words.acts.later}
      leave={leaveAct}
      beside={(_values, { due_date: due }) => (
        <Effects effects={typeof due === 'number' ? [fill(words.comesBack, { day: formats.day(due) })] : []} />
      )}
      save={({ writer, body }) => {
        day.current = Number(body.due_date);
        return changeTask(writer, { read, change: { due_date: body.due_date }, isOwn: false });
      }}
      done={(answer) => {
        const ended = endedIn(answer);
        if (ended.kind === 'taken') finish(tellTaken(ended.outcome));
        else finish(fill(words.told.later, { name: nameOf(item), day: formats.day(day.current) }));
      }}
    />
  );
}

/** Takes an item over at once. */
function TakeOver({ read, item, finish, leaveAct }: Acting & { read: ReadTask }) {
  const words = useWorkWords();
  const tellTaken = useTaken(item);
  const { me } = useRouteContext({ from: '__root__' });
  const change = { user_id: me.member?.id ?? null };
  const error = useOnce(async (writer) => {
    const ended = await changeTask(writer, { read, change, isOwn: false });
    if (ended.kind === 'taken') finish(tellTaken(ended.outcome));
    else finish(fill(words.told.mine, { name: nameOf(item) }), 'stay');
  });
  return error === null ? null : <Refused error={error} leave={leaveAct} />;
}

/** Tries the step of a problem again. A problem that is gone is solved. */
function Retry({ item, finish, leaveAct }: Acting) {
  const { told } = useWorkWords();
  const name = nameOf(item);
  const { id } = item.subject;
  const error = useOnce(async (writer) => {
    const outcome = await outcomeOf(() => writer(id).post('/problems/{id}/retries', null, { id }));
    if (outcome.kind === 'saved') return finish(fill(told.retried, { name }));
    const { error: why } = outcome.kind === 'stale' ? { error: new Error(name) } : outcome;
    if (!(why instanceof ApiError) || why.status !== 404) throw why;
    finish(fill(told.gone, { name }));
  });
  return error === null ? null : <Refused error={error} leave={leaveAct} />;
}

/** Does something once, as soon as it is shown. Returns why it failed; null: it did not. */
function useOnce(work: (writer: Writer) => Promise<unknown>): unknown {
  const { session } = useRouteContext({ from: '__root__' });
  const [error, setError] = useState<unknown>(null);
  const started = useRef(false);
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    const key = crypto.randomUUID();
    latest.current(() => session.api.with({ idempotencyKey: key })).catch(setError);
  }, [session]);
  return error;
}

/** Why an act without a form was refused. */
function Refused({ error, leave }: { error: unknown; leave(): void }) {
  const { back } = useWorkWords();
  return (
    <>
      <ErrorNote error={error} />
      <Button className="secondary" onPress={leave}>
        {back}
      </Button>
    </>
  );
}

/** Charges the open balance of an invoice. */
function ChargeForm({ item, finish, leaveAct }: Acting) {
  const words = useWorkWords();
  const formats = useFormats();
  const { money_at_risk: amount, currency } = item;
  const money = amount === null || currency === null ? '' : formats.money(amount, currency);
  const name = nameOf(item);
  return (
    <ActForm
      about={null}
      sections={[]}
      row={null}
      submit={words.acts.charge}
      leave={leaveAct}
      beside={() => <Effects effects={[fill(words.charge, { amount: money, name })]} />}
      save={({ api }) => api.post('/invoices/{id}/pay', null, { id: item.subject.id })}
      done={() => finish(fill(words.told.charged, { name }))}
    />
  );
}

/** Leads to the page of the object. */
function Leads({ item }: Acting) {
  const navigate = useNavigate();
  const { object, id } = item.subject;
  const list = kindOfObject(object)?.list;
  useEffect(() => {
    if (list) void navigate({ to: '/$list/$id', params: { list, id: String(id) } });
  }, [navigate, list, id]);
  return null;
}
