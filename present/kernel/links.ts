import { createHmac } from 'node:crypto';
import type { DocumentType } from '../../billing/documents/document.ts';
import type { Environment } from '../../billing/environments.ts';

const known = { origin: '' };

/** Sets the public origin, without a trailing slash. Called when a process starts. */
export function setOrigin(origin: string): void {
  known.origin = origin;
}

/** Absolute URL of a path that begins with a slash. */
export function absolute(path: string): string {
  return `${known.origin}${path}`;
}

/** Whether an address is a page of the dashboard. */
export function isDashboardUrl(url: string): boolean {
  return url.startsWith(absolute('/dashboard/')) && /^[\w/-]+$/.test(url.slice(known.origin.length));
}

/** A document with a public URL. Its token makes the URL hard to guess. */
export interface Addressed {
  accountId: number;
  id: number;
  token: string;
}

/** URL of the document's public page. */
export function documentUrl(type: DocumentType, { accountId, id, token }: Addressed): string {
  return absolute(`/documents/${accountId}/${type}/${id}/${token}`);
}

/** URL of the document's PDF. */
export function pdfUrl(type: DocumentType, document: Addressed): string {
  return `${documentUrl(type, document)}/pdf`;
}

/** URL of the page on which a customer pays an invoice, whether or not anything is left to pay. */
export function payUrlOf(invoice: Addressed): string {
  return `${documentUrl('invoice', invoice)}/pay`;
}

/** URL of the page on which a customer pays the deposit of an estimate, whether or not anything is left to pay. */
export function depositUrlOf(estimate: Addressed): string {
  return `${documentUrl('estimate', estimate)}/pay`;
}

/** A customer or a subscription. Null: it has no link yet. */
interface Linked {
  accountId: number;
  id: number;
  token?: string | null | undefined;
}

/** URL of the page on which a customer approves a payment plan; null: no approval is asked for. */
export function approvalUrl(plan: {
  accountId: number;
  id: number;
  approvalToken?: string | null | undefined;
}): string | null {
  const { accountId, id, approvalToken: token } = plan;
  return token ? absolute(`/portal/${accountId}/payment_plans/${id}/${token}/approve`) : null;
}

/** URL of a subscription's public page; null: it has none yet. */
export function subscriptionUrl({ accountId, id, token }: Linked): string | null {
  return token ? absolute(`/subscriptions/${accountId}/${id}/${token}`) : null;
}

/** URL of the PDF of a customer's latest statement; null: it has none yet. */
export function statementUrl({ accountId, id, token }: Linked): string | null {
  return token ? absolute(`/statements/${accountId}/${id}/${token}/pdf`) : null;
}

/** URL of the page on which the recipient of reminders stops them. */
export function reminderUrl({ accountId, id, token }: Addressed): string {
  return absolute(`/reminders/${accountId}/${id}/${token}`);
}

/** URL of the page on which a customer adds the payment source that AutoPay charges; null: it has none yet. */
export function sourceUrl({ accountId, id, token }: Linked): string | null {
  return token ? absolute(`/sources/${accountId}/${id}/${token}`) : null;
}

/** URL of the portal of an account's customers. */
export function portalUrl(accountId: number): string {
  return absolute(`/portal/${accountId}`);
}

/** URL of a sign-up page. */
export function signUpPageUrl({ accountId, id, token }: Addressed): string {
  return absolute(`/sign_up/${accountId}/${id}/${token}`);
}

/** URL at which a customer subscribes on its sign-up page; null: it has no pages yet. */
export function customerSignUpUrl({ accountId, id, token }: Linked): string | null {
  return token ? absolute(`/sign_up/${accountId}/customers/${id}/${customerSignUpToken(token)}`) : null;
}

/** The secret of that URL. It ends with the customer's token, but does not tell it, so it opens no other page of the customer. */
export function customerSignUpToken(token: string): string {
  return createHmac('sha256', token).update('sign_up').digest('hex').slice(0, 32);
}

/** URL of the page of a payment link. */
export function paymentLinkUrl({ accountId, id, token }: Addressed): string {
  return absolute(`/pay/${accountId}/${id}/${token}`);
}

/** Where the team of an account works: the id of its live account, and the environment. */
export interface Workplace {
  account: number;
  environment: Environment;
}

/** Lists of the dashboard by the types of their objects. */
const lists: Readonly<Record<string, string>> = {
  customer: 'customers',
  invoice: 'invoices',
  estimate: 'estimates',
  credit_note: 'credit_notes',
  payment: 'payments',
  charge: 'charges',
  refund: 'refunds',
  dispute: 'disputes',
  subscription: 'subscriptions',
  task: 'tasks',
  email: 'emails',
};

/** URL of Home in the dashboard, or of a page such as `/tasks`. */
export function dashboardUrl({ account, environment }: Workplace, page = ''): string {
  return absolute(`/dashboard/${account}/${environment}${page}`);
}

/** URL of an object in the dashboard. The PDF of a document is at the document; what has no page of its own is among the problems. */
export function objectUrl(workplace: Workplace, { type, id }: { type: string; id: number }): string {
  const list = lists[type.replace(/_pdf$/, '')];
  return dashboardUrl(workplace, list === undefined ? '/problems' : `/${list}/${id}`);
}
