import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import type { ChoiceWords } from '../../words/dashboard/naming.ts';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import type { Option } from '../forms/codes.ts';
import type { FormField, Values } from '../forms/field.ts';
import { useMembers } from '../forms/options.ts';
import { type Row, textOf } from '../kinds/kind.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useFormWords, useWords } from '../words.ts';
import { ActDialog, type Begun } from './act.tsx';

const optionsOf = (words: object): Option[] => Object.entries(words).map(([id, name]) => ({ id, name: String(name) }));

/** What comes after a call or a task. */
function useNextFields(): FormField[] {
  const { care } = useFormWords();
  const { choices } = useWords();
  const actions = optionsOf(choices.taskAction);
  return [
    { name: 'next[due_date]', label: care.nextDay, kind: 'day' },
    {
      name: 'next[action]',
      label: care.nextHow,
      kind: 'choice',
      isRequired: true,
      initial: actions[0]?.id ?? '',
      choices: actions,
    },
    { name: 'next[name]', label: care.nextWhat, kind: 'text', initial: care.callAgain, isWide: true },
  ];
}

const asRow = (value: unknown): Row => (typeof value === 'object' && value !== null ? { ...value } : {});

/** The follow-up of a task, if a day for it was entered. */
const followUpIn = ({ next }: Record<string, unknown>): object | null =>
  typeof asRow(next).due_date === 'number' ? { next } : null;

/** A task before its fields are entered. */
const task: { name: string; action: keyof ChoiceWords['taskAction'] } = { name: '', action: 'phone' };

/** Keeps a call as a task that is done, with its outcome and the next contact. */
export function LogCall(begun: Begun) {
  const { care } = useFormWords();
  const customer = Number(begun.id);
  const next = useNextFields();
  const said: FormField[] = [
    { name: 'outcome', label: care.said, kind: 'textarea', isRequired: true, hint: care.saidHint },
  ];
  return (
    <ActDialog
      name="call"
      begun={begun}
      sections={[
        { title: null, fields: said },
        { title: care.next, fields: next },
      ]}
      save={({ api, body }) => {
        const { outcome = '' } = body;
        const call = { ...task, customer, name: care.callName, complete: true, outcome: String(outcome) };
        return api.post('/tasks', Object.assign(call, followUpIn(body)));
      }}
    />
  );
}

/** Completes a task with its outcome, and makes the one that follows. */
export function CompleteTask({ id, ...begun }: Begun & { task: number }) {
  const { care } = useFormWords();
  const next = useNextFields();
  return (
    <ActDialog
      name="completed"
      of={String(begun.task)}
      begun={{ ...begun, id }}
      named={textOf(begun.row, 'name')}
      sections={[
        { title: null, fields: [{ name: 'outcome', label: care.said, kind: 'textarea' }] },
        { title: care.next, fields: next },
      ]}
      save={({ api, body }) => {
        const { outcome = null } = body;
        const change = { complete: true, outcome, ...followUpIn(body) };
        return api.patch('/tasks/{id}', Object.assign({}, object(change)), { id: begun.task });
      }}
    />
  );
}

const object = (value: object): object => value;

export function AddNote(begun: Begun) {
  const { care } = useFormWords();
  const customer = Number(begun.id);
  return (
    <ActDialog
      name="note"
      begun={begun}
      sections={[{ title: null, fields: [{ name: 'notes', label: care.text, kind: 'textarea', isRequired: true }] }]}
      save={({ api, body }) => api.post('/notes', Object.assign({ notes: '', customer }, object(body)))}
    />
  );
}

export function AddTask(begun: Begun) {
  const { care } = useFormWords();
  const { choices } = useWords();
  const { me } = useRouteContext({ from: '__root__' });
  const customer = Number(begun.id);
  const members = useMembers(null);
  const actions = optionsOf(choices.taskAction);
  const fields: FormField[] = [
    { name: 'name', label: care.taskName, kind: 'text', isRequired: true, isWide: true },
    {
      name: 'action',
      label: care.how,
      kind: 'choice',
      isRequired: true,
      initial: actions[0]?.id ?? '',
      choices: actions,
    },
    { name: 'due_date', label: care.day, kind: 'day' },
    {
      name: 'user_id',
      label: care.assignee,
      kind: 'choice',
      isId: true,
      choices: members,
      initial: String(me.member?.id ?? ''),
    },
  ];
  return (
    <ActDialog
      name="task"
      begun={begun}
      sections={[{ title: null, fields }]}
      save={({ api, body }) => api.post('/tasks', Object.assign({ ...task, customer }, object(body)))}
    />
  );
}

