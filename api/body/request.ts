import { z } from 'zod';
import { type ErrorCode, errorCodeNames } from '../../billing/errorCodes.ts';
import type { Json, Presented } from '../../billing/json.ts';
import { nearest } from '../../billing/money/nearest.ts';
import { cut, Refusal } from '../../billing/refusal.ts';
import { documentationOf, documented, type JsonSchema, propertyOf } from './documented.ts';
import { textOf } from './readers.ts';
import { isSame } from './same.ts';
import { isSent } from './sent.ts';

const NOT_YET = 'is not supported yet';

/** Fields that a request may contain without effect. */
export interface WithoutEffect {
  /** Fields of the response. They are ignored in a request. */
  readOnly?: readonly string[];
  /** Fields fixed at creation. `refuseChangedFixed` accepts the current value and refuses any other. */
  fixed?: readonly string[];
  /** Fields that only a later version supports, with their defaults. Any other value is refused. */
  later?: Readonly<Record<string, Json>>;
}

/** An object of a request: its fields, those it ignores, and those it does not support yet. All other fields are unknown. */
export function object<Shape extends z.ZodRawShape>(shape: Shape, without: WithoutEffect = {}) {
  const { readOnly = [], fixed = [], later = {} } = without;
  const ignored = new Set([...readOnly, ...fixed]);
  const names = [...Object.keys(shape), ...Object.keys(later), ...ignored];
  const checked = z.unknown().transform((value, context): Record<string, unknown> => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || isSent(value)) {
      context.addIssue({ code: 'custom', message: 'must be an object' });
      return z.NEVER;
    }
    for (const [name, part] of Object.entries(value)) {
      if (Object.hasOwn(shape, name) || ignored.has(name)) continue;
      const isKnown = Object.hasOwn(later, name);
      const message = isKnown ? refusedLater(part, later[name] ?? null) : `Unknown field ${cut(name)}`;
      if (message === null) continue;
      const params = isKnown ? {} : { names, isSentence: true, errorCode: 'parameter_unknown' };
      context.addIssue({ code: 'custom', message, path: [name], params });
      return z.NEVER;
    }
    return { ...value };
  });
  return documented(checked.pipe(z.object(shape)), { schema: schemaOfObject(shape, without), presence: 'kept' });
}

/** The schema leaves out ignored and unsupported fields, which no client needs to send. */
function schemaOfObject(shape: z.ZodRawShape, { readOnly = [], fixed = [], later = {} }: WithoutEffect): JsonSchema {
  const fields = Object.entries(shape);
  const needed = fields.filter(([, field]) => documentationOf(field).presence === 'required').map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, propertyOf(field)])),
    ...(needed.length > 0 ? { required: needed } : {}),
    additionalProperties: false,
    ...(readOnly.length > 0 ? { 'x-ignored': [...readOnly] } : {}),
    ...(fixed.length > 0 ? { 'x-fixed': [...fixed] } : {}),
    ...(Object.keys(later).length > 0 ? { 'x-not-supported-yet': Object.keys(later) } : {}),
  };
}

/** A suggestion for an unknown field. Only the first unknown field gets one, because comparing names is costly. */
function hintOf(name: unknown, names: unknown): string {
  if (typeof name !== 'string' || !Array.isArray(names)) return '';
  const meant = nearest(name, names);
  return meant === null ? '' : `; did you mean ${meant}?`;
}

/** The error for a field that is not supported yet. Null when the value is empty or equals the default. */
function refusedLater(value: unknown, initial: Json): string | null {
  if (value === null || value === undefined || textOf(value) === '') return null;
  return isSame(value, initial) ? null : NOT_YET;
}

/** Parses a request, or the value of a parameter, by its schema. Throws a Refusal for the first field that does not fit. */
export function parse<Output>(schema: z.ZodType<Output>, value: unknown, parameter?: string): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = (issue?.path ?? []).filter((part) => typeof part !== 'symbol');
  // The messages of the schema library are whole sentences. Others say in `params` whether they are; if not, they continue one.
  const params: Record<string, unknown> | undefined = issue?.code === 'custom' ? issue.params : { isSentence: true };
  const message = `${issue?.message ?? 'The request is not valid'}${hintOf(path.at(-1), params?.names)}`;
  const label = path.length === 0 && parameter !== undefined ? parameter : labelOf(path);
  throw new Refusal(
    errorCodeOf(params?.errorCode),
    params?.isSentence ? message : `${label} ${message}`,
    parameter ?? paramOf(path),
  );
}

/** The code that an issue names; else its value is wrong. */
function errorCodeOf(named: unknown): ErrorCode {
  return errorCodeNames.find((code) => code === named) ?? 'parameter_invalid';
}

/** The path as `items[0][unit_cost]`; undefined for the body as a whole. */
export function paramOf(path: readonly (string | number)[]): string | undefined {
  const [first, ...rest] = path;
  return first === undefined ? undefined : `${first}${rest.map((part) => `[${part}]`).join('')}`;
}

/** "Unit cost" for a field, "items[0]" for an element of a list. */
export function labelOf(path: readonly (string | number)[]): string {
  const last = path.at(-1);
  if (last === undefined) return 'The request';
  if (typeof last === 'number') return paramOf(path) ?? '';
  const words = last.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The id under a name or its alias. Null when both are absent. Throws a Refusal for two different ids. */
export function oneOf<Name extends string, Alias extends string>(
  body: { [Key in Name | Alias]?: number | null | undefined },
  name: Name,
  alias: Alias,
): number | null {
  const [own, other] = [body[name] ?? null, body[alias] ?? null];
  if (own !== null && other !== null && own !== other)
    throw new Refusal('parameter_invalid', `${name} and ${alias} are aliases: send only one of them`, alias);
  return own ?? other;
}

type Given<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** Drops undefined values, so that fields absent from an update stay absent. */
export function definedOnly<Values extends object>(values: Values): Given<Values>;
export function definedOnly(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/**
 * Throws a Refusal when a request changes a field that is fixed at creation. The current value is accepted, so that a client can read an
 * object, change it and send it back.
 */
export function refuseChangedFixed(schema: z.ZodType, sent: unknown, shown: Presented): void {
  if (typeof sent !== 'object' || sent === null) return;
  for (const name of fixedIn(schema)) {
    if (!Object.hasOwn(sent, name) || isSame(Reflect.get(sent, name), shown[name] ?? null)) continue;
    throw new Refusal(
      'parameter_invalid',
      `${labelOf([name])} cannot be changed: delete the object and create it again instead`,
      name,
    );
  }
}

function fixedIn(schema: z.ZodType): string[] {
  const fixed = documentationOf(schema).schema['x-fixed'];
  return Array.isArray(fixed) ? fixed.filter((name) => typeof name === 'string') : [];
}
