import type { Words } from './words.ts'

export const words: Words = {
  signInTitle: 'Inloggen',
  signOutTitle: 'Uitloggen',
  verifyRequestTitle: 'Controleer uw e-mail',
  errorTitle: 'Fout',
  signIn: 'Inloggen',
  signInWith: 'Inloggen met {provider}',
  signInWithEmail: 'Inloggen met e-mail',
  signInWithPasskey: 'Inloggen met een passkey',
  signUpWithPasskey: 'Account maken met een passkey',
  continueTo: 'om verder te gaan naar {host}',
  or: 'of',
  lastUsed: 'Laatst gebruikt',
  email: 'E-mail',
  signOut: 'Uitloggen',
  signOutQuestion: 'Weet u zeker dat u wilt uitloggen?',
  staySignedIn: 'Ingelogd blijven',
  checkEmail: 'Controleer uw e-mail',
  linkSent: 'Er is een inloglink naar uw e-mailadres gestuurd.',
  linkSentTo: 'Er is een inloglink naar {email} gestuurd.',
  linkHint: 'Het kan een minuut duren. Komt hij niet aan, kijk dan in uw spammap.',
  startAgain: 'Opnieuw beginnen',
  signInTo: 'Inloggen bij {host}',
  confirmText: 'U staat op het punt in te loggen als {email}.',
  confirmHint: 'Hebt u dit niet aangevraagd? Sluit dan deze pagina.',
  emailText: 'Druk op de knop om in te loggen bij {host}. De link werkt één keer.',
  emailIgnore: 'Hebt u deze e-mail niet aangevraagd? Dan kunt u hem negeren.',
  backTo: 'Terug naar {host}',
  errorHeading: 'Fout',
  errorText: 'Er ging iets mis en u bent niet ingelogd. Probeer het opnieuw.',
  configurationHeading: 'Serverfout',
  configurationText:
    'De server is verkeerd ingesteld. Het ligt niet aan u. Probeer het later opnieuw, of meld het bij de beheerder van deze site.',
  accessDeniedHeading: 'Toegang geweigerd',
  accessDeniedText:
    'U hebt geen toestemming om in te loggen. Gebruik een ander account, of vraag de beheerder van deze site om toegang.',
  verificationHeading: 'Inloggen is niet gelukt',
  verificationText:
    'De inloglink is niet meer geldig. Hij is al gebruikt of verlopen. Log opnieuw in om een nieuwe te krijgen.',
  invalidCheckHeading: 'Log opnieuw in',
  invalidCheckText:
    'Het inloggen duurde te lang, was al voltooid of is in een andere browser begonnen.',
  notFoundHeading: 'Niet gevonden',
  notFoundText: 'Deze pagina bestaat hier niet. De link is misschien oud of verkeerd getypt.',
  badRequestHeading: 'Ongeldig verzoek',
  badRequestText: 'Het verzoek is niet begrepen. Ga terug en probeer het opnieuw.',
  tryAnotherWay: 'U bent niet ingelogd. Probeer het opnieuw, of log op een andere manier in.',
  accountNotLinked:
    'Log in met hetzelfde account als de eerste keer, zodat we weten dat u het bent.',
  emailNotSent: 'De e-mail kon niet worden verstuurd. Controleer het adres en probeer het opnieuw.',
  wrongDetails: 'Inloggen is mislukt. Controleer of uw gegevens kloppen.',
  signInFirst: 'Log in om deze pagina te zien.',
  formExpired:
    'Het formulier stond te lang open, of cookies zijn geblokkeerd. Probeer het opnieuw.',
  unableToSignIn: 'Inloggen is niet gelukt. Probeer het opnieuw, of log op een andere manier in.',
  passkeyFailed:
    'De passkey is niet geaccepteerd. Probeer het opnieuw, of log op een andere manier in.',
  passkeyCancelled:
    'Er is geen passkey gebruikt. Probeer het opnieuw. Hebt u er geen op dit apparaat, log dan op een andere manier in.',
  passkeyExists: 'Dit apparaat heeft al een passkey voor dit account. Log daarmee in.',
  passkeyUnsupported: 'Passkeys werken niet in deze browser. Log op een andere manier in.',
}
