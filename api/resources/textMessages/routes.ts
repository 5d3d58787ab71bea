import type { Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { textMessages } from './resource.ts';

const path = '/text_messages';

export const textMessageRoutes: Route[] = [
  listRoute({ path, resource: textMessages, summary: 'List text messages' }),
  readRoute({ path, resource: textMessages, summary: 'Read a text message with its state' }),
];
