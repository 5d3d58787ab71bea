import { roundMoney, sum } from '../../billing/money/money.ts';
import type { CustomerFacts } from '../../db/queries/events/explanation.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { TimelineEntry } from '../../db/schema/timelineEntry.ts';
import { entryInWords, pastInWords } from '../timelines/timeline.ts';
import { columns, spelled, zonedTime } from './words.ts';

interface Open {
  what: string;
  currency: string;
  balance: string;
}

/** Explains a customer, per currency: open invoices, unapplied payments and credits. */
export function explainCustomer(facts: CustomerFacts, id: number): string[] {
  const owed = facts.open.map(({ number, ...rest }) => ({ what: `invoice ${number ?? ''}`, ...rest }));
  const unapplied = facts.unapplied.map(({ id: payment, ...rest }) => ({ what: `payment ${payment}`, ...rest }));
  return [
    `Customer ${facts.number}: id ${id}, ${facts.name}${facts.autopay ? ', AutoPay' : ''}`,
    '',
    'Owed: balances of open invoices',
    ...added(owed),
    '',
    'Not applied: balances of payments',
    ...added(unapplied),
    '',
    'Credit: credit balance and open credit notes',
    ...added(facts.credits),
  ];
}

function added(all: readonly Open[]): string[] {
  if (all.length === 0) return ['  nothing'];
  return [...Map.groupBy(all, ({ currency }) => currency)].flatMap(([currency, some]) => {
    const amounts = some.map(({ balance }) => roundMoney(balance, currency));
    const rows = some.map(({ what }, index) => ['', what, amounts[index] ?? '']);
    return columns([...rows, ['', 'Sum', `${spelled(amounts, currency)} = ${sum(amounts, currency)} ${currency}`]]);
  });
}

/** Past events with their actors, then planned steps. Each group keeps the order of `entries`. */
export function explainTimeline(entries: readonly Plain<TimelineEntry>[], timeZone: string): string[] {
  const past: string[][] = [];
  const coming: string[][] = [];
  for (const entry of entries) {
    const place = [zonedTime(entry.at, timeZone), `${entry.subjectType} ${entry.subjectId}`];
    const happened = pastInWords(entry, timeZone);
    const { what, why } = entryInWords(entry, timeZone);
    if (happened) past.push([...place, happened.who, happened.what]);
    else coming.push([...place, `${what}: ${why}`]);
  }
  return [
    `What happened, and who did it (${timeZone})`,
    ...columns(past),
    '',
    'What will, unless something changes',
    ...(coming.length === 0 ? ['  nothing'] : columns(coming)),
  ];
}
