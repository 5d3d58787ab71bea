import { randomBytes } from 'node:crypto';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type CodedKind, hasCode } from '../../db/queries/catalog/catalog.ts';

export interface NewCode {
  kind: CodedKind;
  accountId: number;
  /** Null: one is generated from the kind and 16 hexadecimal digits. */
  code: string | null;
}

/**
 * The code of a new catalog object, which clients see as its id. Refuses a code that another object of the same kind has, unless that one
 * is archived.
 */
export async function takeCode(em: EntityManager, { kind, accountId, code }: NewCode): Promise<string> {
  if (code === null) return `${kind}_${randomBytes(8).toString('hex')}`;
  if (await hasCode(em, { kind, accountId, code }, 'current'))
    throw new Refusal('already_taken', `Id is taken: ${code}`, 'id');
  return code;
}

/** A catalog object that a request names, and the path of its field. */
export interface NamedCode {
  code: string;
  param: string;
}

/** The codes of a list, each with the path of its field. Refuses duplicates. */
export function namedCodes(codes: readonly string[], param: string): NamedCode[] {
  return codes.map((code, index) => {
    const at = `${param}[${index}]`;
    if (codes.indexOf(code) < index) throw new Refusal('parameter_invalid', `${code} is named twice`, at);
    return { code, param: at };
  });
}

/** Sorts found objects into the order of the codes in the request. Refuses codes that were not found. */
export async function sortByCodes<Row extends { code: string }>(
  em: EntityManager,
  of: { kind: CodedKind; accountId: number; codes: readonly NamedCode[] },
  found: readonly Row[],
): Promise<Row[]> {
  const byCode = new Map(found.map((row) => [row.code, row]));
  const unknown = of.codes.find(({ code }) => !byCode.has(code));
  if (unknown) throw await unknownCode(em, { ...of, ...unknown });
  return of.codes.flatMap(({ code }) => byCode.get(code) ?? []);
}

/** The Refusal for a code that cannot be used: no object has it, or only an archived one. */
export async function unknownCode(
  em: EntityManager,
  { kind, accountId, code, param }: NamedCode & { kind: CodedKind; accountId: number },
): Promise<Refusal> {
  const what = { item: 'Item', plan: 'Plan', coupon: 'Coupon', tax_rate: 'Tax rate' }[kind];
  if (!(await hasCode(em, { kind, accountId, code }, 'any')))
    return new Refusal('resource_missing', `${what} was not found: ${code}`, param);
  return new Refusal('resource_missing', `${what} was deleted and can no longer be used: ${code}`, param);
}
