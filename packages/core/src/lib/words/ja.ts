import type { Words } from './words.ts'

export const words: Words = {
  signInTitle: 'サインイン',
  signOutTitle: 'サインアウト',
  verifyRequestTitle: 'メールの確認',
  errorTitle: 'エラー',
  signIn: 'サインイン',
  signInWith: '{provider} でサインイン',
  signInWithEmail: 'メールでサインイン',
  signInWithPasskey: 'パスキーでサインイン',
  signUpWithPasskey: 'パスキーでアカウントを作成',
  addPasskey: 'パスキーを作成',
  continueTo: '{host} に進みます',
  or: 'または',
  lastUsed: '前回使用',
  email: 'メールアドレス',
  signOut: 'サインアウト',
  signOutQuestion: 'サインアウトしますか?',
  staySignedIn: 'サインインしたままにする',
  checkEmail: 'メールをご確認ください',
  linkSent: 'サインイン用のリンクをメールで送信しました。',
  linkSentTo: 'サインイン用のリンクを {email} に送信しました。',
  linkHint:
    '届くまで1分ほどかかることがあります。届かない場合は迷惑メールフォルダをご確認ください。',
  startAgain: '最初からやり直す',
  signInTo: '{host} にサインイン',
  confirmText: '{email} としてサインインします。',
  confirmHint: '心当たりがない場合は、このページを閉じてください。',
  emailText: 'ボタンを押して {host} にサインインしてください。リンクは一度だけ有効です。',
  emailIgnore: 'このメールに心当たりがない場合は、無視してかまいません。',
  backTo: '{host} に戻る',
  errorHeading: 'エラー',
  errorText: '問題が発生し、サインインできませんでした。もう一度お試しください。',
  configurationHeading: 'サーバーエラー',
  configurationText:
    'サーバーの設定に問題があります。お客様の操作が原因ではありません。しばらくしてからもう一度試すか、サイトの管理者にお知らせください。',
  accessDeniedHeading: 'アクセスが拒否されました',
  accessDeniedText:
    'サインインする権限がありません。別のアカウントを使うか、サイトの管理者に許可を求めてください。',
  verificationHeading: 'サインインできません',
  verificationText:
    'このリンクは無効です。使用済みか、有効期限が切れている可能性があります。もう一度サインインして新しいリンクを受け取ってください。',
  invalidCheckHeading: 'もう一度サインインしてください',
  invalidCheckText:
    'サインインに時間がかかりすぎたか、すでに完了しているか、別のブラウザで開始されています。',
  notFoundHeading: '見つかりません',
  notFoundText: 'このページは存在しません。リンクが古いか、間違っている可能性があります。',
  badRequestHeading: '不正なリクエスト',
  badRequestText: 'リクエストを理解できませんでした。戻ってもう一度お試しください。',
  tryAnotherWay: 'サインインできませんでした。もう一度試すか、別の方法でサインインしてください。',
  accountNotLinked: 'ご本人確認のため、最初に使ったアカウントでサインインしてください。',
  emailNotSent: 'メールを送信できませんでした。アドレスを確認してもう一度お試しください。',
  wrongDetails: 'サインインできませんでした。入力内容が正しいか確認してください。',
  signInFirst: 'このページを見るにはサインインしてください。',
  formExpired:
    'フォームを長時間開いていたか、Cookie がブロックされています。もう一度お試しください。',
  unableToSignIn: 'サインインできませんでした。もう一度試すか、別の方法でサインインしてください。',
  passkeyFailed:
    'パスキーが認証されませんでした。もう一度試すか、別の方法でサインインしてください。',
  passkeyCancelled:
    'パスキーは使われませんでした。もう一度お試しください。このデバイスにない場合は、別の方法でサインインしてください。',
  passkeyExists:
    'このデバイスにはこのアカウントのパスキーがすでにあります。それを使ってサインインしてください。',
  passkeyUnsupported: 'このブラウザではパスキーを使えません。別の方法でサインインしてください。',
}
