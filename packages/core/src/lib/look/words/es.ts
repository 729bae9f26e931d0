import type { Words } from './words.ts'

export const words: Words = {
  signInTitle: 'Iniciar sesión',
  signOutTitle: 'Cerrar sesión',
  verifyRequestTitle: 'Revise su correo',
  errorTitle: 'Error',
  signIn: 'Iniciar sesión',
  signInWith: 'Iniciar sesión con {provider}',
  signInWithEmail: 'Iniciar sesión por correo',
  signInWithPasskey: 'Iniciar sesión con una llave de acceso',
  signUpWithPasskey: 'Crear una cuenta con una llave de acceso',
  addPasskey: 'Crear una llave de acceso',
  continueTo: 'para continuar en {host}',
  or: 'o',
  lastUsed: 'Último usado',
  keepSignedIn: 'Mantener la sesión iniciada',
  email: 'Correo electrónico',
  password: 'Contraseña',
  username: 'Nombre de usuario',
  phone: 'Número de teléfono',
  code: 'Código',
  showPassword: 'Mostrar la contraseña',
  signedIn: 'Ha iniciado sesión',
  goOn: 'Continuar',
  signOut: 'Cerrar sesión',
  signOutQuestion: '¿Seguro que quiere cerrar la sesión?',
  staySignedIn: 'Seguir con la sesión abierta',
  checkEmail: 'Revise su correo',
  linkSent: 'Hemos enviado un enlace de acceso a su correo electrónico.',
  linkSentTo: 'Hemos enviado un enlace de acceso a {email}.',
  linkHint:
    'Puede tardar un minuto en llegar. Si no llega, mire en la carpeta de correo no deseado.',
  startAgain: 'Empezar de nuevo',
  signInTo: 'Iniciar sesión en {host}',
  confirmText: 'Va a iniciar sesión como {email}.',
  confirmHint: 'Si no lo ha pedido, cierre esta página.',
  emailText: 'Pulse el botón para iniciar sesión en {host}. El enlace funciona una sola vez.',
  emailIgnore: 'Si no ha pedido este correo, puede ignorarlo.',
  backTo: 'Volver a {host}',
  errorHeading: 'Error',
  errorText: 'Algo ha salido mal y no se ha iniciado la sesión. Inténtelo de nuevo.',
  configurationHeading: 'Error del servidor',
  configurationText:
    'El servidor está mal configurado. No es culpa suya. Inténtelo más tarde o avise a quien lleva este sitio.',
  accessDeniedHeading: 'Acceso denegado',
  accessDeniedText:
    'No tiene permiso para iniciar sesión. Use otra cuenta o pida acceso a quien lleva este sitio.',
  verificationHeading: 'No se puede iniciar sesión',
  verificationText:
    'El enlace de acceso ya no es válido. Puede que ya se haya usado o que haya caducado. Inicie sesión otra vez para recibir uno nuevo.',
  invalidCheckHeading: 'Inicie sesión de nuevo',
  invalidCheckText:
    'Este inicio de sesión ha tardado demasiado, ya había terminado o se empezó en otro navegador.',
  notFoundHeading: 'No encontrado',
  notFoundText: 'Esta página no existe aquí. Puede que el enlace sea antiguo o esté mal escrito.',
  badRequestHeading: 'Solicitud incorrecta',
  badRequestText: 'No se ha entendido la solicitud. Vuelva atrás e inténtelo de nuevo.',
  tryAnotherWay: 'No se ha iniciado la sesión. Inténtelo de nuevo o use otra forma de acceso.',
  accountNotLinked:
    'Para confirmar su identidad, inicie sesión con la misma cuenta que usó la primera vez.',
  emailNotSent: 'No se ha podido enviar el correo. Revise la dirección e inténtelo de nuevo.',
  wrongDetails: 'No se ha podido iniciar la sesión. Compruebe que los datos son correctos.',
  signInFirst: 'Inicie sesión para ver esta página.',
  formExpired:
    'El formulario estuvo abierto demasiado tiempo o las cookies están bloqueadas. Inténtelo de nuevo.',
  unableToSignIn:
    'No se ha podido iniciar la sesión. Inténtelo de nuevo o use otra forma de acceso.',
  passkeyFailed:
    'No se ha aceptado la llave de acceso. Inténtelo de nuevo o use otra forma de acceso.',
  passkeyCancelled:
    'No se ha usado ninguna llave de acceso. Inténtelo de nuevo. Si no tiene ninguna en este dispositivo, use otra forma de acceso.',
  passkeyExists:
    'Este dispositivo ya tiene una llave de acceso para esta cuenta. Inicie sesión con ella.',
  passkeyUnsupported:
    'Las llaves de acceso no funcionan en este navegador. Use otra forma de acceso.',
}
