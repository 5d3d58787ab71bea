import { Refusal } from '../refusal.ts';
import { isDay } from '../time/calendar.ts';
import type { ChaseStep } from './cadence.ts';

/** When an invoice is asked for in a step. Days are counted from its issue, its due date or the step before; `day`: 'YYYY-MM-DD'. */
export type InvoiceSchedule =
  | { from: 'issue'; days: number }
  | { from: 'due'; days: number; isBefore: boolean }
  | { from: 'day'; day: string }
  | { from: 'step'; days: number };

/** The schedules that can be read. N is a number of days. */
export const INVOICE_SCHEDULES = 'issue, after_issue:N, before_due:N, after_due:N, on:YYYY-MM-DD or every:N';

const MOST_DAYS = 3650;

/** Most times that a repeated step is taken for an invoice. */
export const MOST_TIMES = 365;

/** Parses `issue`, `after_issue:7`, `before_due:3`, `after_due:14`, `on:2027-03-01` or `every:10`. Throws a Refusal that names `param`. */
export function parseInvoiceSchedule(text: string, param: string): InvoiceSchedule {
  if (text === 'issue') return { from: 'issue', days: 0 };
  const [, kind, number] = /^(after_issue|before_due|after_due|every):(\d{1,4})$/.exec(text) ?? [];
  const days = Number(number);
  const least = kind === 'every' ? 1 : 0;
  if (kind !== undefined && days >= least && days <= MOST_DAYS) return counted(kind, days);
  const [, day] = /^on:(\d{4}-\d{2}-\d{2})$/.exec(text) ?? [];
  if (day !== undefined && isDay(day) && day >= '2000') return { from: 'day', day };
  throw new Refusal(
    'parameter_invalid',
    `Schedules are ${INVOICE_SCHEDULES}, with 0 to ${MOST_DAYS} days (every: 1 to ${MOST_DAYS}): ${text}`,
    param,
  );
}

function counted(kind: string, days: number): InvoiceSchedule {
  if (kind === 'after_issue') return { from: 'issue', days };
  if (kind === 'every') return { from: 'step', days };
  return { from: 'due', days, isBefore: kind === 'before_due' };
}

/** Whether a step is repeated until the invoice is paid. */
export function isRepeated(schedule: InvoiceSchedule): boolean {
  return schedule.from === 'step';
}

/** Refuses a cadence without steps, schedules that cannot be read, and a repetition that follows another one. */
export function checkInvoiceSteps(steps: readonly Pick<ChaseStep, 'schedule'>[]): void {
  if (steps.length === 0) throw new Refusal('parameter_invalid', 'A cadence needs at least one step', 'steps');
  let wasRepeated = false;
  for (const [index, { schedule }] of steps.entries()) {
    const param = `steps[${index}][schedule]`;
    const isNow = isRepeated(parseInvoiceSchedule(schedule, param));
    if (isNow && wasRepeated)
      throw new Refusal(
        'parameter_invalid',
        `The step before is repeated already, so no repetition can follow it: ${schedule}`,
        param,
      );
    wasRepeated = isNow;
  }
}
