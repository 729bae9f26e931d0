import type { Words } from './words.ts'

export const words: Words = {
  signInTitle: 'Connexion',
  signOutTitle: 'Déconnexion',
  verifyRequestTitle: 'Vérifiez vos e-mails',
  errorTitle: 'Erreur',
  signIn: 'Connexion',
  signInWith: 'Se connecter avec {provider}',
  signInWithEmail: 'Se connecter par e-mail',
  signInWithPasskey: 'Se connecter avec une clé d’accès',
  signUpWithPasskey: 'Créer un compte avec une clé d’accès',
  addPasskey: 'Créer une clé d’accès',
  continueTo: 'pour continuer vers {host}',
  or: 'ou',
  lastUsed: 'Dernière utilisée',
  email: 'E-mail',
  signOut: 'Se déconnecter',
  signOutQuestion: 'Voulez-vous vraiment vous déconnecter ?',
  staySignedIn: 'Rester connecté',
  checkEmail: 'Consultez vos e-mails',
  linkSent: 'Un lien de connexion a été envoyé à votre adresse e-mail.',
  linkSentTo: 'Un lien de connexion a été envoyé à {email}.',
  linkHint: 'Il peut mettre une minute à arriver. Sinon, regardez dans vos courriers indésirables.',
  startAgain: 'Recommencer',
  signInTo: 'Connexion à {host}',
  confirmText: 'Vous allez vous connecter en tant que {email}.',
  confirmHint: 'Si vous n’avez rien demandé, fermez cette page.',
  emailText:
    'Appuyez sur le bouton pour vous connecter à {host}. Le lien ne fonctionne qu’une fois.',
  emailIgnore: 'Si vous n’avez pas demandé cet e-mail, vous pouvez l’ignorer.',
  backTo: 'Retour à {host}',
  errorHeading: 'Erreur',
  errorText: 'Un problème est survenu et vous n’êtes pas connecté. Veuillez réessayer.',
  configurationHeading: 'Erreur du serveur',
  configurationText:
    'Le serveur est mal configuré. Vous n’y êtes pour rien. Réessayez plus tard, ou prévenez le responsable de ce site.',
  accessDeniedHeading: 'Accès refusé',
  accessDeniedText:
    'Vous n’êtes pas autorisé à vous connecter. Utilisez un autre compte, ou demandez l’accès au responsable de ce site.',
  verificationHeading: 'Connexion impossible',
  verificationText:
    'Le lien de connexion n’est plus valable. Il a déjà servi ou il a expiré. Connectez-vous de nouveau pour en recevoir un autre.',
  invalidCheckHeading: 'Veuillez vous reconnecter',
  invalidCheckText:
    'Cette connexion a pris trop de temps, était déjà terminée ou avait commencé dans un autre navigateur.',
  notFoundHeading: 'Page introuvable',
  notFoundText: 'Cette page n’existe pas ici. Le lien est peut-être ancien ou mal écrit.',
  badRequestHeading: 'Demande incorrecte',
  badRequestText: 'La demande n’a pas été comprise. Revenez en arrière et réessayez.',
  tryAnotherWay: 'Vous n’avez pas été connecté. Réessayez, ou connectez-vous autrement.',
  accountNotLinked:
    'Pour confirmer votre identité, connectez-vous avec le compte que vous avez utilisé la première fois.',
  emailNotSent: 'L’e-mail n’a pas pu être envoyé. Vérifiez l’adresse et réessayez.',
  wrongDetails: 'La connexion a échoué. Vérifiez les informations saisies.',
  signInFirst: 'Connectez-vous pour voir cette page.',
  formExpired:
    'Le formulaire est resté ouvert trop longtemps, ou les cookies sont bloqués. Veuillez réessayer.',
  unableToSignIn: 'La connexion a échoué. Réessayez, ou connectez-vous autrement.',
  passkeyFailed: 'La clé d’accès n’a pas été acceptée. Réessayez, ou connectez-vous autrement.',
  passkeyCancelled:
    'Aucune clé d’accès n’a été utilisée. Réessayez. Si vous n’en avez pas sur cet appareil, connectez-vous autrement.',
  passkeyExists: 'Cet appareil a déjà une clé d’accès pour ce compte. Connectez-vous avec elle.',
  passkeyUnsupported:
    'Les clés d’accès ne fonctionnent pas dans ce navigateur. Connectez-vous autrement.',
}
