import type { Gateway, Gateways } from '../../commands/ports/ports.ts';

/** The gateways of a test without merchant accounts. Entries of the map may be added and replaced later. */
export function onlyGateways(byName: ReadonlyMap<string, Gateway>): Gateways {
  return { kinds: new Map(), find: async (_accountId, name) => byName.get(name) ?? null };
}
