import { z } from 'zod';
import { customizedObjects } from '../../billing/customFields.ts';
import type { Presented } from '../../billing/json.ts';
import type { Permission } from '../../billing/people/permissions.ts';
import { checkMetadata, type WrittenMetadata } from '../../commands/catalog/customFields.ts';
import type { Caller } from '../../commands/kernel/caller.ts';
import type { EntityManager } from '../../db/orm.ts';
import { documentationOf, documented } from '../body/documented.ts';
import { object, refuseChangedFixed } from '../body/request.ts';
import { isSent } from '../body/sent.ts';
import type { ApiRequest, Method, ResponseDeclaration } from '../framework/apiRequest.ts';
import type { IdColumn, Kind } from '../framework/kind.ts';
import type { Resource } from '../framework/resource.ts';
import { pathKey, type Route, withBody } from '../framework/route.ts';
import { typeIn } from '../framework/shape.ts';
import { attempt, type StartAttempt } from './attempt.ts';
import { type DryRun, dryRunParameters, writeOrDryRun } from './dryRun.ts';
import { write } from './write.ts';

/** Input of a route's command, in addition to the key from the path. */
export interface Given<Body> {
  caller: Caller;
  body: Body;
  request: ApiRequest;
}

type KeyOf<Id extends IdColumn> = Id extends 'id' ? { id: number } : { code: string };

type Command<Input, Result> = (em: EntityManager, input: Input, systemNow: Date) => Promise<Result>;

interface Declared<Body> {
  path: string;
  summary: string;
  body: z.ZodType<Body>;
  /** A valid body. */
  example: Presented;
  /** Default: to write what the resource belongs to. */
  permission?: Permission;
}

/** A kind of object, and the subject of the permissions to read and write it. */
type Governed = Kind & Pick<Resource<object>, 'area'>;

export interface Creation<Body, Result> extends Declared<Body> {
  resource: Governed;
  command: Command<Given<Body>, Result>;
  present(result: Result): Presented;
  /** Absent: `create` and the name of the resource. */
  operationId?: string;
  /** Kind of the response, if it contains a secret that only this response shows. It is then stored encrypted. */
  sealed?: Kind;
  /** Absent: it has no dry run. */
  dryRun?: DryRun<Given<NoInfer<Body>>, NoInfer<Result>>;
}

/** A route that creates an object and responds with 201. */
export function createRoute<Body, Result>(rule: Creation<Body, Result>): Route {
  const { path, summary, body, example, resource, command, present, sealed, dryRun } = rule;
  const { operationId = `create${resource.shape.name}`, permission = `${resource.area}.write` } = rule;
  return withBody({
    method: 'POST',
    path,
    summary,
    body,
    example,
    operationId,
    permission,
    ...withDryRun({ statusCode: 201, kind: sealed ?? resource }, dryRun),
    handle: (request, sent) =>
      writeOrDryRun(request, {
        statusCode: 201,
        input: { caller: request.caller, body: sent, request },
        command: checkingMetadata({ resource, sent }, (em, caller, now) =>
          command(em, { caller, body: sent, request }, now),
        ),
        present,
        sealed: sealed !== undefined,
        dryRun,
      }),
  });
}

/** The metadata that a body writes: that of its object, and that of its lines. */
function metadataIn(type: string | null, body: unknown): WrittenMetadata[] {
  const object = customizedObjects.find((one) => one === type);
  if (object === undefined || typeof body !== 'object' || body === null) return [];
  const { metadata, items }: { metadata?: unknown; items?: unknown } = body;
  const own = isMetadata(metadata) ? [{ object, metadata, param: 'metadata' }] : [];
  const lines: unknown[] = Array.isArray(items) ? items : [];
  const ofLines = lines.map((line, index) =>
    metadataIn('line_item', line).map((one) => ({ ...one, param: `items[${index}][metadata]` })),
  );
  return [...own, ...ofLines.flat()];
}

/** Bodies have been read: their metadata has only texts. */
function isMetadata(value: unknown): value is Record<string, string> {
  return typeof value === 'object' && value !== null;
}

/** The command of a route, which first checks the metadata in the body by the custom fields of its objects. */
function checkingMetadata<Result>(
  { resource: { shape }, sent }: { resource: Pick<Kind, 'shape'>; sent: unknown },
  command: (em: EntityManager, caller: Caller, now: Date) => Promise<Result>,
): typeof command {
  return async (em, caller, now) => {
    await checkMetadata(em, caller.account.id, metadataIn(typeIn(shape), sent));
    return command(em, caller, now);
  };
}

/** Answer and parameters of a route that may have a dry run. */
function withDryRun(
  answer: { statusCode: 200 | 201; kind: Kind },
  dryRun: Pick<DryRun<never, never>, 'kind' | 'isCounted' | 'hasPicture'> | undefined,
  parameters: Route['parameters'] = {},
): Pick<Route, 'answer' | 'parameters'> {
  if (!dryRun) return { answer, parameters };
  return { answer: { ...answer, dryRun: dryRun.kind }, parameters: { ...dryRunParameters(dryRun), ...parameters } };
}

