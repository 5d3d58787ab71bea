import { liftSuppression } from '../../../commands/bounces/suppressions.ts';
import type { Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { deleteRoute } from '../../writing/writeRoutes.ts';
import { suppressions } from './resource.ts';

const path = '/suppressions';

export const suppressionRoutes: Route[] = [
  listRoute({ path, resource: suppressions, summary: 'List the addresses to which you send no mail' }),
  readRoute({ path, resource: suppressions, summary: 'Read a suppression' }),
  deleteRoute({
    path,
    resource: suppressions,
    summary: 'Send mail to the address again; the tasks to correct it are completed',
    command: liftSuppression,
  }),
];
