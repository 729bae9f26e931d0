import type { Messages } from './messages.ts'

export const messages: Messages = {
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
  useAnotherAddress: 'Usar otra dirección',
  sendSignInLink: 'Recibir un enlace de acceso por correo',
  sendSignInCode: 'Recibir un código por correo',
  signOut: 'Cerrar sesión',
  signOutQuestion: '¿Seguro que quiere cerrar la sesión?',
  staySignedIn: 'Seguir con la sesión abierta',
  checkEmail: 'Revise su correo',
  linkSent: 'Hemos enviado un enlace de acceso a su correo electrónico.',
  linkSentTo: 'Hemos enviado un enlace de acceso a {email}.',
  codeSentTo: 'Hemos enviado un enlace de acceso y un código a {email}.',
  linkHint:
    'Puede tardar un minuto en llegar. Si no llega, mire en la carpeta de correo no deseado.',
  startAgain: 'Empezar de nuevo',
  sendAgain: 'Enviar un código nuevo',
  signInTo: 'Iniciar sesión en {host}',
  confirmText: 'Va a iniciar sesión como {email}.',
  confirmHint: 'Si no lo ha pedido, cierre esta página.',
  showCode: 'Escriba este código donde pidió iniciar la sesión.',
  showCodeHint: 'Si no lo ha pedido, cierre esta página y no dé el código a nadie.',
  emailText: 'Pulse el botón para iniciar sesión en {host}. El enlace funciona una sola vez.',
  emailCode: 'O escriba este código donde pidió iniciar la sesión:',
  emailKeepCode: 'No dé este código a nadie, aunque se lo pidan.',
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
  tryAnotherMethod: 'No se ha iniciado la sesión. Inténtelo de nuevo o use otra forma de acceso.',
  accountNotLinked:
    'Para confirmar su identidad, inicie sesión con la misma cuenta que usó la primera vez.',
  emailNotSent: 'No se ha podido enviar el correo. Revise la dirección e inténtelo de nuevo.',
  wrongDetails: 'No se ha podido iniciar la sesión. Compruebe que los datos son correctos.',
  wrongCode: 'El código no es correcto. Compruébelo e inténtelo de nuevo.',
  codeExpired: 'El código ya no es válido. Pida uno nuevo.',
  tooManyAttempts: 'Demasiados intentos. Inténtelo de nuevo {wait}.',
  signInFirst: 'Inicie sesión para ver esta página.',
  signInAgain:
    'Inicie sesión de nuevo para confirmar que es usted. Después podrá añadir una forma de iniciar sesión o cambiar la contraseña.',
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
  forgotPassword: '¿Ha olvidado su contraseña?',
  createAccount: 'Crear una cuenta',
  passwordLinkText: 'Le enviaremos un enlace para elegir una contraseña.',
  sendLink: 'Enviar enlace',
  messageSentTo: 'Hemos enviado un mensaje a {email}.',
  choosePassword: 'Elegir una contraseña',
  newPassword: 'Contraseña nueva',
  currentPassword: 'Contraseña actual',
  passwordHint:
    'Al menos {minLength} caracteres. Unas cuantas palabras seguidas se recuerdan bien.',
  savePassword: 'Guardar contraseña',
  changePassword: 'Cambiar contraseña',
  removePassword: 'Eliminar contraseña',
  setPasswordText: 'Su cuenta no tiene contraseña. Enviaremos un enlace a {email} para elegir una.',
  passwordTooShort: 'La contraseña es demasiado corta. Necesita al menos {minLength} caracteres.',
  passwordTooLong: 'La contraseña es demasiado larga.',
  passwordTooCommon:
    'Otras personas podrían adivinar esa contraseña, o está en una lista. Elija otra.',
  wrongPassword: 'Esa no es su contraseña actual.',
  onlySignInMethod:
    'Todavía no tiene otra forma de iniciar sesión, así que la contraseña se queda.',
  mailSignUp: 'Pulse el botón para crear su cuenta en {host}. El enlace funciona una sola vez.',
  mailExistingUser:
    'Ya tiene una cuenta en {host}. Si ha olvidado su contraseña, pulse el botón para elegir otra. El enlace funciona una sola vez.',
  mailReset:
    'Pulse el botón para elegir una contraseña nueva para {host}. El enlace funciona una sola vez.',
  mailNoUser:
    'No hay ninguna cuenta en {host} con esta dirección. Si quiere una, pulse el botón. El enlace funciona una sola vez.',
  mailNoAccount: 'No hay ninguna cuenta en {host} con esta dirección.',
  passwordChanged: 'Se ha cambiado su contraseña',
  mailChanged:
    'Se ha cambiado la contraseña de su cuenta en {host} y se ha cerrado la sesión en los demás dispositivos. Si no ha sido usted, elija ahora una nueva.',
  passwordRemoved: 'Se ha eliminado su contraseña',
  mailRemoved:
    'Se ha eliminado la contraseña de su cuenta en {host}. Si no ha sido usted, elija ahora una nueva.',
}
