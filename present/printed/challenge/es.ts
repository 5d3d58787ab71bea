import type { ChallengeWords } from './wording.ts';

export const es: ChallengeWords = {
  bank: 'Banco de prueba',
  authenticateTitle: 'Confirmar',
  question: '¿Es usted?',
  why: 'Aquí el banco de la tarjeta pide a su cliente que se autentique. Esta página lo representa.',
  payment: 'Pago',
  saveCard: 'Guardar una tarjeta',
  noCharge: 'Sin cargo',
  authenticate: 'Confirmar',
  fail: 'Rechazar',
  endedTitle: 'Esta solicitud ha terminado',
  endedWhy: 'Ya se había respondido o ha esperado demasiado tiempo.',
  back: 'Volver',
  missingTitle: 'Aquí no hay nada',
  missingWhy: 'La dirección no está completa.',
  foreignTitle: 'Rechazado',
  foreignWhy: 'La respuesta procede de otro sitio.',
};
