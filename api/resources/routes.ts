import type { Route } from '../framework/route.ts';
import { accountRoutes } from './account/routes.ts';
import { apiKeyRoutes } from './apiKeys/routes.ts';
import { attachmentRoutes } from './attachments/routes.ts';
import { chargeRoutes } from './charges/routes.ts';
import { contactRoutes } from './contacts/routes.ts';
import { couponRoutes } from './coupons/routes.ts';
import { creditBalanceAdjustmentRoutes } from './creditBalanceAdjustments/routes.ts';
import { creditNoteRoutes } from './creditNotes/routes.ts';
import { customerRoutes } from './customers/routes.ts';
import { emailRoutes } from './emails/routes.ts';
import { estimateRoutes } from './estimates/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { fileRoutes } from './files/routes.ts';
import { invoiceRoutes } from './invoices/routes.ts';
import { itemRoutes } from './items/routes.ts';
import { lineItemRoutes } from './lineItems/routes.ts';
import { noteRoutes } from './notes/routes.ts';
import { numberingRoutes } from './numbering/routes.ts';
import { oauthApplicationRoutes } from './oauthApplications/routes.ts';
import { oauthGrantRoutes } from './oauthGrants/routes.ts';
import { paymentSourceRoutes } from './paymentSources/routes.ts';
import { paymentRoutes } from './payments/routes.ts';
import { planRoutes } from './plans/routes.ts';
import { problemRoutes } from './problems/routes.ts';
import { subscriptionRoutes } from './subscriptions/routes.ts';
import { taskRoutes } from './tasks/routes.ts';
import { taxRateRoutes } from './taxRates/routes.ts';
import { taxRuleRoutes } from './taxRules/routes.ts';
import { testClockRoutes } from './testClocks/routes.ts';
import { webhookAttemptRoutes } from './webhookAttempts/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** A chapter of the reference with its routes. */
export interface RouteGroup {
  name: string;
  description: string;
  routes: readonly Route[];
}

/** All routes below the base URLs, in the order of the reference. */
export const routeGroups: readonly RouteGroup[] = [
  { name: 'Customers', description: 'Whom you bill.', routes: customerRoutes },
  { name: 'Contacts', description: 'Whom else at a customer you write to.', routes: contactRoutes },
  { name: 'Notes', description: 'What you know about a customer or an invoice.', routes: noteRoutes },
  { name: 'Tasks', description: 'What somebody of yours has to do.', routes: taskRoutes },
  { name: 'Payment sources', description: 'Stored cards and bank accounts.', routes: paymentSourceRoutes },
  { name: 'Items', description: 'The catalog that fills the lines of documents.', routes: itemRoutes },
  { name: 'Plans', description: 'Prices that recur.', routes: planRoutes },
  { name: 'Coupons', description: 'Discounts to attach to documents and subscriptions.', routes: couponRoutes },
  { name: 'Tax rates', description: 'Taxes that documents can have.', routes: taxRateRoutes },
  { name: 'Tax rules', description: 'Where tax rates apply by themselves.', routes: taxRuleRoutes },
  {
    name: 'Pending line items',
    description: 'What the next invoice of a customer bills: metered usage, work done, credit given.',
    routes: lineItemRoutes,
  },
  { name: 'Subscriptions', description: 'Customers on plans, billed each period.', routes: subscriptionRoutes },
  { name: 'Invoices', description: 'What customers owe.', routes: invoiceRoutes },
  { name: 'Estimates', description: 'What something would cost, approved, then invoiced.', routes: estimateRoutes },
  { name: 'Credit notes', description: 'What customers are credited.', routes: creditNoteRoutes },
  { name: 'Payments', description: 'Money that came in, and what it pays.', routes: paymentRoutes },
  {
    name: 'Credit balance adjustments',
    description: 'Credit of customers, raised and lowered by hand.',
    routes: creditBalanceAdjustmentRoutes,
  },
  { name: 'Charges', description: 'Money asked from cards and bank accounts.', routes: chargeRoutes },
  { name: 'Files', description: 'What is attached to documents.', routes: [...fileRoutes, ...attachmentRoutes] },
  { name: 'Emails', description: 'Mail that went out.', routes: emailRoutes },
  { name: 'Events', description: 'Everything that happened.', routes: eventRoutes },
  { name: 'Webhooks', description: 'Endpoints of yours that events are sent to.', routes: webhookRoutes },
  { name: 'Webhook attempts', description: 'How deliveries went.', routes: webhookAttemptRoutes },
  { name: 'Test clocks', description: 'Time of the sandbox, to watch a year go by.', routes: testClockRoutes },
  { name: 'Problems', description: 'What a process cannot do, and why.', routes: problemRoutes },
  { name: 'Numbering', description: 'Numbers of documents, without gaps.', routes: numberingRoutes },
  { name: 'Account', description: 'The seller and its settings.', routes: accountRoutes },
  { name: 'API keys', description: 'Who may call.', routes: apiKeyRoutes },
  { name: 'OAuth applications', description: 'What businesses can give access to.', routes: oauthApplicationRoutes },
  { name: 'OAuth grants', description: 'Applications that have access to this account.', routes: oauthGrantRoutes },
];

export const routes: readonly Route[] = routeGroups.flatMap((group) => group.routes);
