import { percent, shown } from './figures.ts';
import { type Figure, fixed } from './report.ts';
import { type BooksMeasured, PER_CUSTOMER } from './rows/books.ts';
import type { ChasingCost, ChasingMeasured, PlansMeasured } from './rows/chasing.ts';
import type { Mailed, MailsMeasured } from './rows/mails.ts';
import type { Compared, MoneyMeasured } from './rows/money.ts';
import type { PagesMeasured } from './rows/pages.ts';
import type { PreviewsMeasured } from './rows/previews.ts';

/** Time in which an event must be answered, milliseconds. */
const EVENT_AIM = 50;

export function moneyFigures({ clients, charges, refunds, slow, events }: MoneyMeasured): Figure[] {
  const none = { aim: '', met: null };
  const overhead = slow.load.p50 - slow.gateway;
  return [
    ...comparedFigures(`POST /charges, ${clients} clients`, charges),
    ...comparedFigures(`POST /charges/:id/refunds, ${clients} clients`, refunds),
    {
      ...none,
      what: `POST /charges beside a gateway of ${fixed(slow.gateway)} ms, ${slow.clients} clients`,
      figure: `${shown(slow.load, slow.cpu)}; ${fixed(slow.requests, 1)} requests a charge`,
      reference: `the gateway alone: ${fixed((slow.clients * 1000) / slow.gateway)}/s`,
      ratio: `${fixed(overhead)} ms more than the gateway (median)`,
    },
    {
      what: `POST /gateway_events, ${events.clients} clients`,
      figure: `${fixed(events.load.perSecond)}/s, p99 ${fixed(events.load.p99)} ms; until each was looked at: ${fixed(events.processed)}/s, ${fixed(events.cpu, 1)} ms CPU; at ${events.paced.perSecond}/s p50 ${fixed(events.paced.p50)} ms, p99 ${fixed(events.paced.p99)} ms`,
      reference: '',
      ratio: '',
      aim: `p99 < ${EVENT_AIM} ms at half of the rate at which they are looked at`,
      met: events.paced.p99 < EVENT_AIM,
    },
  ];
}

export function pagesFigures({ quick, slow }: PagesMeasured): Figure[] {
  const what = 'Payments on the page of an invoice';
  const none = { reference: '', aim: '', met: null };
  const overhead = slow.load.p50 - slow.gateway;
  return [
    { ...none, what: `${what}, ${quick.clients} clients`, figure: shown(quick.load, quick.cpu), ratio: '' },
    {
      ...none,
      what: `${what} beside a gateway of ${fixed(slow.gateway)} ms, ${slow.clients} clients`,
      figure: shown(slow.load, slow.cpu),
      reference: `the gateway alone: ${fixed((slow.clients * 1000) / slow.gateway)}/s`,
      ratio: `${fixed(overhead)} ms more than the gateway (median)`,
    },
  ];
}

export function previewsFigures({ clients, previews }: PreviewsMeasured): Figure[] {
  const none = { reference: '', ratio: '', aim: '', met: null };
  return previews.map(({ what, load, cpu }) => ({
    ...none,
    what: `${what}, ${clients} clients`,
    figure: shown(load, cpu),
  }));
}

export function chasingFigures(measured: ChasingMeasured): Figure[] {
  const { customers, run, replanned, due, amongFew, many, amongMany } = measured;
  const none = { reference: '', ratio: '', aim: '', met: null };
  const [all, most, few] = [customers, many, due].map((count) => count.toLocaleString('en-US'));
  return [
    { ...none, what: `A run of a cadence that mails ${all} customers`, figure: costFigure(customers, run) },
    { ...none, what: `A changed cadence: ${all} customers planned anew`, figure: costFigure(customers, replanned) },
    {
      ...none,
      what: `Growth: a step of ${few} customers among ${most}`,
      figure: costOfEach(amongMany),
      reference: `among ${all}: ${costOfEach(amongFew)}`,
      ratio: `${fixed(amongMany.rows / amongFew.rows, 2)} x the rows`,
    },
  ];
}

export function plansFigure({ count, installments, cost }: PlansMeasured): Figure {
  return {
    what: `${count.toLocaleString('en-US')} payment plans of ${installments} installments on a test clock, charged`,
    figure: costFigure(count * installments, cost),
    reference: '',
    ratio: '',
    aim: '',
    met: null,
  };
}

const costOfEach = ({ cpu, rows }: ChasingCost) => `${fixed(cpu, 1)} ms CPU and ${fixed(rows)} rows read each`;
const costFigure = (count: number, cost: ChasingCost) =>
  `${fixed(cost.seconds)} s, ${fixed(count / cost.seconds)}/s, ${costOfEach(cost)}`;

export function mailsFigures({ plain, withPdf, statements }: MailsMeasured): Figure[] {
  const none = { reference: '', ratio: '', aim: '', met: null };
  const figure = ({ count, seconds, cpu, memory }: Mailed) =>
    `${fixed(count / seconds)}/s, ${fixed(cpu, 1)} ms CPU each; memory of the worker ${fixed(memory.few)} MiB after 1,000, ${fixed(memory.all)} after all`;
  const count = plain.count.toLocaleString('en-US');
  return [
    { ...none, what: `${count} mails without a PDF`, figure: figure(plain) },
    { ...none, what: `${count} mails with the PDF of an invoice`, figure: figure(withPdf) },
    { ...none, what: `Statements of ${count} customers, mailed with their PDF`, figure: figure(statements) },
  ];
}

function comparedFigures(what: string, { product, alone, raw, statements }: Compared): Figure[] {
  const none = { aim: '', met: null };
  return [
    {
      ...none,
      what,
      figure: shown(product.load, product.cpu),
      reference: `raw pg behind bare Koa, without the gateway: ${shown(raw.load, raw.cpu)}`,
      ratio: percent(product.load.perSecond / raw.load.perSecond),
    },
    {
      ...none,
      what: `${what}, no worker running`,
      figure: shown(alone.load, alone.cpu),
      reference: `the same ${statements} statements`,
      ratio: percent(alone.load.perSecond / raw.load.perSecond),
    },
  ];
}

export function booksFigures({ invoices, audit, auditSince, matching }: BooksMeasured): Figure[] {
  const none = { reference: '', ratio: '', aim: '', met: null };
  const count = invoices.toLocaleString('en');
  return [
    { ...none, what: `npm run audit, ${count} open invoices`, figure: `${fixed(audit, 1)} s` },
    {
      ...none,
      what: `npm run audit -- --since, ${auditSince.customers} of ${(invoices / PER_CUSTOMER).toLocaleString('en')} customers changed`,
      figure: `${fixed(auditSince.seconds, 1)} s`,
    },
    {
      ...none,
      what: `GET /payments/:id/matches among ${count} open invoices, ${matching.clients} clients`,
      figure: shown(matching.load, matching.cpu),
    },
  ];
}
