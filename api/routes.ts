import { accountRoutes } from './resources/account/routes.ts';
import { customerRoutes } from './resources/customers/routes.ts';
import { invoiceRoutes } from './resources/invoices/routes.ts';
import { itemRoutes } from './resources/items/routes.ts';
import { planRoutes } from './resources/plans/routes.ts';
import { subscriptionRoutes } from './resources/subscriptions/routes.ts';
import type { Route } from './route.ts';

/** Every endpoint below the base URLs, in the order of the reference. */
export const routes: readonly Route[] = [
  ...accountRoutes,
  ...customerRoutes,
  ...itemRoutes,
  ...planRoutes,
  ...subscriptionRoutes,
  ...invoiceRoutes,
];
