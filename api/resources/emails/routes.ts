import type { Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { emails } from './resource.ts';

const path = '/emails';

export const emailRoutes: Route[] = [
  listRoute({ path, resource: emails, summary: 'List emails' }),
  readRoute({ path, resource: emails, summary: 'Read an email with its state and openings' }),
];