/** Mails the statement. Who gets it and what it says are shown before. */
export function SendStatement(begun: Begun) {
  const { care } = useFormWords();
  const formats = useFormats();
  const { session } = useRouteContext({ from: '__root__' });
  const id = Number(begun.id);
  const contacts = useQuery({
    queryKey: ['contacts', begun.id, 'primary'],
    queryFn: () =>
      session.api.get('/customers/{customer_id}/contacts', {
        customer_id: id,
        filter: { primary: true },
        per_page: 100,
      }),
  });
  if (contacts.isPending) return null;
  const own = textOf(begun.row, 'email');
  const addresses = [own, ...(contacts.data?.map(({ email }) => email ?? '') ?? [])].filter((one) => one !== '');
  const fields: FormField[] = [
    {
      name: 'to',
      label: care.recipients,
      kind: 'text',
      isRequired: true,
      isWide: true,
      initial: [...new Set(addresses)].join(', '),
      hint: care.recipientsHint,
    },
    {
      name: 'type',
      label: care.kind,
      kind: 'choice',
      isRequired: true,
      initial: Object.keys(care.statementType)[0] ?? '',
      choices: optionsOf(care.statementType),
    },
    { name: 'start', label: care.from, kind: 'day' },
    { name: 'end', label: care.until, kind: 'day' },
    { name: 'subject', label: care.subject, kind: 'text', isWide: true, hint: care.subjectHint },
    { name: 'message', label: care.message, kind: 'textarea', hint: care.messageHint },
  ];
  const names = new Map(contacts.data?.map(({ email, name }) => [email, name]));
  names.set(own, textOf(begun.row, 'name'));
  return (
    <ActDialog
      name="statement"
      begun={begun}
      sections={[{ title: null, fields }]}
      beside={(values) => <StatementPreview id={id} values={values} pdf={textOf(begun.row, 'statement_pdf_url')} />}
      save={({ api, body, values }) => {
        const typed = String(values.to ?? '').split(',');
        const to = typed.map((one) => one.trim()).filter((one) => one !== '');
        const people = to.map((email) => ({ email, name: names.get(email) ?? email }));
        const sent = { ...body, to: people, ...(values.end ? { end: formats.endOf(String(values.end)) } : {}) };
        return api.post('/customers/{id}/emails', Object.assign({}, object(sent)), { id });
      }}
    />
  );
}

interface Previewed {
  id: number;
  values: Values;
  pdf: string;
}

/** What a statement of this range says. */
function StatementPreview({ id, values: { type, start, end }, pdf }: Previewed) {
  const { care } = useFormWords();
  const formats = useFormats();
  const { session } = useRouteContext({ from: '__root__' });
  const dayIn = (value: unknown) => (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : null);
  const [from, until] = [dayIn(start), dayIn(end)];
  const asked = {
    type: String(type),
    ...(from ? { start: formats.startOf(from) } : {}),
    ...(until ? { end: formats.endOf(until) } : {}),
  };
  const read = useQuery({
    queryKey: ['statement', id, asked],
    queryFn: () => session.api.get('/customers/{id}/statement', Object.assign({ id }, object(asked))),
  });
  if (read.isError) return <ErrorNote error={read.error} />;
  if (!read.data) return <p className="preview"> </p>;
  const { closing_balance: balance, aging, currency } = read.data;
  const overdue = aging.days_1_30 + aging.days_31_60 + aging.days_61_90 + aging.over_90;
  return (
    <p className="preview" aria-live="polite">
      {fill(care.statementSays, {
        balance: formats.money(balance, currency),
        overdue: formats.money(overdue, currency),
      })}{' '}
      {pdf !== '' && (
        <a href={pdf} target="_blank" rel="noreferrer">
          {care.statementPdf}
        </a>
      )}
    </p>
  );
}
