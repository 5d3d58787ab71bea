import { isCurrency } from '../../billing/money/money.ts';
import { failureCode } from '../../billing/payments/declines.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { WorkItem } from '../../db/schema/workItem.ts';
import type { Language } from '../../words/languages.ts';
import { plannedWordsOf } from '../../words/planned/words.ts';
import { waitingWordsOf } from '../../words/waiting/words.ts';
import { saidIn } from '../kernel/said.ts';
import { formatDay, numberOrNull, orNull, type Presented, unix, unixOrNull } from '../kernel/values.ts';
import { formatsOf } from '../printed/formats.ts';
import { say, sayCount } from '../timelines/eventFacts.ts';

/** Who reads a worklist. */
export interface Reader {
  language: Language;
  timeZone: string;
  /** Whether it may read the names of customers. */
  seesNames: boolean;
}

/** What stands between two sentences; a space in other languages. */
const JOINED: Readonly<Partial<Record<Language, string>>> = { ja: '', zh: '' };

/** Addresses of the objects of items, by their types. */
const PATHS: Readonly<Record<string, string>> = {
  task: '/tasks',
  invoice: '/invoices',
  payment: '/payments',
  dispute: '/disputes',
  problem: '/problems',
};

export function presentWorkItem(item: Plain<WorkItem>, reader: Reader): Presented {
  const { subjectType, subjectId } = item;
  return {
    id: item.id,
    object: 'work_item',
    kind: item.kind,
    subject: { object: subjectType, id: subjectId, path: `${PATHS[subjectType]}/${subjectId}` },
    title: titleOf(item, reader),
    why: whyOf(item, reader).join(JOINED[reader.language] ?? ' '),
    task: orNull(item.taskId),
    action: orNull(item.action),
    customer: orNull(item.customerId),
    customer_name: reader.seesNames ? orNull(item.customerName) : null,
    user_id: orNull(item.userId),
    currency: orNull(item.currency),
    money_at_risk: numberOrNull(item.moneyAtRisk),
    due_at: unixOrNull(item.dueAt),
    since: unix(item.since),
  };
}

/** Its number or name; of a problem, the step that cannot be taken. */
function titleOf({ kind, title, reason, subjectId }: Plain<WorkItem>, { language }: Reader): string {
  if (kind === 'problem') return saidIn(reason ?? '', language);
  return title || `${subjectId}`;
}

/** Why it waits for a person, in sentences. */
function whyOf(item: Plain<WorkItem>, reader: Reader): string[] {
  const words = waitingWordsOf(reader.language);
  const values = valuesOf(item, reader);
  const tell = (label: string) => say(reader, label, values);
  const { kind, customerId, dayAt, dueAt } = item;
  switch (kind) {
    case 'problem': {
      const tried = sayCount(reader, words.tried, item.count ?? 0, { day: dayOf(item.since, reader) });
      return [tell(words.problem), tried];
    }
    case 'dispute':
      return dueAt
        ? [tell(words.dispute), say(reader, words.evidence, { day: dayOf(dueAt, reader) })]
        : [tell(words.dispute)];
    case 'disputed_invoice':
      return dayAt ? [tell(words.line), tell(words.held)] : [tell(words.line)];
    case 'broken_promise':
      return [tell(words.promise)];
    case 'failed_charge':
      return [tell(words.failed), dayAt ? tell(words.again) : words.over];
    case 'unapplied_payment':
      if (!customerId) return [tell(words.arrived), words.stranger];
      return item.owed && Number(item.owed) > 0 ? [tell(words.arrived), tell(words.owed)] : [tell(words.arrived)];
    case 'task':
      return whyTask(item, reader);
  }
}

function whyTask({ count, owed, dayAt, dueAt, currency }: Plain<WorkItem>, reader: Reader): string[] {
  const { task } = waitingWordsOf(reader.language);
  const due = dueAt ? say(reader, task.due, { day: dayOf(dueAt, reader) }) : task.undated;
  if (count && dayAt) return [sayCount(reader, task.asked, count, { day: dayOf(dayAt, reader) })];
  return owed ? [due, say(reader, task.owing, { amount: amountOf(owed, { currency, ...reader }) })] : [due];
}

function valuesOf(item: Plain<WorkItem>, reader: Reader): Record<string, string> {
  const { language } = reader;
  const { currency, moneyAtRisk, owed, dayAt, message, reason } = item;
  const of = { currency, ...reader };
  return {
    amount: moneyAtRisk ? amountOf(moneyAtRisk, of) : '',
    owed: owed ? amountOf(owed, of) : '',
    day: dayAt ? dayOf(dayAt, reader) : '',
    ...toldOf(item.kind, { message: message ?? '', reason: reason ?? '', language }),
  };
}

/** The words of a reason, without the full stop of a sentence of its own. */
function toldOf(
  kind: WorkItem['kind'],
  { message, reason, language }: { message: string; reason: string; language: Language },
): Record<string, string> {
  const plain = (text: string) => text.replace(/[.。]$/u, '');
  switch (kind) {
    case 'problem':
      return { step: saidIn(reason, language), message: plain(saidIn(message, language)) };
    case 'failed_charge':
      return { reason: plannedWordsOf(language).failures[failureCode(reason)] };
    case 'disputed_invoice':
      return { reason: plain(message) };
    default:
      return { reason: reason.replaceAll('_', ' ') };
  }
}

const dayOf = (at: Date, { language, timeZone }: Reader): string =>
  formatDay(at, timeZone, language === 'en' ? 'en-GB' : language);

function amountOf(amount: string, { currency, ...reader }: Reader & { currency?: string | null | undefined }): string {
  return currency && isCurrency(currency) ? formatsOf({ country: null, currency, ...reader }).money(amount) : amount;
}
