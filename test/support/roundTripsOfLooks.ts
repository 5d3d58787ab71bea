import type { Trip } from './roundTrips.ts';

/** The same for settings: general ledger accounts and the look of papers. */
export const lookTrips: Record<string, Trip> = {
  'a general ledger account': {
    path: '/gl_accounts',
    created: { code: '4000', name: 'Sales', type: 'income' },
    changed: { code: '4001', name: 'Costs', type: 'expense' },
    cleared: { type: null },
  },
  'a theme': {
    path: '/themes',
    created: {
      name: 'Brand',
      default: true,
      accent_color: '#7c2d12',
      text_color: '#1c1917',
      background_color: '#fffbeb',
      dark_accent_color: '#fdba74',
      dark_text_color: '#fafaf9',
      dark_background_color: '#1c1917',
      font: 'ibm_plex_sans',
      corners: 'square',
      footer: 'Managing director: Ada',
    },
    changed: {
      name: 'Other',
      default: false,
      accent_color: '#14532d',
      text_color: '#000000',
      background_color: '#ffffff',
      dark_accent_color: '#86efac',
      dark_text_color: '#ffffff',
      dark_background_color: '#000000',
      font: 'zen_kaku_gothic',
      corners: 'round',
      footer: 'Court: Berlin',
    },
    cleared: {
      default: false,
      accent_color: null,
      text_color: null,
      background_color: null,
      dark_accent_color: null,
      dark_text_color: null,
      dark_background_color: null,
      font: 'inter',
      corners: 'round',
      footer: null,
    },
  },
};
