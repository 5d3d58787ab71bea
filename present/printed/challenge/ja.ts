import type { ChallengeWords } from './wording.ts';

export const ja: ChallengeWords = {
  bank: 'テスト銀行',
  authenticateTitle: '認証',
  question: 'ご本人ですか？',
  why: 'ここでは、カードの発行銀行がお客様に認証をお願いします。このページはその代わりです。',
  payment: 'お支払い',
  saveCard: 'カードの保存',
  noCharge: '請求なし',
  authenticate: '認証する',
  fail: '拒否する',
  endedTitle: 'この依頼は終了しました',
  endedWhy: 'すでに回答済みか、待ち時間が長すぎました。',
  back: '戻る',
  missingTitle: 'ここには何もありません',
  missingWhy: 'アドレスが完全ではありません。',
  foreignTitle: '拒否されました',
  foreignWhy: '回答が別のサイトから送信されました。',
};
