import { accountRoutes } from './resources/account/routes.ts';
import { apiKeyRoutes } from './resources/apiKeys/routes.ts';
import { chargeRoutes } from './resources/charges/routes.ts';
import { customerRoutes } from './resources/customers/routes.ts';
import { eventRoutes } from './resources/events/routes.ts';
import { invoiceRoutes } from './resources/invoices/routes.ts';
import { itemRoutes } from './resources/items/routes.ts';
import { paymentSourceRoutes } from './resources/paymentSources/routes.ts';
import { paymentRoutes } from './resources/payments/routes.ts';
import { planRoutes } from './resources/plans/routes.ts';
import { problemRoutes } from './resources/problems/routes.ts';
import { subscriptionRoutes } from './resources/subscriptions/routes.ts';
import { webhookAttemptRoutes } from './resources/webhookAttempts/routes.ts';
import { webhookRoutes } from './resources/webhooks/routes.ts';
import type { Route } from './route.ts';

/** Every endpoint below the base URLs, in the order of the reference. */
export const routes: readonly Route[] = [
  ...customerRoutes,
  ...paymentSourceRoutes,
  ...itemRoutes,
  ...planRoutes,
  ...subscriptionRoutes,
  ...invoiceRoutes,
  ...paymentRoutes,
  ...chargeRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...webhookAttemptRoutes,
  ...problemRoutes,
  ...accountRoutes,
  ...apiKeyRoutes,
];
