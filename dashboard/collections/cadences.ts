import type { Answer } from '../../client/index.ts';

export type CadenceList = 'chasing_cadences' | 'invoice_chasing_cadences';
export type Cadence = Answer<'get', '/chasing_cadences/{id}'>;
export type InvoiceCadence = Answer<'get', '/invoice_chasing_cadences/{id}'>;

export const cadencesKey = (list: CadenceList) => ['cadences', list];
