import { failpoint } from '../../db/failpoint.ts';
import type { EntityManager } from '../../db/orm.ts';
import { attemptOf, storeEvent } from '../../db/queries/charges/gatewayEvents.ts';
import { enqueue } from '../../db/queries/processes/outbox.ts';
import type { GatewayEvent } from '../ports/ports.ts';

/** An event whose signature was checked. */
export interface NewGatewayEvent {
  accountId: number;
  gateway: string;
  configuration: string;
  event: GatewayEvent;
  /** The body as received. It is stored without client secrets. */
  body: string;
}

/**
 * Stores an event of a gateway once, and wakes the process of its operation, which looks at the gateway. Takes no lock, so that the gateway
 * gets its answer at once. An event about nothing that is recorded here is kept. False: the event was stored before.
 */
export async function receiveEvent(em: EntityManager, input: NewGatewayEvent, systemNow: Date): Promise<boolean> {
  const { accountId, gateway, configuration, body, event } = input;
  const { id: eventId, type, reference } = event;
  const attemptId = await firstAttempt(em, { accountId, gateway, references: [reference, event.charge] });
  const unmatched = reference === null ? ('ignored' as const) : ('unmatched' as const);
  const state = attemptId === null ? unmatched : ('received' as const);
  const stored = {
    accountId,
    configuration,
    eventId,
    type,
    reference,
    attemptId,
    body: withoutClientSecrets(body),
    state,
  };
  const isNew = await storeEvent(em, { ...stored, receivedAt: systemNow });
  if (isNew && attemptId !== null) enqueue(em, { accountId, topic: 'charge', subjectId: attemptId, dueAt: systemNow });
  await em.write();
  await failpoint('event.stored');
  return isNew;
}

/** A body without the secrets by which a browser may confirm a payment, at any depth. All else stays as it was sent. */
function withoutClientSecrets(body: string): string {
  return body.replaceAll(/"client_secret"(\s*:\s*)"(?:[^"\\]|\\.)*"/g, '"client_secret"$1null');
}

/** The attempt of the first reference that has one. */
async function firstAttempt(
  em: EntityManager,
  { references, ...of }: { accountId: number; gateway: string; references: (string | null | undefined)[] },
): Promise<number | null> {
  for (const reference of references) {
    const id = reference ? await attemptOf(em, { ...of, reference }) : null;
    if (id !== null) return id;
  }
  return null;
}
