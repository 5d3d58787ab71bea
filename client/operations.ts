import type { paths } from './schema.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Paths that have this method, as in the reference: `/invoices/{id}`. */
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

/** Comma-separated texts may also be arrays. */
type Joined<Query> = {
  [Name in keyof Query]: Name extends 'expand' | 'include' | 'sort' ? Query[Name] | readonly string[] : Query[Name];
};

/** Parameters of an operation: those of its path and its query together. */
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
      ? NonNullable<Optional> extends Json<infer Content>
        ? Maybe<NonNullable<Optional>, Content>
        : null
      : null;
type Maybe<Given, Content> = [Given] extends [never] ? null : Content | null;

/** Body of an operation; null where it may be omitted or does not exist. */
export type Body<M extends Method, P extends PathWith<M>> = Sent<Operation<M, P>>;

type Received<Response> = Response extends Json<infer Content> ? Content : null;
type Answered<O> = O extends { responses: infer All } ? Received<All[Extract<keyof All, 200 | 201 | 204>]> : never;

/** Successful answer of an operation; null when it has no body. */
export type Answer<M extends Method, P extends PathWith<M>> = Answered<Operation<M, P>>;

/** Paths that return a list. */
export type ListPath = {
  [P in PathWith<'get'>]: Answer<'get', P> extends readonly unknown[] ? P : never;
}[PathWith<'get'>];

/** Element of the list at a path. */
export type Element<P extends ListPath> = Answer<'get', P> extends readonly (infer Each)[] ? Each : never;

/** Arguments after the path of a call that reads or deletes; optional where nothing is required. */
export type ParamsArgument<M extends Method, P extends PathWith<M>> =
  object extends Params<M, P> ? [params?: Params<M, P>] : [params: Params<M, P>];

/** Arguments after the path of a call that writes; optional where nothing is required. */
export type BodyArguments<M extends Method, P extends PathWith<M>> =
  object extends Params<M, P>
    ? null extends Body<M, P>
      ? [body?: Body<M, P>, params?: Params<M, P>]
      : [body: Body<M, P>, params?: Params<M, P>]
    : [body: Body<M, P>, params: Params<M, P>];
