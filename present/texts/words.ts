/** The usual text of a reminder, in each language into which mails are translated. Its variables are those of SMS templates. */
const reminders: Readonly<Record<string, string>> = {
  ar: '{{account_name}}: لم يُدفع بعد مبلغ {{amount}} للفاتورة {{invoice_numbers}}. ادفع هنا: {{pay_url}} أرسل STOP لإيقاف الرسائل.',
  de: '{{account_name}}: {{amount}} sind noch offen (Rechnung {{invoice_numbers}}). Hier zahlen: {{pay_url}} Mit STOP keine SMS mehr.',
  en: '{{account_name}}: {{amount}} is still open (invoice {{invoice_numbers}}). Pay here: {{pay_url}} Reply STOP to stop texts.',
  es: '{{account_name}}: quedan pendientes {{amount}} (factura {{invoice_numbers}}). Pague aquí: {{pay_url}} Responda STOP para no recibir más SMS.',
  fr: '{{account_name}} : {{amount}} restent à payer (facture {{invoice_numbers}}). Payer ici : {{pay_url}} Répondez STOP pour ne plus recevoir de SMS.',
  he: '{{account_name}}: הסכום {{amount}} טרם שולם (חשבונית {{invoice_numbers}}). לתשלום: {{pay_url}} להפסקת ההודעות השיבו STOP.',
  ja: '{{account_name}}: {{amount}}が未払いです(請求書 {{invoice_numbers}})。お支払いはこちら: {{pay_url}} 配信停止は STOP と返信してください。',
  zh: '{{account_name}}:仍有 {{amount}} 未付(发票 {{invoice_numbers}})。在此付款:{{pay_url}} 回复 STOP 停止接收短信。',
};

/** English if texts are not translated into the language. */
export function reminderWordsOf(language: string): string {
  return (Object.hasOwn(reminders, language) ? reminders[language] : reminders.en) ?? '';
}
