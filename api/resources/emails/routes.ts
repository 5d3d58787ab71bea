import { listRoute, readRoute } from '../../readRoutes.ts';
import type { Route } from '../../route.ts';
import { emails } from './resource.ts';

const path = '/emails';

export const emailRoutes: Route[] = [
  listRoute({ path, resource: emails, summary: 'List emails' }),
  readRoute({ path, resource: emails, summary: 'Read an email: what became of it, and whether it was opened' }),
];
