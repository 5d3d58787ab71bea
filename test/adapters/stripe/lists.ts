import { objectIn, type Params, textIn } from './form.ts';

interface Listed {
  id: string;
  created?: unknown;
  [details: string]: unknown;
}

/** A page of objects as Stripe lists them: newest first, at most 100, in a range of creation times, filtered by the other parameters. */
export function listPage(objects: Iterable<Listed>, params: Params) {
  const range = objectIn(params, 'created');
  const [from, to] = [Number(textIn(range, 'gte') ?? 0), Number(textIn(range, 'lt') ?? Number.POSITIVE_INFINITY)];
  const wanted = ['payment_intent', 'payment_method', 'customer'].flatMap((name) => {
    const value = textIn(params, name);
    return value === null ? [] : [[name, value] as const];
  });
  const all = [...objects]
    .filter((one) => wanted.every(([name, value]) => one[name] === value))
    .filter(({ created }) => Number(created ?? 0) >= from && Number(created ?? 0) < to)
    .toReversed()
    .toSorted((one, other) => Number(other.created ?? 0) - Number(one.created ?? 0));
  const after = textIn(params, 'starting_after');
  const rest = after === null ? all : all.slice(all.findIndex(({ id }) => id === after) + 1);
  const limit = Math.min(100, Number(textIn(params, 'limit') ?? 10));
  return { object: 'list', data: rest.slice(0, limit), has_more: rest.length > limit };
}
