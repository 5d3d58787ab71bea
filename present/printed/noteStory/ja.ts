import type { StoryWords } from './wording.ts';

export const ja: StoryWords = {
  title: 'クレジットの使途',
  paid: '{amount}を請求書{number}に充当しました。',
  added: '{amount}をお客様のクレジット残高に追加しました。',
  addedPays: '{amount}をお客様のクレジット残高に追加しました。未払いまたは次回以降の請求書のお支払いに充てられます。',
  usedForInvoice: 'うち{amount}は請求書{number}のお支払いに使われました。',
  usedForDeposit: 'うち{amount}は見積書{number}の手付金のお支払いに使われました。',
  usedOtherwise: '{amount}はその他の目的に使われました。',
  left: 'クレジット残高に{amount}が残っています。',
  leftPays: 'クレジット残高に{amount}が残っています。未払いまたは次回以降の請求書のお支払いに充てられます。',
  nothingLeft: '残額はありません。',
  canPay: '請求書のお支払いにご利用いただけます。',
  restCanPay:
    'このクレジットノートのうち{amount}はまだ充当されていません。ほかの請求書のお支払いにご利用いただけます。',
  lapsed: '{amount}は使われずに失効しました。',
  excess: 'このほか、{amount}をお客様のクレジット残高に追加しました。',
  otherUses: 'その他の使途',
  lapsedLabel: '失効',
};
