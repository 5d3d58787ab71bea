import type { StoryWords } from './wording.ts';

export const es: StoryWords = {
  title: 'Uso del crédito',
  paid: 'Se han aplicado {amount} a la factura {number}.',
  added: 'Se han añadido {amount} a su saldo a favor.',
  addedPays: 'Se han añadido {amount} a su saldo a favor, con el que se pagan sus facturas pendientes o las próximas.',
  usedForInvoice: 'Con {amount} de ese importe se ha pagado la factura {number}.',
  usedForDeposit: 'Con {amount} de ese importe se ha pagado el depósito del presupuesto {number}.',
  usedOtherwise: 'Se han utilizado {amount} para otros fines.',
  left: 'Quedan {amount} en su saldo a favor.',
  leftPays: 'Quedan {amount} en su saldo a favor, con el que se pagan sus facturas pendientes o las próximas.',
  nothingLeft: 'No queda nada de ese importe.',
  canPay: 'Puede pagar sus facturas con ella.',
  restCanPay: 'De esta nota de crédito, {amount} aún no se han aplicado; con ellos se pueden pagar otras facturas.',
  lapsed: '{amount} no se han utilizado y han caducado.',
  excess: 'Además, se han añadido {amount} a su saldo a favor.',
  otherUses: 'Otros usos',
  lapsedLabel: 'Caducado',
};
