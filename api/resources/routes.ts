import type { Route } from '../framework/route.ts';
import { accountRoutes } from './account/routes.ts';
import { apiKeyRoutes } from './apiKeys.ts';
import { attachmentRoutes } from './attachments.ts';
import { auditLogRoutes } from './auditLog.ts';
import { chargeRoutes } from './charges/routes.ts';
import { chasingCadenceRoutes } from './chasingCadences/routes.ts';
import { contactRoutes } from './contacts.ts';
import { couponRoutes } from './coupons.ts';
import { creditBalanceAdjustmentRoutes } from './creditBalanceAdjustments.ts';
import { creditNoteRoutes } from './creditNotes/routes.ts';
import { customerRoutes } from './customers/routes.ts';
import { customFieldRoutes } from './customFields.ts';
import { disputeRoutes } from './disputes.ts';
import { emailRoutes } from './emails.ts';
import { emailTemplateRoutes } from './emailTemplates/routes.ts';
import { estimateRoutes } from './estimates/routes.ts';
import { eventRoutes } from './events.ts';
import { fileRoutes } from './files.ts';
import { glAccountRoutes } from './glAccounts.ts';
import { homeRoutes } from './home/routes.ts';
import { invoiceChasingCadenceRoutes } from './invoiceChasingCadences.ts';
import { invoiceRoutes } from './invoices/routes.ts';
import { itemRoutes } from './items.ts';
import { jobRoutes } from './jobs/routes.ts';
import { lateFeeScheduleRoutes } from './lateFeeSchedules.ts';
import { lineItemRoutes } from './lineItems/routes.ts';
import { mailProviderRoutes } from './mailProviders.ts';
import { mailSenderRoutes } from './mailSenders.ts';
import { merchantAccountRoutes } from './merchantAccounts.ts';
import { messageProviderRoutes } from './messageProviders.ts';
import { noteRoutes } from './notes.ts';
import { numberingRoutes } from './numbering.ts';
import { oauthApplicationRoutes } from './oauthApplications.ts';
import { oauthGrantRoutes } from './oauthGrants.ts';
import { paymentConsentRoutes } from './paymentConsents.ts';
import { paymentLinkRoutes } from './paymentLinks.ts';
import { paymentMethodRoutes } from './paymentMethods.ts';
import { paymentPlanRoutes } from './paymentPlans.ts';
import { paymentSourceRoutes } from './paymentSources.ts';
import { paymentRoutes } from './payments/routes.ts';
import { pdfTemplateRoutes } from './pdfTemplates.ts';
import { meRoutes } from './people/me.ts';
import { memberRoutes } from './people/members.ts';
import { ownerRoutes } from './people/owners.ts';
import { roleRoutes } from './people/roles.ts';
import { sessionRoutes } from './people/sessions.ts';
import { planRoutes } from './plans.ts';
import { portalSessionRoutes } from './portalSessions.ts';
import { problemRoutes } from './problems.ts';
import { refundRoutes } from './refunds/routes.ts';
import { reportScheduleRoutes } from './reportSchedules.ts';
import { reportRoutes } from './reports/routes.ts';
import { savedViewRoutes } from './savedViews.ts';
import { searchRoutes } from './search/routes.ts';
import { serviceTokenRoutes } from './serviceTokens.ts';
import { signUpPageRoutes } from './signUpPages.ts';
import { smsTemplateRoutes } from './smsTemplates.ts';
import { subscriptionRoutes } from './subscriptions/routes.ts';
import { suppressionRoutes } from './suppressions.ts';
import { taskRoutes } from './tasks.ts';
import { taxRateRoutes } from './taxRates.ts';
import { taxRuleRoutes } from './taxRules.ts';
import { testClockRoutes } from './testClocks.ts';
import { textMessageRoutes } from './textMessages.ts';
import { themeRoutes } from './themes/routes.ts';
import { usageRoutes } from './usage/routes.ts';
import { webhookAttemptRoutes } from './webhookAttempts.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { worklistRoutes } from './worklist.ts';
import { writeOffRoutes } from './writeOffs.ts';

/** A chapter of the reference with its routes. */
export interface RouteGroup {
  name: string;
  description: string;
  routes: readonly Route[];
}

