import { stateAfterReport } from '../../billing/mail/textMessage.ts';
import { failpoint } from '../../db/failpoint.ts';
import type { EntityManager } from '../../db/orm.ts';
import { storeSmsEvent } from '../../db/queries/texts/texts.ts';
import { TextMessage } from '../../db/schema/textMessage.ts';
import type { TextEvent } from '../ports/ports.ts';
import { endText, noteSent } from './ending.ts';
import { changeStop } from './recipients.ts';
import { lockText } from './sending.ts';

/** An event whose signature was checked. */
export interface NewTextEvent {
  accountId: number;
  configuration: string;
  event: TextEvent;
}

/** Stores an event of a provider of texts once, and takes its effect in the same transaction. False: it was stored before. */
export async function receiveTextEvent(
  em: EntityManager,
  { accountId, configuration, event }: NewTextEvent,
  systemNow: Date,
): Promise<boolean> {
  const type = event.kind === 'report' ? event.status : (event.keyword ?? 'other');
  const isNew = await storeSmsEvent(em, { accountId, configuration, reference: event.id, type, receivedAt: systemNow });
  if (!isNew) return false;
  if (event.kind === 'report') await takeReport(em, { accountId, event }, systemNow);
  else await takeMessage(em, { accountId, event }, systemNow);
  await failpoint('text_event.stored');
  return true;
}

async function takeMessage(
  em: EntityManager,
  { accountId, event }: { accountId: number; event: Extract<TextEvent, { kind: 'message' }> },
  systemNow: Date,
): Promise<void> {
  const { keyword, from: number } = event;
  if (keyword === 'stop' || keyword === 'start')
    await changeStop(em, { accountId, number, isStopped: keyword === 'stop' }, systemNow);
}

const LARGEST_ID = 2 ** 31 - 1;

async function takeReport(
  em: EntityManager,
  { accountId, event }: { accountId: number; event: Extract<TextEvent, { kind: 'report' }> },
  systemNow: Date,
): Promise<void> {
  const { textId: id, reference, report, isStopped } = event;
  if (id > LARGEST_ID || report === null || !(await em.findOne(TextMessage, { accountId, id }))) return;
  em.clear();
  const locked = await lockText(em, { accountId, id }, systemNow);
  const { text } = locked;
  if (text.reference && text.reference !== reference) return;
  if (isStopped && text.number !== '') await changeStop(em, { accountId, number: text.number, isStopped }, systemNow);
  const state = stateAfterReport(text.state, report);
  if (state === text.state) return;
  noteSent(text, { reference }, locked);
  text.state = state;
  if (state === 'undeliverable' || state === 'failed')
    await endText(em, locked, { text, state, reason: event.reason ?? `the provider reported ${event.status}` });
}
