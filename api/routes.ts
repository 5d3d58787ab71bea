import { accountRoutes } from './resources/account/routes.ts';
import type { Route } from './route.ts';

/** Every endpoint below the base URLs. */
export const routes: readonly Route[] = [...accountRoutes];
