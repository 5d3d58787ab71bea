import { formOf, type Plural } from '../printed/plural.ts';

/** The usual text of a reminder, in each language into which mails are translated. Its variables are those of SMS templates. */
const reminders: Readonly<Record<string, string>> = {
  ar: '{{account_name}}: لم يُدفع بعد مبلغ {{amount}} {invoices} {{invoice_numbers}}. ادفع هنا: {{pay_url}} أرسل STOP لإيقاف الرسائل.',
  de: '{{account_name}}: noch offen: {{amount}} ({invoices} {{invoice_numbers}}). Hier zahlen: {{pay_url}} Mit STOP keine SMS mehr.',
  en: '{{account_name}}: {{amount}} is still open ({invoices} {{invoice_numbers}}). Pay here: {{pay_url}} Reply STOP to stop texts.',
  es: '{{account_name}}: importe pendiente: {{amount}} ({invoices} {{invoice_numbers}}). Pague aquí: {{pay_url}} Responda STOP para no recibir más SMS.',
  fr: '{{account_name}} : reste à payer : {{amount}} ({invoices} {{invoice_numbers}}). Payer ici : {{pay_url}} Répondez STOP pour ne plus recevoir de SMS.',
  he: '{{account_name}}: הסכום {{amount}} טרם שולם ({invoices} {{invoice_numbers}}). לתשלום: {{pay_url}} להפסקת ההודעות השיבו STOP.',
  ja: '{{account_name}}: {{amount}}が未払いです({invoices} {{invoice_numbers}})。お支払いはこちら: {{pay_url}} 配信停止は STOP と返信してください。',
  zh: '{{account_name}}:仍有 {{amount}} 未付({invoices} {{invoice_numbers}})。在此付款:{{pay_url}} 回复 STOP 停止接收短信。',
};

/** The word before the numbers of the invoices, by their count. */
const invoices: Readonly<Record<string, Plural>> = {
  ar: { one: 'للفاتورة', two: 'للفاتورتين', other: 'للفواتير' },
  de: { one: 'Rechnung', other: 'Rechnungen' },
  en: { one: 'invoice', other: 'invoices' },
  es: { one: 'factura', other: 'facturas' },
  fr: { one: 'facture', other: 'factures' },
  he: { one: 'חשבונית', other: 'חשבוניות' },
  ja: { other: '請求書' },
  zh: { other: '账单' },
};

/** The usual text about a number of invoices. English if texts are not translated into the language. */
export function reminderWordsOf(language: string, count: number): string {
  const known = Object.hasOwn(reminders, language) ? language : 'en';
  const { [known]: text = '' } = reminders;
  const { [known]: word = { other: '' } } = invoices;
  return text.replace('{invoices}', formOf(word, known, count));
}
