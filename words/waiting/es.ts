import type { WaitingWords } from './wording.ts';

export const es: WaitingWords = {
  task: {
    asked: {
      one: 'Se refiere a {count} factura abierta. Vencimiento: {day}.',
      other: 'Se refiere a {count} facturas abiertas. Primer vencimiento: {day}.',
    },
    owing: 'El cliente debe {amount} ya vencidos.',
    due: 'Estaba prevista para el {day}.',
    undated: 'No tiene fecha de vencimiento.',
  },
  promise: 'Se prometieron {amount} para el {day} y no llegaron.',
  line: 'El cliente disputa una línea: {reason}.',
  held: 'Nadie reclama la factura hasta el {day}.',
  dispute: 'El banco del pagador retiene {amount}: {reason}.',
  evidence: 'Las pruebas se deben presentar hasta el {day}.',
  failed: 'El cargo falló: {reason}.',
  again: 'Se intenta de nuevo el {day}.',
  over: 'No se intenta de nuevo.',
  arrived: '{amount} llegaron el {day} y todavía no pagan nada.',
  owed: 'El cliente debe {owed}.',
  stranger: 'No pertenece a ningún cliente.',
  problem: '{step}: {message}.',
  tried: { one: '{count} intento desde el {day}.', other: '{count} intentos desde el {day}.' },
};
