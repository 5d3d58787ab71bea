import type { z } from 'zod';
import type { Presented } from '../../billing/json.ts';
import { Refusal } from '../../billing/refusal.ts';
import { documentationOf } from './documented.ts';
import { labelOf } from './request.ts';
import { isSame } from './same.ts';

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
