import type { ChaseStep } from '../../billing/collection/cadence.ts';
import { type AskedBalance, askedOn, type ChasePlan } from '../../billing/collection/chasing.ts';
import { type DueInvoiceStep, planInvoice, stepsOn } from '../../billing/collection/invoiceChasing.ts';
import { add, isPositive, negate } from '../../billing/money/money.ts';
import { localDay } from '../../billing/time/calendar.ts';
import type { Chased } from '../aggregates/chasing.ts';
import type { InvoiceChase } from '../aggregates/invoiceChasing.ts';

/** The steps of a customer that become one reminder: those of one channel and day. */
export interface DueReminder {
  /** When the earliest of them is due, epoch milliseconds. */
  at: number;
  /** The one that says how it is done: that of the customer's cadence, else the first one of an invoice. */
  step: ChaseStep;
  cadenceId: number;
  /** The step of the customer's cadence; null: only invoices are asked for. */
  plan: Extract<ChasePlan, { kind: 'step' }> | null;
  invoices: { chase: InvoiceChase; due: DueInvoiceStep }[];
}

/** The due reminders, the earliest first. Steps of the same day and channel become one reminder, also if some are due later that day. */
export function dueReminders({ cadence, state, own }: Chased, plan: ChasePlan, now: number): DueReminder[] {
  const today = localDay(now, state.zone);
  const found: DueReminder[] = own.invoices.flatMap((chase) =>
    stepsOn(planInvoice(chase, own.days, now), today).map((due) => ({
      at: due.at,
      step: due.step,
      cadenceId: chase.cadenceId,
      plan: null,
      invoices: [{ chase, due }],
    })),
  );
  if (cadence && plan.kind === 'step' && localDay(plan.at, state.zone) <= today)
    found.unshift({ at: plan.at, step: plan.step, cadenceId: cadence.id, plan, invoices: [] });
  return [...Map.groupBy(found, ({ step }) => step.action).values()]
    .flatMap(combined)
    .filter(({ at }) => at <= now)
    .sort((one, other) => one.at - other.at);
}

function combined(reminders: readonly DueReminder[]): DueReminder[] {
  const [first] = reminders;
  if (!first) return [];
  const at = Math.min(...reminders.map((one) => one.at));
  return [{ ...first, at, invoices: reminders.flatMap(({ invoices }) => invoices) }];
}

/** The balances that a reminder asks for on a day, by currency. Unapplied money lowers them; currencies that it covers are left out. */
export function askedIn({ state }: Chased, { plan, invoices }: DueReminder, day: string): AskedBalance[] {
  const ofCustomer = plan ? askedOn(state, day).flatMap(({ items }) => items) : [];
  const items = [...ofCustomer, ...invoices.map(({ chase }) => chase.item)];
  return [...Map.groupBy(items, ({ currency }) => currency)]
    .map(([currency, ofCurrency]) => {
      const sum = ofCurrency.reduce((total, { balance }) => add(total, balance), '0');
      return { currency, balance: add(sum, negate(state.credits.get(currency) ?? '0')), items: ofCurrency };
    })
    .filter(({ balance }) => isPositive(balance))
    .sort((one, other) => (one.currency < other.currency ? -1 : 1));
}
