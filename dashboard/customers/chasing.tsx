import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useFormats } from '../formats.ts';
import { PlannedStep, useChasePlan } from '../objects/planned.tsx';
import type { Own } from '../objects/read.ts';
import { can } from '../session.ts';
import { useCaringWords, useFormWords, useWords } from '../words.ts';
import { Panel } from './panel.tsx';
import { HoldStory } from './standing.tsx';

/** By which cadence the customer is asked for what it owes, what was sent last, and what comes next or why nothing does. */
export function Chasing({ row, id }: Own) {
  const { care } = useFormWords();
  const words = useWords();
  const { chasing } = useCaringWords();
  const formats = useFormats();
  const { session, me } = useRouteContext({ from: '__root__' });
  const isAllowed = can(me, 'collections.read');
  const plan = useChasePlan(id);
  const sent = useQuery({
    queryKey: ['chased last', id],
    queryFn: () =>
      session.api.get('/customers/{id}/timeline', { id: Number(id), filter: { rule: 'chased' }, per_page: 1 }),
    enabled: isAllowed,
  });
  if (!isAllowed) return null;
  const [last] = sent.data ?? [];
  const cadence = plan.data?.cadence;
  return (
    <Panel title={care.chasing} error={plan.error ?? sent.error}>
      {!plan.data && <p role="status">{words.loading}</p>}
      {plan.data && (
        <dl className="facts plan">
          <div>
            <dt>{care.cadence}</dt>
            <dd>
              <strong dir="auto">{cadence?.name ?? chasing.noCadence}</strong>
              {cadence && <p className="none">{row.chasing_cadence === cadence.id ? chasing.chosen : chasing.fits}</p>}
            </dd>
          </div>
          <div>
            <dt>{chasing.last}</dt>
            <dd>
              {last ? (
                <>
                  {formats.day(last.timestamp)} – <span dir="auto">{last.what}</span>
                </>
              ) : (
                chasing.noneYet
              )}
            </dd>
          </div>
          <div>
            <dt>{chasing.next}</dt>
            <dd>
              <PlannedStep plan={plan.data} />
              {plan.data.reason === 'credit_hold' && (
                <p className="none">
                  <HoldStory row={row} />
                </p>
              )}
            </dd>
          </div>
        </dl>
      )}
    </Panel>
  );
}
