import type { Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { disputes } from './resource.ts';

const path = '/disputes';

export const disputeRoutes: Route[] = [
  listRoute({ path, resource: disputes, summary: 'List disputes' }),
  readRoute({ path, resource: disputes, summary: 'Read a dispute' }),
];
