import type { Words } from './words.ts'

export const words: Words = {
  signInTitle: 'Logowanie',
  signOutTitle: 'Wylogowanie',
  verifyRequestTitle: 'Sprawdź pocztę',
  errorTitle: 'Błąd',
  signIn: 'Zaloguj się',
  signInWith: 'Zaloguj się przez {provider}',
  signInWithEmail: 'Zaloguj się e-mailem',
  signInWithPasskey: 'Zaloguj się kluczem dostępu',
  signUpWithPasskey: 'Utwórz konto z kluczem dostępu',
  continueTo: 'aby przejść do {host}',
  or: 'lub',
  lastUsed: 'Ostatnio użyte',
  email: 'E-mail',
  signOut: 'Wyloguj się',
  signOutQuestion: 'Czy na pewno chcesz się wylogować?',
  staySignedIn: 'Pozostań zalogowany',
  checkEmail: 'Sprawdź pocztę',
  linkSent: 'Na Twój adres e-mail wysłaliśmy link do logowania.',
  linkSentTo: 'Link do logowania wysłaliśmy na adres {email}.',
  linkHint: 'Może to potrwać minutę. Jeśli nie dotrze, zajrzyj do folderu ze spamem.',
  startAgain: 'Zacznij od nowa',
  signInTo: 'Zaloguj się do {host}',
  confirmText: 'Za chwilę zalogujesz się jako {email}.',
  confirmHint: 'Jeśli to nie Twoja prośba, zamknij tę stronę.',
  emailText: 'Naciśnij przycisk, aby zalogować się do {host}. Link działa jeden raz.',
  emailIgnore: 'Jeśli to nie Twoja prośba, zignoruj tę wiadomość.',
  backTo: 'Wróć do {host}',
  errorHeading: 'Błąd',
  errorText: 'Coś poszło nie tak i logowanie się nie udało. Spróbuj ponownie.',
  configurationHeading: 'Błąd serwera',
  configurationText:
    'Serwer jest źle skonfigurowany. To nie Twoja wina. Spróbuj później lub powiadom osobę, która prowadzi tę stronę.',
  accessDeniedHeading: 'Odmowa dostępu',
  accessDeniedText:
    'Nie masz uprawnień, aby się zalogować. Użyj innego konta lub poproś o dostęp osobę, która prowadzi tę stronę.',
  verificationHeading: 'Nie można się zalogować',
  verificationText:
    'Link do logowania nie jest już ważny. Został użyty lub wygasł. Zaloguj się ponownie, aby otrzymać nowy.',
  invalidCheckHeading: 'Zaloguj się ponownie',
  invalidCheckText:
    'Logowanie trwało zbyt długo, zostało już zakończone lub zaczęło się w innej przeglądarce.',
  notFoundHeading: 'Nie znaleziono',
  notFoundText: 'Nie ma tu takiej strony. Link może być stary lub błędnie wpisany.',
  badRequestHeading: 'Nieprawidłowe żądanie',
  badRequestText: 'Nie udało się zrozumieć żądania. Wróć i spróbuj ponownie.',
  tryAnotherWay: 'Logowanie się nie udało. Spróbuj ponownie lub zaloguj się w inny sposób.',
  accountNotLinked:
    'Aby potwierdzić tożsamość, zaloguj się tym samym kontem co za pierwszym razem.',
  emailNotSent: 'Nie udało się wysłać wiadomości. Sprawdź adres i spróbuj ponownie.',
  wrongDetails: 'Logowanie się nie udało. Sprawdź, czy dane są poprawne.',
  signInFirst: 'Zaloguj się, aby zobaczyć tę stronę.',
  formExpired:
    'Formularz był otwarty zbyt długo lub pliki cookie są zablokowane. Spróbuj ponownie.',
  unableToSignIn: 'Nie udało się zalogować. Spróbuj ponownie lub zaloguj się w inny sposób.',
  passkeyFailed:
    'Klucz dostępu nie został przyjęty. Spróbuj ponownie lub zaloguj się w inny sposób.',
  passkeyCancelled:
    'Nie użyto klucza dostępu. Spróbuj ponownie. Jeśli nie masz go na tym urządzeniu, zaloguj się w inny sposób.',
  passkeyExists: 'To urządzenie ma już klucz dostępu do tego konta. Zaloguj się nim.',
  passkeyUnsupported: 'Klucze dostępu nie działają w tej przeglądarce. Zaloguj się w inny sposób.',
}