/** All routes below the base URLs, in the order of the reference. */
export const routeGroups: readonly RouteGroup[] = [
  { name: 'Customers', description: 'Companies and persons that you bill.', routes: customerRoutes },
  {
    name: 'Portal sessions',
    description: 'Links of your product into the portal of a customer.',
    routes: portalSessionRoutes,
  },
  { name: 'Contacts', description: 'Persons at a customer who get emails too.', routes: contactRoutes },
  { name: 'Notes', description: 'Internal notes about customers and invoices.', routes: noteRoutes },
  { name: 'Tasks', description: 'Work of your members about customers.', routes: taskRoutes },
  {
    name: 'Worklist',
    description: 'Objects that wait for a person, by the money at risk.',
    routes: worklistRoutes,
  },
  {
    name: 'Payment sources',
    description: 'Stored cards and bank accounts.',
    routes: [...paymentSourceRoutes, ...paymentConsentRoutes],
  },
  {
    name: 'Merchant accounts',
    description: 'Your accounts at payment gateways.',
    routes: merchantAccountRoutes,
  },
  {
    name: 'Payment methods',
    description: 'Methods that your pages offer to customers, with their bounds.',
    routes: paymentMethodRoutes,
  },
  {
    name: 'Service tokens',
    description: 'Tokens of web pages for cards and bank accounts; the routes work with publishable keys.',
    routes: serviceTokenRoutes,
  },
  {
    name: 'Items',
    description: 'Catalog of products and services, from which lines of documents are filled.',
    routes: itemRoutes,
  },
  { name: 'Plans', description: 'Recurring prices for subscriptions.', routes: planRoutes },
  { name: 'Coupons', description: 'Discounts to attach to documents and subscriptions.', routes: couponRoutes },
  { name: 'Tax rates', description: 'Taxes for documents, as percentages or amounts.', routes: taxRateRoutes },
  { name: 'Tax rules', description: 'Rules that apply tax rates automatically by place.', routes: taxRuleRoutes },
  {
    name: 'Sign-up pages',
    description: 'Pages on which anybody can subscribe to your plans.',
    routes: signUpPageRoutes,
  },
  {
    name: 'Payment links',
    description: 'Pages on which anybody can pay you an amount.',
    routes: paymentLinkRoutes,
  },
  {
    name: 'Custom fields',
    description: 'Keys of `metadata` whose values are checked, shown to customers and used in reports.',
    routes: customFieldRoutes,
  },
  {
    name: 'General ledger accounts',
    description: 'Accounts of your accounting software, to which items, taxes and payment methods belong.',
    routes: glAccountRoutes,
  },
  {
    name: 'Late fee schedules',
    description: 'Terms of late fees for past-due invoices.',
    routes: lateFeeScheduleRoutes,
  },
  {
    name: 'Chasing cadences',
    description: 'Steps in which customers are asked for what they owe.',
    routes: chasingCadenceRoutes,
  },
  {
    name: 'Invoice chasing cadences',
    description: 'Steps in which single invoices are asked for.',
    routes: invoiceChasingCadenceRoutes,
  },
  { name: 'SMS templates', description: 'Words of text messages.', routes: smsTemplateRoutes },
  { name: 'PDF templates', description: 'Layouts, columns and blocks of papers.', routes: pdfTemplateRoutes },
  { name: 'Themes', description: 'Colours, logos and typefaces of papers, pages and mails.', routes: themeRoutes },
  {
    name: 'Message providers',
    description: 'Your accounts at providers of text messages.',
    routes: messageProviderRoutes,
  },
  {
    name: 'Pending line items',
    description: 'Lines for the next bill of a customer, such as metered usage, hours of work or credit.',
    routes: lineItemRoutes,
  },
  { name: 'Subscriptions', description: 'Customers on plans, billed each period.', routes: subscriptionRoutes },
  { name: 'Usage', description: 'Units of metered plans that subscriptions used.', routes: usageRoutes },
  { name: 'Invoices', description: 'Amounts that customers owe.', routes: [...invoiceRoutes, ...paymentPlanRoutes] },
  {
    name: 'Estimates',
    description: 'Offers that customers approve or decline and that can become invoices.',
    routes: estimateRoutes,
  },
  { name: 'Credit notes', description: 'Credits that reverse revenue and tax.', routes: creditNoteRoutes },
  {
    name: 'Payments',
    description: 'Received money, used credit, and the invoices that they pay.',
    routes: paymentRoutes,
  },
  {
    name: 'Credit balance adjustments',
    description: 'Manual changes of credit balances.',
    routes: creditBalanceAdjustmentRoutes,
  },
  { name: 'Charges', description: 'Charges of cards and debits of bank accounts.', routes: chargeRoutes },
  { name: 'Refunds', description: 'Money and credit that goes back to customers.', routes: refundRoutes },
  { name: 'Write-offs', description: 'Parts of invoices that are not collected.', routes: writeOffRoutes },
  { name: 'Disputes', description: 'Charges that their payers dispute with the bank.', routes: disputeRoutes },
  { name: 'Files', description: 'Files to attach to documents.', routes: [...fileRoutes, ...attachmentRoutes] },
  { name: 'Emails', description: 'Emails that were sent or are queued.', routes: emailRoutes },
  {
    name: 'Mail providers',
    description: 'Providers that tell what became of your emails.',
    routes: mailProviderRoutes,
  },
  { name: 'Suppressions', description: 'Addresses to which you send no email.', routes: suppressionRoutes },
  {
    name: 'Mail senders',
    description: 'The address that your emails come from, and the key that signs them.',
    routes: mailSenderRoutes,
  },
  { name: 'Email templates', description: 'Wording of the mails to your customers.', routes: emailTemplateRoutes },
  { name: 'Text messages', description: 'Texts that were sent or wait.', routes: textMessageRoutes },
  { name: 'Events', description: 'Changes of all objects.', routes: eventRoutes },
  { name: 'Webhooks', description: 'Endpoints of yours to which events are sent.', routes: webhookRoutes },
  {
    name: 'Webhook attempts',
    description: 'Attempts to deliver events, with their results.',
    routes: webhookAttemptRoutes,
  },
  {
    name: 'Reports',
    description:
      'Numbers with a day, a zone and a definition, from the ledger. Nothing is converted between currencies.',
    routes: reportRoutes,
  },
  { name: 'Jobs', description: 'Work that takes longer than a request: large reports.', routes: jobRoutes },
  {
    name: 'Report schedules',
    description: 'Reports that are mailed to members each day, week or month.',
    routes: reportScheduleRoutes,
  },
  {
    name: 'Test clocks',
    description: 'Clocks of the sandbox, to watch a year go by in seconds.',
    routes: testClockRoutes,
  },
  { name: 'Home', description: 'Numbers for the people who work in the account.', routes: homeRoutes },
  { name: 'Search', description: 'Everything by name, number, email, amount and id.', routes: searchRoutes },
  {
    name: 'Saved views',
    description: 'Lists with their filters, order and columns, as a member wants to find them again.',
    routes: savedViewRoutes,
  },
  { name: 'Problems', description: 'Steps that processes cannot take, with the reason.', routes: problemRoutes },
  { name: 'Numbering', description: 'Audit of document numbers and their gaps.', routes: numberingRoutes },
  {
    name: 'Audit log',
    description: 'Acts of members, keys and applications, and what was refused.',
    routes: auditLogRoutes,
  },
  { name: 'Account', description: 'Your business and its settings.', routes: accountRoutes },
  {
    name: 'Members',
    description: 'Persons who work in your account, and who you are yourself.',
    routes: [...memberRoutes, ...ownerRoutes, ...meRoutes],
  },
  {
    name: 'Sessions',
    description: 'Browsers in which you are signed in, and how you sign in. Only for pages of this site.',
    routes: sessionRoutes,
  },
  { name: 'Roles', description: 'Sets of permissions, of which each member has one.', routes: roleRoutes },
  { name: 'API keys', description: 'Keys for this API.', routes: apiKeyRoutes },
  {
    name: 'OAuth applications',
    description: 'Applications to which businesses can give access.',
    routes: oauthApplicationRoutes,
  },
  { name: 'OAuth grants', description: 'Applications that have access to this account.', routes: oauthGrantRoutes },
];

export const routes: readonly Route[] = routeGroups.flatMap((group) => group.routes);
