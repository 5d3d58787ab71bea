import type { ComponentType } from 'react';
import type { SubscribingWords } from '../../words/subscribing/wording.ts';
import { Acts, type Begun, type Offered } from '../objects/acts.tsx';
import type { Own } from '../objects/read.ts';
import '../styles/subscriptions.css';
import { ChangeSubscription } from './change.tsx';
import { CancelSubscription, DropChange, KeepSubscription, RenewContract } from './ending.tsx';
import { PauseSubscription, ResumeSubscription, StayOn } from './pause.tsx';
import { hasEnded } from './standing.ts';
import { useSubscribingWords } from './words.ts';

/** What a person can do to a subscription, as far as its permissions and the subscription allow. */
export function SubscriptionActs(own: Own) {
  const { acts: words } = useSubscribingWords();
  const { row } = own;
  const act = (name: keyof SubscribingWords['acts'], Dialog: ComponentType<Begun>): Offered => ({
    name,
    label: words[name].act,
    permissions: ['subscriptions.write'],
    does: { Dialog },
  });
  const [isPaused, pauses, ends, waits] = [
    'paused',
    'pause_at_period_end',
    'cancel_at_period_end',
    'pending_renewal',
  ].map((name) => row[name] === true);
  const offered: (Offered | false)[] = hasEnded(row)
    ? []
    : [
        Boolean(waits) && act('renew', RenewContract),
        act('change', ChangeSubscription),
        Boolean(isPaused) && act('resume', ResumeSubscription),
        Boolean(pauses) && act('stayOn', StayOn),
        Boolean(ends) && act('keep', KeepSubscription),
        Boolean(row.pending_change) && act('dropChange', DropChange),
        !isPaused && !pauses && !waits && act('pause', PauseSubscription),
        act('cancel', CancelSubscription),
      ];
  return (
    <div className="care">
      <Acts own={own} offered={offered.filter((one) => one !== false)} />
    </div>
  );
}
