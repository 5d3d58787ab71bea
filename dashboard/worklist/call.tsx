import { useRouteContext } from '@tanstack/react-router';
import { useRef } from 'react';
import { fill } from '../../words/text.ts';
import { useReadOnce } from '../customers/asSeen.ts';
import { followUpIn, optionsOf, useNextFields } from '../customers/talking.tsx';
import { useFormats } from '../formats.ts';
import type { FormField, Section, Values } from '../forms/field.ts';
import { PROMISE } from '../forms/options.ts';
import { FieldError, type Writer } from '../forms/saving.ts';
import type { Row } from '../kinds/kind.ts';
import { can } from '../session.ts';
import { Problem } from '../shell/problem.tsx';
import { useCaringWords, useFormWords } from '../words.ts';
import { MOST_INVOICES, useOpenInvoices } from './customer.tsx';
import {
  changeTask,
  DONE,
  logCall,
  missingOf,
  notePromise,
  type Promised,
  promisedDayIn,
  type ReadTask,
  tryPromise,
} from './doing.ts';
import { EffectsOfCall } from './effects.tsx';
import { ActForm, type Acting, endedIn, useTaken } from './form.tsx';
import { type Item, nameOf } from './items.ts';
import { useWorkWords } from './words.ts';

const PROMISE_DAY = `${PROMISE}[date]`;
const ALL = 'all';

/**
 * Ends a call with its outcome, a promise to pay and the next contact: in the task of the item, which it completes, or in a new task that is done.
 * `read`: that task; null: there is none.
 */
export function CallForm({ read, item, finish, leaveAct }: Acting & { read: ReadTask | null }) {
  const words = useWorkWords();
  const { me } = useRouteContext({ from: '__root__' });
  const mayPromise = can(me, 'documents.write') && can(me, 'documents.read');
  const invoices = useOpenInvoices(mayPromise ? item.customer : null);
  const sections = useSections(item, invoices.data ?? []);
  const outcomeOf = useOutcome();
  const save = useSave({ read, item });
  const tellTaken = useTaken(item);
  const { isMissing } = useFormWords();
  if (invoices.isError) return <Problem error={invoices.error} again={() => invoices.refetch()} />;
  if (invoices.isLoading) return null;
  const open = invoices.data ?? [];
  const change = (body: Record<string, unknown>) => ({
    complete: true,
    outcome: outcomeOf(body),
    ...followUpIn(body),
  });
  const promised = (body: Record<string, unknown>) => {
    const day = promisedDayIn(body);
    if (day === null) return null;
    const chosen = open.filter(({ id }) => body.promised_for === ALL || String(id) === String(body.promised_for));
    return { day, invoices: chosen };
  };
  return (
    <ActForm
      about={`worklist/${item.id}`}
      sections={sections}
      row={null}
      submit={read === null ? words.acts.log : words.acts.done}
      leave={leaveAct}
      beside={(_values: Values, body) => {
        const promise = promised(body);
        const told = promise && {
          day: promise.day,
          invoices: promise.invoices.map(({ id, number }) => number ?? `${id}`),
        };
        return <EffectsOfCall item={item} change={change(body)} promise={told} />;
      }}
      save={async ({ writer, body }) => {
        const promise = promised(body);
        if (body.result === 'promised' && promise === null)
          throw new FieldError(PROMISE_DAY, fill(isMissing, { name: words.promisedDay }));
        const ids = promise?.invoices.map(({ id }) => id) ?? [];
        return save({ writer, ids, promise: { [PROMISE]: body[PROMISE] }, change: change(body) });
      }}
      done={(answer) => {
        const ended = endedIn(answer);
        finish(ended.kind === 'taken' ? tellTaken(ended.outcome) : fill(words.told.done, { name: nameOf(item) }));
      }}
    />
  );
}

type Open = NonNullable<ReturnType<typeof useOpenInvoices>['data']>;

