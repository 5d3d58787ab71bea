import type { Language } from './languages.ts';

/** Words of the fields for cards and bank accounts. */
export interface FieldWords {
  card: string;
  bankAccount: string;
  cardNumber: string;
  /** With the form in which it is entered. */
  expiry: string;
  securityCode: string;
  accountNumber: string;
  /** The number of a bank: of the United States, Britain, Australia, Canada, and any other country. */
  routingNumber: string;
  sortCode: string;
  bsb: string;
  transit: string;
  bankCode: string;
  /** What is wrong with a field: it is empty; it has another count of digits; it is not complete; a digit is wrong. */
  empty: string;
  digits: string;
  between: string;
  short: string;
  typo: string;
  /** What is wrong with an expiry: it is no month and year; it is in the past. */
  month: string;
  expired: string;
  /** The gateway does not take what was entered. */
  refused: string;
  /** The gateway or the connection did not answer. */
  failed: string;
}

/** Words by language code. */
export const fieldWords: Readonly<Record<Language, FieldWords>> = {
  en: {
    card: 'Card',
    bankAccount: 'Bank account',
    cardNumber: 'Card number',
    expiry: 'Expiry (MM/YY)',
    securityCode: 'Security code',
    accountNumber: 'Account number',
    routingNumber: 'Routing number',
    sortCode: 'Sort code',
    bsb: 'BSB number',
    transit: 'Transit and institution number',
    bankCode: 'Bank code',
    empty: 'Please fill in this field.',
    digits: 'This number has {digits} digits.',
    between: 'This number has {least} to {most} digits.',
    short: 'This number is not complete.',
    typo: 'This number has a typo. Please compare it once more.',
    month: 'Please enter month and year, such as 08/31.',
    expired: 'This date has passed. Please use another card.',
    refused: 'This was not accepted. Please check what you entered.',
    failed: 'This did not work. Please try again.',
  },
  ar: {
    card: 'بطاقة',
    bankAccount: 'حساب بنكي',
    cardNumber: 'رقم البطاقة',
    expiry: 'الانتهاء (شهر/سنة)',
    securityCode: 'رمز الأمان',
    accountNumber: 'رقم الحساب',
    routingNumber: 'رقم التوجيه',
    sortCode: 'رمز الفرز',
    bsb: 'رقم BSB',
    transit: 'رقم الفرع والمؤسسة',
    bankCode: 'رمز البنك',
    empty: 'يرجى ملء هذا الحقل.',
    digits: 'يتكون هذا الرقم من {digits} أرقام.',
    between: 'يتكون هذا الرقم من {least} إلى {most} رقمًا.',
    short: 'هذا الرقم غير مكتمل.',
    typo: 'يوجد خطأ في هذا الرقم. يرجى مراجعته مرة أخرى.',
    month: 'يرجى إدخال الشهر والسنة، مثل 08/31.',
    expired: 'انقضى هذا التاريخ. يرجى استخدام بطاقة أخرى.',
    refused: 'لم يتم قبول البيانات. يرجى التحقق مما أدخلته.',
    failed: 'تعذر إتمام العملية. يرجى المحاولة مرة أخرى.',
  },
  de: {
    card: 'Karte',
    bankAccount: 'Bankkonto',
    cardNumber: 'Kartennummer',
    expiry: 'Gültig bis (MM/JJ)',
    securityCode: 'Prüfnummer',
    accountNumber: 'Kontonummer',
    routingNumber: 'Bankleitzahl (Routing Number)',
    sortCode: 'Bankleitzahl (Sort Code)',
    bsb: 'Bankleitzahl (BSB)',
    transit: 'Filial- und Institutsnummer',
    bankCode: 'Bankleitzahl',
    empty: 'Bitte füllen Sie dieses Feld aus.',
    digits: 'Diese Nummer hat {digits} Ziffern.',
    between: 'Diese Nummer hat {least} bis {most} Ziffern.',
    short: 'Diese Nummer ist nicht vollständig.',
    typo: 'Diese Nummer enthält einen Tippfehler. Bitte vergleichen Sie sie noch einmal.',
    month: 'Bitte geben Sie Monat und Jahr ein, zum Beispiel 08/31.',
    expired: 'Dieses Datum ist vorbei. Bitte verwenden Sie eine andere Karte.',
    refused: 'Die Angaben wurden nicht angenommen. Bitte prüfen Sie Ihre Eingabe.',
    failed: 'Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.',
  },
  es: {
    card: 'Tarjeta',
    bankAccount: 'Cuenta bancaria',
    cardNumber: 'Número de tarjeta',
    expiry: 'Caduca (MM/AA)',
    securityCode: 'Código CVC',
    accountNumber: 'Número de cuenta',
    routingNumber: 'Número de ruta bancaria',
    sortCode: 'Código bancario (sort code)',
    bsb: 'Número BSB',
    transit: 'Número de sucursal e institución',
    bankCode: 'Código bancario',
    empty: 'Rellene este campo.',
    digits: 'Este número tiene {digits} cifras.',
    between: 'Este número tiene de {least} a {most} cifras.',
    short: 'Este número no está completo.',
    typo: 'Este número tiene un error. Compárelo de nuevo.',
    month: 'Escriba el mes y el año, por ejemplo 08/31.',
    expired: 'Esta fecha ya pasó. Utilice otra tarjeta.',
    refused: 'Los datos no se han aceptado. Compruebe lo que ha escrito.',
    failed: 'No ha funcionado. Inténtelo de nuevo.',
  },
  fr: {
    card: 'Carte',
    bankAccount: 'Compte bancaire',
    cardNumber: 'Numéro de carte',
    expiry: 'Validité (MM/AA)',
    securityCode: 'Cryptogramme',
    accountNumber: 'Numéro de compte',
    routingNumber: 'Numéro de routage',
    sortCode: 'Code bancaire (sort code)',
    bsb: 'Numéro BSB',
    transit: 'Numéros de transit et d’institution',
    bankCode: 'Code bancaire',
    empty: 'Veuillez remplir ce champ.',
    digits: 'Ce numéro comporte {digits} chiffres.',
    between: 'Ce numéro comporte de {least} à {most} chiffres.',
    short: 'Ce numéro n’est pas complet.',
    typo: 'Ce numéro contient une erreur. Veuillez le comparer à nouveau.',
    month: 'Veuillez saisir le mois et l’année, par exemple 08/31.',
    expired: 'Cette date est passée. Veuillez utiliser une autre carte.',
    refused: 'Les données n’ont pas été acceptées. Veuillez vérifier votre saisie.',
    failed: 'Une erreur est survenue. Veuillez réessayer.',
  },
  he: {
    card: 'כרטיס',
    bankAccount: 'חשבון בנק',
    cardNumber: 'מספר כרטיס',
    expiry: 'תוקף (חודש/שנה)',
    securityCode: 'קוד אבטחה',
    accountNumber: 'מספר חשבון',
    routingNumber: 'מספר ניתוב',
    sortCode: 'קוד מיון',
    bsb: 'מספר BSB',
    transit: 'מספר סניף ומוסד',
    bankCode: 'קוד בנק',
    empty: 'נא למלא את השדה הזה.',
    digits: 'במספר הזה יש {digits} ספרות.',
    between: 'במספר הזה יש {least} עד {most} ספרות.',
    short: 'המספר הזה אינו שלם.',
    typo: 'יש טעות במספר הזה. נא להשוות אותו שוב.',
    month: 'נא להזין חודש ושנה, למשל 08/31.',
    expired: 'התאריך הזה עבר. נא להשתמש בכרטיס אחר.',
    refused: 'הפרטים לא התקבלו. נא לבדוק את מה שהוזן.',
    failed: 'הפעולה לא הצליחה. נא לנסות שוב.',
  },
  ja: {
    card: 'カード',
    bankAccount: '銀行口座',
    cardNumber: 'カード番号',
    expiry: '有効期限（月/年）',
    securityCode: 'セキュリティコード',
    accountNumber: '口座番号',
    routingNumber: 'ルーティング番号',
    sortCode: 'ソートコード',
    bsb: 'BSB番号',
    transit: '支店番号と金融機関番号',
    bankCode: '銀行コード',
    empty: 'この項目を入力してください。',
    digits: 'この番号は{digits}桁です。',
    between: 'この番号は{least}～{most}桁です。',
    short: 'この番号は途中までです。',
    typo: 'この番号に誤りがあります。もう一度お確かめください。',
    month: '08/31のように、月と年を入力してください。',
    expired: 'この期限は過ぎています。別のカードをお使いください。',
    refused: '入力内容を受け付けられませんでした。ご確認ください。',
    failed: '処理できませんでした。もう一度お試しください。',
  },
  zh: {
    card: '银行卡',
    bankAccount: '银行账户',
    cardNumber: '卡号',
    expiry: '有效期（月/年）',
    securityCode: '安全码',
    accountNumber: '账号',
    routingNumber: '银行路由号码',
    sortCode: '银行代码（Sort Code）',
    bsb: 'BSB 号码',
    transit: '分行与机构号码',
    bankCode: '银行代码',
    empty: '请填写此项。',
    digits: '此号码为 {digits} 位数字。',
    between: '此号码为 {least} 至 {most} 位数字。',
    short: '此号码不完整。',
    typo: '此号码有误，请再核对一次。',
    month: '请输入月份和年份，例如 08/31。',
    expired: '此日期已过，请使用其他卡。',
    refused: '信息未被接受，请检查您的输入。',
    failed: '操作未成功，请重试。',
  },
};
