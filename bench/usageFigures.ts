import { percent, shown } from './figures.ts';
import { type Figure, fixed } from './report.ts';
import type { UsageMeasured } from './rows/usage.ts';

export function usageFigures(measured: UsageMeasured): Figure[] {
  const { clients, batch, single, batched, raw, bill, cancellation, buffers } = measured;
  const none = { aim: '', met: null };
  const rows = batched.load.perSecond * batch;
  return [
    {
      ...none,
      what: `POST /subscriptions/:id/usage, ${clients} clients`,
      figure: shown(single.load, single.cpu),
      reference: `raw pg inserts: ${fixed(raw.single)} rows/s`,
      ratio: percent(single.load.perSecond / raw.single),
    },
    {
      ...none,
      what: `POST /subscriptions/:id/usage/batch of ${batch.toLocaleString('en')}, ${clients} clients`,
      figure: `${fixed(rows)} reports/s, ${fixed(batched.cpu / batch, 3)} ms CPU each`,
      reference: `raw pg inserts of as many: ${fixed(raw.batched)} rows/s`,
      ratio: percent(rows / raw.batched),
    },
    {
      ...none,
      what: `A bill of ${bill.records.toLocaleString('en')} usage records`,
      figure: `${fixed(bill.seconds, 1)} s, ${fixed(bill.cpu)} ms CPU; other work on the customer waited ${fixed(bill.longestLock)} ms at most`,
      reference: '',
      ratio: '',
    },
    {
      ...none,
      what: `DELETE /subscriptions/:id with ${cancellation.records.toLocaleString('en')} unbilled usage records`,
      figure: `${fixed(cancellation.seconds, 1)} s, in which the customer is locked`,
      reference: '',
      ratio: '',
    },
    {
      ...none,
      what: `Buffers of the tables of usage for a bill of ${buffers.records} records, after the bill of ${bill.records.toLocaleString('en')}`,
      figure: fixed(buffers.after),
      reference: `before: ${fixed(buffers.before)}`,
      ratio: fixed(buffers.after / buffers.before, 2),
    },
  ];
}