/** What was said, what was promised, and what comes next. */
function useSections(item: Item, open: Open): Section[] {
  const words = useWorkWords();
  const { care } = useFormWords();
  const next = useNextFields();
  const said: FormField[] = [
    {
      name: 'result',
      label: words.result,
      kind: 'choice',
      isRequired: true,
      initial: item.action === 'phone' || item.task === null ? 'reached' : 'other',
      choices: optionsOf(words.results),
    },
    { name: 'note', label: words.note, kind: 'textarea', hint: words.saves },
  ];
  const promise = usePromise(item, open);
  return [
    { title: null, fields: said },
    ...(promise.length > 0 ? [{ title: words.promised, fields: promise }] : []),
    { title: care.next, fields: next },
  ];
}

/** The day on which open invoices are paid: the invoice that waits, or all of them. */
function usePromise({ subject, kind }: Item, open: Open): FormField[] {
  const words = useWorkWords();
  const formats = useFormats();
  if (open.length === 0 || kind === 'dispute') return [];
  const own = subject.object === 'invoice' ? open.find(({ id }) => id === subject.id) : undefined;
  const isFew = open.length <= MOST_INVOICES;
  const choices = open.map(({ id, number, balance, currency }) => ({
    id: String(id),
    name: `${number ?? id} · ${formats.money(balance, currency)}`,
  }));
  return [
    { name: PROMISE_DAY, label: words.promisedDay, kind: 'day' },
    {
      name: 'promised_for',
      label: words.promisedFor,
      kind: 'choice',
      isRequired: true,
      initial: own ? String(own.id) : isFew ? ALL : (choices[0]?.id ?? ''),
      choices: isFew ? [{ id: ALL, name: words.allInvoices }, ...choices] : choices,
    },
  ];
}

/** The outcome in words: the result and the note. */
function useOutcome(): (body: Record<string, unknown>) => string {
  const { results } = useWorkWords();
  const known: Readonly<Record<string, string>> = results;
  return ({ result, note }) => {
    const said = typeof note === 'string' ? note.trim() : '';
    const name = known[String(result)] ?? '';
    if (said === '') return name;
    return result === 'other' ? said : `${name}: ${said}`;
  };
}

interface Written {
  writer: Writer;
  /** Ids of the invoices that are promised. */
  ids: readonly number[];
  promise: Promised;
  change: Readonly<Record<string, unknown>>;
}

/** Writes a call: first its task, so that a second person hears of it, then the promises, which the API was asked about before. */
function useSave({ read, item }: { read: ReadTask | null; item: Item }) {
  const { session } = useRouteContext({ from: '__root__' });
  const { promiseNoted } = useCaringWords();
  const { care } = useFormWords();
  const formats = useFormats();
  /** What this form has written of the task; null: nothing yet. */
  const written = useRef<Written['change'] | null>(null);
  const readInvoice = useReadOnce((id) => session.api.full('get', '/invoices/{id}', { id }));
  return async ({ writer, ids, promise, change }: Written) => {
    const invoices = await Promise.all(ids.map(readInvoice));
    for (const id of ids) await tryPromise(session.api, id, promise);
    const missing = missingOf(change, written.current ?? {});
    if (read && Object.keys(missing).length > 0) {
      const ended = await changeTask(writer, { read, change: missing, isOwn: written.current !== null });
      if (ended.kind === 'taken') return ended;
      written.current = { ...written.current, ...change };
    }
    for (const invoice of invoices) {
      const seen = promisedDayIn({ ...invoice.data });
      const told = (current: Row) => {
        const noted = promisedDayIn(current);
        return noted === null || noted === seen ? null : fill(promiseNoted, { day: formats.day(noted) });
      };
      await notePromise(writer, { read: invoice, promised: promise, field: PROMISE_DAY, told });
    }
    if (!read) await logCall(writer, { customer: item.customer, name: care.callName, change });
    return DONE;
  };
}