export interface Change<Id extends IdColumn, Body, Result> extends Declared<Body> {
  resource: Governed & { name: string; idColumn: Id };
  command: Command<Given<Body> & KeyOf<Id>, Result>;
  present(result: Result): Presented;
  /** Absent: it has no dry run. */
  dryRun?: DryRun<Given<NoInfer<Body>> & KeyOf<Id>, NoInfer<Result>>;
}

/** A route that changes the object in the path. `path` is the path of the list. */
export function updateRoute<Id extends IdColumn, Body, Result>(rule: Change<Id, Body, Result>): Route {
  const operationId = `update${rule.resource.shape.name}`;
  return changeRoute({ ...rule, method: 'PATCH', path: `${rule.path}/:id`, operationId });
}

export interface Action<Id extends IdColumn, Result> {
  method?: Method | readonly Method[];
  path: string;
  operationId: string;
  summary: string;
  permission?: Permission;
  resource: Governed & { name: string; idColumn: Id };
  command: Command<Given<unknown> & KeyOf<Id>, Result>;
  present(result: Result): Presented;
  /** Absent: it has no dry run. */
  dryRun?: DryRun<Given<unknown> & KeyOf<Id>, NoInfer<Result>>;
  /** Further query parameters. */
  parameters?: NonNullable<Route['parameters']>;
}

/** A route that performs an action on the object in the path and responds with the object. Its body has no fields. */
export function actionRoute<Id extends IdColumn, Result>(rule: Action<Id, Result>): Route {
  return withoutFields(changeRoute({ method: 'POST', ...rule, body: noFields }));
}

/**
 * Makes a route without fields treat the bodies `null`, `""`, `{}` and no body as the same request, so that they share an Idempotency-Key.
 */
export function withoutFields(route: Route): Route {
  return { ...route, handle: (request) => route.handle({ ...request, body: withoutScalar(request.body) }) };
}

/** A body without fields. Null and scalars count as empty. */
const empty = object({});
export const noFields = documented(z.unknown().transform(withoutScalar).pipe(empty), documentationOf(empty));

function withoutScalar(value: unknown): unknown {
  return typeof value !== 'object' || value === null || isSent(value) ? {} : value;
}

export interface Deletion<Id extends IdColumn> {
  path: string;
  summary: string;
  resource: Pick<Resource<object, Id>, 'name' | 'area' | 'idColumn' | 'shape'>;
  permission?: Permission;
  command: Command<Given<unknown> & KeyOf<Id>, unknown>;
}

/** A route that deletes the object in the path and responds with 204. */
export function deleteRoute<Id extends IdColumn>(rule: Deletion<Id>): Route {
  const { path, summary, resource, command, permission = `${resource.area}.write` } = rule;
  return {
    method: 'DELETE',
    path: `${path}/:id`,
    summary,
    operationId: `delete${resource.shape.name}`,
    permission,
    idColumn: resource.idColumn,
    answer: { statusCode: 204 },
    handle: (request) => {
      const key = keyIn(request, resource);
      return write(request, {
        statusCode: 204,
        command: (em, caller, now) => command(em, { ...key, caller, body: {}, request }, now),
        present: () => null,
      });
    },
  };
}

/** A change whose method, path and operation id are given. */
export type NamedChange<Id extends IdColumn, Body, Result> = Omit<Change<Id, Body, Result>, 'example'> &
  Pick<Route, 'method' | 'operationId' | 'parameters'> & { example?: Presented; statusCode?: 200 | 201 };

export function changeRoute<Id extends IdColumn, Body, Result>(rule: NamedChange<Id, Body, Result>): Route {
  const { resource, command, present, dryRun, parameters, statusCode = 200, ...route } = rule;
  return withBody({
    permission: `${resource.area}.write`,
    ...route,
    idColumn: resource.idColumn,
    ...withDryRun({ statusCode, kind: resource }, dryRun, parameters),
    handle: (request, body) => {
      const key = keyIn(request, resource);
      return writeOrDryRun(request, {
        statusCode,
        dryRun,
        input: { ...key, caller: request.caller, body, request },
        command: checkingMetadata({ resource, sent: body }, (em, caller, now) =>
          command(em, { ...key, caller, body, request }, now),
        ),
        present: (result) => {
          const shown = present(result);
          refuseChangedFixed(rule.body, request.body, shown);
          return shown;
        },
      });
    },
  });
}

/** The key of the object in the path, as commands take it. */
function keyIn<Id extends IdColumn>(request: ApiRequest, resource: Named<Id>): KeyOf<Id>;
function keyIn(request: ApiRequest, resource: Named<IdColumn>): object {
  return { [resource.idColumn]: pathKey(request, resource) };
}

type Named<Id extends IdColumn> = Pick<Resource<object, Id>, 'name' | 'idColumn' | 'hasLongIds'>;

export interface Asking<Body> extends Omit<Declared<Body>, 'example'> {
  operationId: string;
  permission: Permission;
  example?: Presented;
  answer: ResponseDeclaration;
  /** Runs before the first transaction. */
  start(request: ApiRequest, body: Body): StartAttempt | Promise<StartAttempt>;
}

/** A route that calls a gateway and responds with the outcome, or with 400 and the reason of a failure. */
export function attemptRoute<Body>({ start, ...route }: Asking<Body>): Route {
  return withBody({
    ...route,
    method: 'POST',
    handle: async (request, body) => attempt(request, await start(request, body)),
  });
}
