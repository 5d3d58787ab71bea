import type { paths } from './schema.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Paths that have this method, written as in the reference: `/invoices/{id}`. */
export type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: object } ? P : never;
}[keyof paths];

type Operation<M extends Method, P extends PathWith<M>> = paths[P][M];

type InPath<O> = O extends { parameters: { path: infer Path } } ? Path : unknown;
type InQuery<O> = O extends { parameters: { query?: infer Query } }
  ? [NonNullable<Query>] extends [never]
    ? unknown
    : Joined<NonNullable<Query>>
  : unknown;

/** Allows arrays for parameters that are comma-separated lists. */
type Joined<Query> = {
  [Name in keyof Query]: Name extends 'expand' | 'include' | 'sort' ? Query[Name] | readonly string[] : Query[Name];
};

/** Parameters of an operation, of path and query together. */
export type Params<M extends Method, P extends PathWith<M>> = InPath<Operation<M, P>> & InQuery<Operation<M, P>>;

interface Json<Content> {
  content: { 'application/json': Content };
}

interface Form {
  content: { 'multipart/form-data': unknown };
}

type Sent<O> = O extends { requestBody: Form & Json<infer Content> }
  ? Content | FormData
  : O extends { requestBody: Json<infer Content> }
    ? Content
    : O extends { requestBody?: infer Optional }
      ? NonNullable<Optional> extends Form & Json<infer Content>
        ? Maybe<NonNullable<Optional>, Content | FormData>
        : NonNullable<Optional> extends Json<infer Content>
          ? Maybe<NonNullable<Optional>, Content>
          : null
      : null;
type Maybe<Given, Content> = [Given] extends [never] ? null : Content | null;

/** Body of an operation. Null if it has none; a union with null if it may be omitted. */
export type Body<M extends Method, P extends PathWith<M>> = Sent<Operation<M, P>>;

type Received<Response> = Response extends Json<infer Content> ? Content : null;
type Answered<O> = O extends { responses: infer All } ? Received<All[Extract<keyof All, 200 | 201 | 204>]> : never;

/** The answers to dry runs, of subscriptions, of payments, of cadences, of documents and of tasks. No other answer resembles them. */
type Foreseen =
  | { subscription: unknown; invoices: unknown; credit_notes: unknown }
  | { payment: unknown; invoices: unknown }
  | { chasing_cadence: unknown; preview: unknown }
  | { picture: unknown }
  | { next_reminder: unknown };

/** Body of a successful response. Null if it has none. */
export type Answer<M extends Method, P extends PathWith<M>> = Exclude<Answered<Operation<M, P>>, Foreseen>;

/** Paths that have dry runs with this method. */
export type DryRunPath<M extends Method> = {
  [P in PathWith<M>]: 'dry_run' extends keyof Params<M, P> ? P : never;
}[PathWith<M>];

/** Parameters of a dry run. */
export type DryRunParams<M extends Method, P extends PathWith<M>> = Params<M, P> & { dry_run: number | true };

/** Body of the response to a dry run. */
export type DryRunAnswer<M extends Method, P extends PathWith<M>> = Extract<Answered<Operation<M, P>>, Foreseen>;

/** Paths that return a list. */
export type ListPath = {
  [P in PathWith<'get'>]: Answer<'get', P> extends readonly unknown[] ? P : never;
}[PathWith<'get'>];

/** Element of the list that a path returns. */
export type Element<P extends ListPath> = Answer<'get', P> extends readonly (infer Each)[] ? Each : never;

/** Arguments after the path of `get` and `delete`. Optional if no parameter is required. */
export type ParamsArgument<M extends Method, P extends PathWith<M>> =
  object extends Params<M, P> ? [params?: Params<M, P>] : [params: Params<M, P>];

/** Arguments after the path of `post`, `put` and `patch`: body and parameters. Optional if nothing in them is required. */
export type BodyArguments<M extends Method, P extends PathWith<M>> =
  object extends Params<M, P>
    ? null extends Body<M, P>
      ? [body?: Body<M, P>, params?: Params<M, P>]
      : [body: Body<M, P>, params?: Params<M, P>]
    : [body: Body<M, P>, params: Params<M, P>];
