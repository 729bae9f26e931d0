import type { Messages } from './messages.ts'

export const messages: Messages = {
  signInTitle: 'Anmelden',
  signOutTitle: 'Abmelden',
  verifyRequestTitle: 'E-Mail prüfen',
  errorTitle: 'Fehler',
  signIn: 'Anmelden',
  signInWith: 'Mit {provider} anmelden',
  signInWithEmail: 'Mit E-Mail anmelden',
  signInWithPasskey: 'Mit Passkey anmelden',
  signUpWithPasskey: 'Konto mit Passkey anlegen',
  addPasskey: 'Passkey anlegen',
  continueTo: 'weiter zu {host}',
  or: 'oder',
  lastUsed: 'Zuletzt verwendet',
  keepSignedIn: 'Angemeldet bleiben',
  email: 'E-Mail',
  password: 'Passwort',
  username: 'Benutzername',
  phone: 'Telefonnummer',
  code: 'Code',
  showPassword: 'Passwort anzeigen',
  signedIn: 'Sie sind angemeldet',
  goOn: 'Weiter',
  useAnotherAddress: 'Andere Adresse verwenden',
  sendSignInLink: 'Anmeldelink per E-Mail senden',
  sendSignInCode: 'Code per E-Mail senden',
  signOut: 'Abmelden',
  signOutQuestion: 'Möchten Sie sich wirklich abmelden?',
  staySignedIn: 'Angemeldet bleiben',
  checkEmail: 'Sehen Sie in Ihre E-Mails',
  linkSent: 'Wir haben Ihnen einen Anmeldelink per E-Mail geschickt.',
  linkSentTo: 'Wir haben einen Anmeldelink an {email} geschickt.',
  codeSentTo: 'Wir haben einen Anmeldelink und einen Code an {email} geschickt.',
  linkHint: 'Es kann eine Minute dauern, bis er ankommt. Sehen Sie sonst im Spam-Ordner nach.',
  startAgain: 'Neu beginnen',
  sendAgain: 'Neuen Code senden',
  signInTo: 'Bei {host} anmelden',
  confirmText: 'Sie melden sich gleich als {email} an.',
  confirmHint: 'Wenn Sie das nicht angefordert haben, schließen Sie diese Seite.',
  showCode: 'Geben Sie diesen Code dort ein, wo Sie sich anmelden wollten.',
  showCodeHint:
    'Wenn Sie das nicht angefordert haben, schließen Sie diese Seite und geben Sie den Code niemandem.',
  emailText:
    'Drücken Sie auf die Schaltfläche, um sich bei {host} anzumelden. Der Link funktioniert einmal.',
  emailCode: 'Oder geben Sie diesen Code dort ein, wo Sie sich anmelden wollten:',
  emailKeepCode: 'Geben Sie diesen Code niemandem, auch nicht auf Nachfrage.',
  emailIgnore: 'Wenn Sie diese E-Mail nicht angefordert haben, können Sie sie ignorieren.',
  backTo: 'Zurück zu {host}',
  errorHeading: 'Fehler',
  errorText:
    'Etwas ist schiefgegangen, und Sie wurden nicht angemeldet. Bitte versuchen Sie es noch einmal.',
  configurationHeading: 'Serverfehler',
  configurationText:
    'Auf dem Server ist etwas falsch eingestellt. Es liegt nicht an Ihnen. Versuchen Sie es später noch einmal, oder sagen Sie dem Betreiber dieser Website Bescheid.',
  accessDeniedHeading: 'Zugriff verweigert',
  accessDeniedText:
    'Sie dürfen sich hier nicht anmelden. Verwenden Sie ein anderes Konto, oder bitten Sie den Betreiber dieser Website um Zugang.',
  verificationHeading: 'Anmeldung nicht möglich',
  verificationText:
    'Der Anmeldelink gilt nicht mehr. Er wurde schon verwendet oder ist abgelaufen. Melden Sie sich noch einmal an, um einen neuen zu erhalten.',
  invalidCheckHeading: 'Bitte melden Sie sich noch einmal an',
  invalidCheckText:
    'Die Anmeldung hat zu lange gedauert, war schon abgeschlossen oder wurde in einem anderen Browser begonnen.',
  notFoundHeading: 'Nicht gefunden',
  notFoundText:
    'Diese Seite gibt es hier nicht. Der Link ist vielleicht alt oder falsch geschrieben.',
  badRequestHeading: 'Ungültige Anfrage',
  badRequestText:
    'Die Anfrage war nicht zu verstehen. Gehen Sie zurück und versuchen Sie es noch einmal.',
  tryAnotherMethod:
    'Sie wurden nicht angemeldet. Versuchen Sie es noch einmal, oder melden Sie sich auf andere Weise an.',
  accountNotLinked:
    'Melden Sie sich mit demselben Konto an wie beim ersten Mal, damit wir wissen, dass Sie es sind.',
  emailNotSent:
    'Die E-Mail konnte nicht gesendet werden. Prüfen Sie die Adresse und versuchen Sie es noch einmal.',
  wrongDetails: 'Die Anmeldung ist fehlgeschlagen. Prüfen Sie, ob Ihre Angaben stimmen.',
  wrongCode: 'Der Code stimmt nicht. Prüfen Sie ihn und versuchen Sie es noch einmal.',
  codeExpired: 'Der Code gilt nicht mehr. Lassen Sie sich einen neuen senden.',
  tooManyAttempts: 'Zu viele Versuche. Versuchen Sie es {wait} noch einmal.',
  signInFirst: 'Bitte melden Sie sich an, um diese Seite zu sehen.',
  signInAgain:
    'Bitte melden Sie sich noch einmal an, um zu bestätigen, dass Sie es sind. Danach können Sie eine Anmeldemöglichkeit hinzufügen oder Ihr Passwort ändern.',
  formExpired:
    'Das Formular war zu lange offen, oder Cookies sind gesperrt. Bitte versuchen Sie es noch einmal.',
  unableToSignIn:
    'Die Anmeldung ist nicht gelungen. Versuchen Sie es noch einmal, oder melden Sie sich auf andere Weise an.',
  passkeyFailed:
    'Der Passkey wurde nicht angenommen. Versuchen Sie es noch einmal, oder melden Sie sich auf andere Weise an.',
  passkeyCancelled:
    'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal. Wenn Sie auf diesem Gerät keinen haben, melden Sie sich auf andere Weise an.',
  passkeyExists:
    'Auf diesem Gerät gibt es schon einen Passkey für dieses Konto. Melden Sie sich damit an.',
  passkeyUnsupported:
    'Passkeys funktionieren in diesem Browser nicht. Melden Sie sich auf andere Weise an.',
  forgotPassword: 'Passwort vergessen?',
  createAccount: 'Konto erstellen',
  passwordLinkText: 'Wir senden Ihnen einen Link, um ein Passwort zu wählen.',
  sendLink: 'Link senden',
  messageSentTo: 'Wir haben eine Nachricht an {email} gesendet.',
  choosePassword: 'Passwort wählen',
  newPassword: 'Neues Passwort',
  currentPassword: 'Aktuelles Passwort',
  passwordHint:
    'Mindestens {minLength} Zeichen. Ein paar Wörter hintereinander merkt man sich leicht.',
  savePassword: 'Passwort speichern',
  changePassword: 'Passwort ändern',
  removePassword: 'Passwort entfernen',
  setPasswordText:
    'Ihr Konto hat kein Passwort. Wir senden einen Link an {email}, um eines zu wählen.',
  passwordTooShort: 'Das Passwort ist zu kurz. Es braucht mindestens {minLength} Zeichen.',
  passwordTooLong: 'Das Passwort ist zu lang.',
  passwordTooCommon:
    'Andere könnten das Passwort erraten, oder es steht auf einer Liste. Wählen Sie ein anderes.',
  wrongPassword: 'Das ist nicht Ihr aktuelles Passwort.',
  onlySignInMethod: 'Sie können sich noch nicht anders anmelden, daher bleibt das Passwort.',
  mailSignUp:
    'Drücken Sie auf die Schaltfläche, um Ihr Konto bei {host} zu erstellen. Der Link funktioniert einmal.',
  mailExistingUser:
    'Sie haben bereits ein Konto bei {host}. Wenn Sie Ihr Passwort vergessen haben, drücken Sie auf die Schaltfläche, um ein neues zu wählen. Der Link funktioniert einmal.',
  mailReset:
    'Drücken Sie auf die Schaltfläche, um ein neues Passwort für {host} zu wählen. Der Link funktioniert einmal.',
  mailNoUser:
    'Bei {host} gibt es kein Konto mit dieser Adresse. Wenn Sie eines möchten, drücken Sie auf die Schaltfläche. Der Link funktioniert einmal.',
  mailNoAccount: 'Bei {host} gibt es kein Konto mit dieser Adresse.',
  passwordChanged: 'Ihr Passwort wurde geändert',
  mailChanged:
    'Das Passwort Ihres Kontos bei {host} wurde geändert, und Sie wurden auf allen anderen Geräten abgemeldet. Wenn Sie das nicht waren, wählen Sie jetzt ein neues.',
  passwordRemoved: 'Ihr Passwort wurde entfernt',
  mailRemoved:
    'Das Passwort Ihres Kontos bei {host} wurde entfernt. Wenn Sie das nicht waren, wählen Sie jetzt ein neues.',
}
