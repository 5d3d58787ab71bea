import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import type { Answer, Client, Full } from '../../client/index.ts';
import type { ChoiceWords } from '../../words/dashboard/naming.ts';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import type { Option } from '../forms/codes.ts';
import type { FormField } from '../forms/field.ts';
import { useMembers } from '../forms/options.ts';
import type { Writer } from '../forms/saving.ts';
import { type Row, textOf } from '../kinds/kind.ts';
import { can } from '../session.ts';
import { Problem } from '../shell/problem.tsx';
import { useCaringWords, useFormWords, useWords } from '../words.ts';
import { ActDialog, type Begun } from './act.tsx';
import { useReadOnce, writeAsSeen } from './asSeen.ts';

export const optionsOf = (words: object): Option[] =>
  Object.entries(words).map(([id, name]) => ({ id, name: String(name) }));

/** What comes after a call or a task. */
export function useNextFields(): FormField[] {
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
export const followUpIn = ({ next }: Record<string, unknown>): object | null =>
  typeof asRow(next).due_date === 'number' ? { next } : null;

/** A task before its fields are entered. */
const task: { name: string; action: keyof ChoiceWords['taskAction'] } = { name: '', action: 'phone' };

type Read = Pick<Full<Answer<'get', '/tasks/{id}'>>, 'data' | 'etag'>;

const readTask = (api: Client, id: number): Promise<Read> => api.full('get', '/tasks/{id}', { id });

/** A task as it is now: what is shown may have been read long before. */
function useTask(id: number | undefined) {
  const { session } = useRouteContext({ from: '__root__' });
  return useQuery({
    queryKey: ['task to complete', id],
    queryFn: () => readTask(session.api, id ?? 0),
    enabled: id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Completes a task that the person has seen open and with this outcome, unless somebody else completed it or wrote another outcome. */
function useCompletion() {
  const { taskDone, taskSaid } = useCaringWords();
  return (writer: Writer, change: object, { read, seen }: { read: Read; seen: string | null }) =>
    writeAsSeen(writer, {
      read,
      change,
      field: 'outcome',
      taken: (task) => {
        const outcome = textOf(task, 'outcome');
        if (task.complete !== true && outcome === (seen ?? '')) return null;
        const said = outcome === '' ? [] : [fill(taskSaid, { outcome })];
        return [...(task.complete === true ? [taskDone] : []), ...said].join(' ');
      },
      write: (api) => api.patch('/tasks/{id}', Object.assign({}, change), { id: read.data.id }),
    });
}

/**
 * Keeps a call with its outcome and the next contact: in the task that asked for the call, which it completes, or in a new one that is done.
 * `task`: the id of that task; absent: it is chosen among the open ones.
 */
export function LogCall({ task: known, ...begun }: Begun & { task?: number }) {
  const { care } = useFormWords();
  const { callTask, callTaskHint, noTask } = useCaringWords();
  const formats = useFormats();
  const { session, me } = useRouteContext({ from: '__root__' });
  const customer = Number(begun.id);
  const next = useNextFields();
  const open = useQuery({
    queryKey: ['calls to make', begun.id],
    queryFn: () =>
      session.api.get('/tasks', {
        filter: { customer, complete: false, action: 'phone' },
        sort: 'due_date asc',
        per_page: 20,
      }),
    enabled: known === undefined && can(me, 'collections.read'),
  });
  const read = useTask(known);
  const complete = useCompletion();
  const readChosen = useReadOnce((id) => readTask(session.api, id));
  if (read.isError) return <Problem error={read.error} again={() => read.refetch()} />;
  if (open.isLoading || read.isLoading) return null;
  const asSeen = async (id: number) => {
    if (read.data) return { read: read.data, seen: read.data.data.outcome };
    return { read: await readChosen(id), seen: open.data?.find((one) => one.id === id)?.outcome ?? null };
  };
  const calls = open.data?.map(({ id, name, due_date: due }): Option => {
    const day = due === null ? '' : ` · ${fill(care.due, { day: formats.day(due) })}`;
    return { id: String(id), name: `${name}${day}` };
  });
  const said: FormField[] = [
    { name: 'outcome', label: care.said, kind: 'textarea', isRequired: true, hint: care.saidHint },
    ...(calls && calls.length > 0
      ? [
          {
            name: 'task',
            label: callTask,
            hint: callTaskHint,
            kind: 'choice' as const,
            isId: true,
            none: noTask,
            isWide: true,
            choices: calls,
          },
        ]
      : []),
  ];
  return (
    <ActDialog
      name="call"
      begun={begun}
      of={known === undefined ? '' : String(known)}
      sections={[
        { title: null, fields: said },
        { title: care.next, fields: next },
      ]}
      save={async ({ api, writer, body }) => {
        const { outcome = '', task: chosen = known } = body;
        const done = { complete: true, outcome: String(outcome), ...followUpIn(body) };
        if (typeof chosen === 'number') return complete(writer, done, await asSeen(chosen));
        return api.post('/tasks', Object.assign({ ...task, customer, name: care.callName }, done));
      }}
    />
  );
}

/** Completes a task with its outcome, and makes the one that follows. */
export function CompleteTask({ id, ...begun }: Begun & { task: number }) {
  const { care } = useFormWords();
  const next = useNextFields();
  const read = useTask(begun.task);
  const complete = useCompletion();
  if (read.isError) return <Problem error={read.error} again={() => read.refetch()} />;
  if (!read.data) return null;
  const { data } = read.data;
  const asSeen = { read: read.data, seen: data.outcome };
  return (
    <ActDialog
      name="completed"
      of={String(begun.task)}
      begun={{ ...begun, id }}
      named={data.name}
      sections={[
        { title: null, fields: [{ name: 'outcome', label: care.said, kind: 'textarea', initial: data.outcome ?? '' }] },
        { title: care.next, fields: next },
      ]}
      save={({ writer, body }) => {
        const { outcome = null } = body;
        return complete(writer, { complete: true, outcome, ...followUpIn(body) }, asSeen);
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
