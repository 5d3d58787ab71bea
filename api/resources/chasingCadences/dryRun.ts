import { previewCadence } from '../../../commands/chasing/preview.ts';
import type { Caller } from '../../../commands/kernel/caller.ts';
import type { ChasingCadence } from '../../../db/schema/chasingCadence.ts';
import { presentCadencePreview } from '../../../present/catalog/cadences.ts';
import * as shown from '../../framework/shape.ts';
import type { DryRun } from '../../writing/dryRun.ts';
import { cadencePreview, DEFAULT_DAYS } from './preview.ts';
import { shownCadence } from './resource.ts';

const foreseen = shown.value(
  'ChasingCadenceDryRun',
  'Cadence as the request would leave it, with the steps of the next days; nothing is stored. Ids of what does not exist yet hold only in this answer',
  {
    chasing_cadence: shown.one(shownCadence, 'Cadence as the request would leave it'),
    preview: shown.one(cadencePreview, `Preview of the next ${DEFAULT_DAYS} days, of 500 customers at most`),
  },
);

/** The dry run of routes that create or change a cadence: the cadence, and who would be asked for what in the next days. */
export const cadenceDryRun: DryRun<{ caller: Caller }, ChasingCadence> = {
  kind: { shape: foreseen },
  isCounted: false,
  isLong: true,
  answer: async (em, { input, change }, systemNow) => {
    const { result, shown: cadence } = await change();
    const { account } = input.caller;
    const asked = { account, cadenceId: result.id, days: DEFAULT_DAYS, customerId: null, after: 0 };
    const preview = await previewCadence(em, asked, systemNow);
    return { chasing_cadence: cadence, preview: presentCadencePreview(result.id, preview) };
  },
};
