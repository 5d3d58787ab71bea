import type { Presented } from '../../billing/json.ts';
import { CURRENT_VERSION } from '../../commands/kernel/caller.ts';
import type { JsonSchema } from '../body/documented.ts';
import { methodsOf, type Route } from '../framework/route.ts';
import { refTo } from '../framework/shape.ts';
import { withReads } from '../framework/stored.ts';
import { deliveredEvent } from '../resources/events.ts';
import type { RouteGroup } from '../resources/routes.ts';
import { errorComponents, errorShape } from './errors.ts';
import { headerComponents } from './headers.ts';
import { bodyNameOf, bodySchemaOf, operationOf } from './operation.ts';
import { parameterComponents, templateOf } from './parameters.ts';
import { schemasOf } from './schemas.ts';
import type { OpenApi } from './types.ts';

/** The OpenAPI 3.1 document of the API. The same routes always give the same text. */
export function openApiOf(declared: readonly RouteGroup[], publicUrl: string): OpenApi {
  const groups = declared.map((group) => ({ ...group, routes: withReads(group.routes, allRoutes(declared)) }));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Perennial',
      version: CURRENT_VERSION,
      description:
        'Billing and accounts receivable: customers, subscriptions, invoices, payments. Times are UNIX times in seconds. Amounts are JSON numbers in major currency units: 49.5 is 49.50 usd, 500 is 500 jpy.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: `${publicUrl}/api`, description: 'Live' },
      { url: `${publicUrl}/sandbox/api`, description: 'Sandbox: separate accounts and keys; no money moves' },
    ],
    tags: groups.map(({ name, description }) => ({ name, description })),
    paths: pathsOf(groups),
    webhooks: { event: { post: delivery } },
    components: {
      schemas: { ...schemasOf(kindsOf(groups)), ...bodies(groups) },
      responses: errorComponents,
      parameters: parameterComponents,
      headers: headerComponents,
      securitySchemes: securityOf(publicUrl),
    },
  };
}

function pathsOf(groups: readonly RouteGroup[]): OpenApi['paths'] {
  const paths: OpenApi['paths'] = {};
  for (const { name, routes } of groups) {
    for (const route of routes) {
      const path = templateOf(route.path);
      for (const method of methodsOf(route)) {
        paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(route, method, name) };
      }
    }
  }
  return paths;
}

const allRoutes = (groups: readonly RouteGroup[]): Route[] => groups.flatMap(({ routes }) => [...routes]);

function kindsOf(groups: readonly RouteGroup[]) {
  const answered = allRoutes(groups).flatMap(({ answer }) =>
    'kind' in answer ? [answer.kind, ...(answer.dryRun ? [answer.dryRun] : [])] : [],
  );
  return [...answered, { shape: errorShape }, { shape: deliveredEvent }];
}

function bodies(groups: readonly RouteGroup[]): Record<string, JsonSchema> {
  const named = allRoutes(groups).flatMap((route): [string, JsonSchema][] => {
    const schema = bodySchemaOf(route);
    return schema ? [[bodyNameOf(route), schema]] : [];
  });
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const delivery: Presented = {
  operationId: 'deliverEvent',
  summary: 'Event that your endpoint receives, signed according to Standard Webhooks',
  parameters: [
    ...headers(true, {
      'webhook-id': 'Id of the delivered event; repeated deliveries have the same one',
      'webhook-timestamp': 'Time of the delivery; UNIX time in seconds',
      'webhook-signature': 'One or more signatures, separated by spaces',
    }),
    ...headers(false, {
      'x-request-id': '`Request-Id` of the request that caused the event, if a request did',
      traceparent: 'Its trace (W3C Trace Context), if it has one',
    }),
  ],
  requestBody: { required: true, content: { 'application/json': { schema: refTo(deliveredEvent) } } },
  responses: { '2XX': { description: 'The endpoint accepted the event' } },
};

function headers(required: boolean, described: Record<string, string>): Presented[] {
  return Object.entries(described).map(([name, description]) => {
    return { name, in: 'header', required, description, schema: { type: 'string' } };
  });
}

function securityOf(publicUrl: string): Presented {
  const authorizationCode = {
    authorizationUrl: `${publicUrl}/oauth/authorize`,
    tokenUrl: `${publicUrl}/oauth/access_token`,
    refreshUrl: `${publicUrl}/oauth/access_token`,
    scopes: { read: 'Read everything', read_write: 'Read and change everything' },
  };
  return {
    apiKey: { type: 'http', scheme: 'basic', description: 'The API key as user name, with an empty password' },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-perennial_person',
      description: 'The session of a person, in pages of this site; `Perennial-Account` names the account',
    },
    oauth: {
      type: 'oauth2',
      flows: { authorizationCode },
      description: `In the sandbox: ${publicUrl}/sandbox/oauth/authorize and ${publicUrl}/sandbox/oauth/access_token`,
    },
  };
}
