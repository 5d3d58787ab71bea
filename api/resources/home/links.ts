import type { Area } from '../../../billing/people/permissions.ts';
import type { GoLiveFacts, WaitingKind } from '../../../db/queries/reports/desk.ts';
import type { AheadKind } from '../../../db/queries/reports/weekAhead.ts';

/** A request that lists what a number counts. */
export interface Link {
  path: string;
  query: Readonly<Record<string, string>>;
}

export const linkTo = (path: string, query: Link['query'] = {}): Link => ({ path, query });

/** Failed payments that are tried again. */
export const retryingLink = linkTo('/invoices', {
  'filter[autopay]': 'true',
  'filter[closed]': 'false',
  sort: 'due_date asc',
});

/** What waits for a person: the subject of the permission to read it, and its list. */
export const waitingLists: Readonly<Record<WaitingKind, { area: Area; link: Link }>> = {
  problems: { area: 'collections', link: linkTo('/problems', { sort: 'since asc' }) },
  disputes: { area: 'payments', link: linkTo('/disputes', { 'filter[status]': 'open' }) },
  held_bills: {
    area: 'documents',
    link: linkTo('/tasks', { 'filter[complete]': 'false', 'filter[action]': 'review' }),
  },
  tasks: { area: 'collections', link: linkTo('/tasks', { 'filter[complete]': 'false', sort: 'due_date asc' }) },
  unapplied_payments: { area: 'payments', link: linkTo('/reports/unapplied') },
};

/** What will happen on a day: the subject of the permission to read it, and its list. */
export const aheadLists: Readonly<Record<AheadKind, { area: Area; link(day: string): Link | null }>> = {
  renewals: {
    area: 'subscriptions',
    link: (day) => linkTo('/reports/upcoming', { start: day, end: day, by: 'subscription' }),
  },
  charges: {
    area: 'documents',
    link: () => linkTo('/invoices', { 'filter[autopay]': 'true', 'filter[closed]': 'false', sort: 'due_date asc' }),
  },
  installments: {
    area: 'documents',
    link: () => linkTo('/invoices', { 'filter[closed]': 'false', sort: 'due_date asc' }),
  },
  due: { area: 'documents', link: () => linkTo('/invoices', { 'filter[closed]': 'false', sort: 'due_date asc' }) },
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
