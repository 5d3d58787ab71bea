import { list } from './list.ts';
import { read } from './read.ts';
import type { Resource } from './resource.ts';
import type { Route } from './route.ts';

/** Lists a resource. */
export function listRoute<Row extends object>(path: string, resource: Resource<Row>, summary: string): Route {
  return { method: 'GET', path, summary, handle: (request) => list(request, resource) };
}

/** Reads one object of a resource. */
export function readRoute<Row extends object>(path: string, resource: Resource<Row>, summary: string): Route {
  return { method: 'GET', path: `${path}/:id`, summary, handle: (request) => read(request, resource) };
}
