import { useRouteContext } from '@tanstack/react-router';
import { fill } from '../../words/text.ts';
import { Panel } from '../customers/panel.tsx';
import { useFormats } from '../formats.ts';
import { textOf } from '../kinds/kind.ts';
import { useNow } from '../lists/now.ts';
import type { Own } from '../objects/read.ts';
import { useWords } from '../words.ts';
import { useReceivingWords } from './words.ts';

/** Where disputes are answered, by gateway. */
const GATEWAYS: Readonly<Record<string, { name: string; live: string; sandbox: string }>> = {
  stripe: {
    name: 'Stripe',
    live: 'https://dashboard.stripe.com/disputes/',
    sandbox: 'https://dashboard.stripe.com/test/disputes/',
  },
};

/** What is to do about a dispute, until when, and where. */
export function DisputePanel({ row }: Own) {
  const { dispute: words } = useReceivingWords();
  const { choices } = useWords();
  const formats = useFormats();
  const { place } = useRouteContext({ from: '__root__' });
  const { at: now } = useNow(row);
  const { evidence_due_at: due } = row;
  const isOpen = row.status === 'open';
  const statuses: Readonly<Record<string, string>> = choices.disputeStatus;
  const decided = statuses[textOf(row, 'status')] ?? words.title;
  const gateway = GATEWAYS[textOf(row, 'gateway')];
  return (
    <Panel title={isOpen ? words.title : decided}>
      <p>{isOpen ? words.what : words.decided}</p>
      {isOpen && typeof due === 'number' && now !== null && (
        <p>
          <strong>{fill(words.until, { day: formats.time(due), away: formats.away(due, now) })}</strong>
        </p>
      )}
      {gateway && (
        <a
          className="button secondary"
          href={`${gateway[place.environment]}${encodeURIComponent(textOf(row, 'gateway_id'))}`}
          target="_blank"
          rel="noreferrer"
        >
          {fill(words.atGateway, { gateway: gateway.name })}
        </a>
      )}
    </Panel>
  );
}
