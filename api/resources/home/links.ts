import { areaOfWork } from '../../../billing/collection/work.ts';
import type { Area } from '../../../billing/people/permissions.ts';
import { endOfDay, startOfDay } from '../../../billing/time/calendar.ts';
import type { GoLiveFacts, WaitingKind } from '../../../db/queries/reports/desk.ts';
import type { AheadKind } from '../../../db/queries/reports/weekAhead.ts';
import { unix } from '../../../present/kernel/values.ts';

/** A request that lists what a number counts. */
export interface Link {
  path: string;
  query: Readonly<Record<string, string>>;
}

export const linkTo = (path: string, query: Link['query'] = {}): Link => ({ path, query });

/** Failed payments that are tried again. */
export const retryingLink = linkTo('/reports/open_items', { only: 'retrying' });

/** What waits for a person: the subject of the permission to read it, and its list. Tasks are due before a time. */
export const waitingLists: Readonly<Record<WaitingKind, { area: Area; linkUntil(time: Date): Link }>> = {
  problems: { area: areaOfWork.problem, linkUntil: () => linkTo('/problems', { sort: 'since asc' }) },
  disputes: { area: areaOfWork.dispute, linkUntil: () => linkTo('/disputes', { 'filter[status]': 'open' }) },
  held_bills: {
    area: 'documents',
    linkUntil: () => linkTo('/tasks', { 'filter[complete]': 'false', 'filter[held]': 'true' }),
  },
  tasks: {
    area: areaOfWork.task,
    linkUntil: (time) => {
      const due = { 'filter[complete]': 'false', 'filter[due_date][lte]': String(unix(time) - 1) };
      return linkTo('/tasks', { ...due, sort: 'due_date asc' });
    },
  },
  unapplied_payments: { area: areaOfWork.unapplied_payment, linkUntil: () => linkTo('/reports/unapplied') },
};

/** Filters by a local day, and the order of its times. */
const within = (field: string, day: string, zone: string): Link['query'] => ({
  [`filter[${field}][gte]`]: String(startOfDay(day, zone) / 1000),
  [`filter[${field}][lte]`]: String(endOfDay(day, zone) / 1000 - 1),
  sort: `${field} asc`,
});

/** What will happen on a day: the subject of the permission to read it, and its list. */
export const aheadLists: Readonly<Record<AheadKind, { area: Area; link(day: string, zone: string): Link | null }>> = {
  renewals: {
    area: 'subscriptions',
    link: (day) => linkTo('/reports/upcoming', { start: day, end: day, by: 'subscription' }),
  },
  charges: {
    area: 'documents',
    link: (day) => linkTo('/reports/open_items', { charge_on: day }),
  },
  installments: { area: 'documents', link: (day) => linkTo('/reports/open_items', { installment_on: day }) },
  due: { area: 'documents', link: (day) => linkTo('/reports/open_items', { due_on: day }) },
  promises: { area: 'documents', link: (day) => linkTo('/reports/open_items', { promised_on: day }) },
  evidence: {
    area: 'payments',
    link: (day, zone) => linkTo('/disputes', { 'filter[status]': 'open', ...within('evidence_due_at', day, zone) }),
  },
  tasks: {
    area: 'collections',
    link: (day, zone) => linkTo('/tasks', { 'filter[complete]': 'false', ...within('due_date', day, zone) }),
  },
  mails: { area: 'documents', link: () => null },
};

/** The steps to go live in their order, and the request that shows what each of them makes. */
export const goLiveSteps: readonly (readonly [keyof GoLiveFacts, Link])[] = [
  ['business', linkTo('/account')],
  ['tax', linkTo('/tax_rates')],
  ['gateway', linkTo('/merchant_accounts')],
  ['mail_sender', linkTo('/mail_senders')],
  ['first_invoice', linkTo('/invoices')],
  ['colleague', linkTo('/members')],
];
