import type { Part, PresentedKind } from '../../framework/kind.ts';
import { presentedRelation } from '../../reading/expand.ts';
import { items } from '../items/resource.ts';
import { plans } from '../plans/resource.ts';
import { lineItem } from './shape.ts';

/** A line refers to its item and plan by the ids that they had when the line was created. */
const line: PresentedKind = {
  shape: lineItem,
  relations: {
    catalog_item: presentedRelation(() => items, 'catalog_item'),
    plan: presentedRelation(() => plans, 'plan'),
  },
};

/** The lines of a document. */
export const lines: Part = { to: () => line };
