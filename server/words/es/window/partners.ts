import type { Translated } from '../../catalogue.ts';
import type { partners as english } from '../../en/window/partners.ts';

/** The partners' list, and adding one. */
export const partners: Translated<typeof english> = {
  'partners.title': 'Socios',
  'partners.add': 'Conectar una oficina',
  'partners.empty-title': 'No hay socios',
  'partners.empty-text':
    'Un socio es otra oficina que comparte listas con usted, o usted con ella. Añadirlo lleva unos dos minutos.',
  'partners.table': 'Los socios y cómo están',
  'partners.column-name': 'Socio',
  'partners.column-state': 'Estado',
  'partners.column-share': 'Compartimos',
  'partners.column-receive': 'Recibimos',
  'partners.former': 'Antiguos socios',
  'partners.former-hint': 'Ya no ven nada. Lo que había salido hacia ellos sigue constando.',
  'partners.former-until': 'hasta el {date}',
  'partners.former-left': 'Lo que salió, como archivo',
  'partners.none': 'nada',

  'add.title': 'Conectar una oficina',
  'add.which': '¿Cómo quiere conectarse?',
  'add.invite-title': 'Yo invito',
  'add.name': '¿Cómo llama usted a este socio?',
  'add.name-placeholder': 'Por ejemplo: Oficina de Sevilla',
  'add.make': 'Crear la invitación',
  'add.make-closed': 'Invitar solo en este ordenador',
  'add.invite': 'Invitación para {partner}',
  'add.invite-ready': 'Envíe esto a {partner}, por correo o por chat. Allí se pega en su Footbridge.',
  'add.invite-closed': 'Nadie fuera de este ordenador puede usar todavía esta invitación.',
  'add.open-and-renew': 'Permitir y crear otra invitación',
  'add.invite-renewed':
    'Los socios de la red ya pueden llegar a este ordenador. Esta es una invitación nueva; la anterior ya no sirve.',
  'add.invite-reaches':
    'Los socios de otros lugares ya pueden llegar a este ordenador. Esta es una invitación nueva; la anterior ya no sirve.',
  'add.invite-once': 'Cópiela ahora: no volverá a mostrarse. Sirve una vez y caduca {when}.',
  'add.qr': 'Código QR de esta invitación',
  'add.qr-text': 'Escanéelo para enviar la invitación desde el móvil.',
  'add.mail': 'Enviar por correo',
  'add.save-file': 'Guardar como archivo',
  'add.waits': 'En cuanto {partner} la use, se le preguntará aquí.',
  'add.file-name': 'Invitación de {office}',
  'add.mail-subject': 'Conectar nuestras oficinas con Footbridge',
  'add.mail-body':
    'Hola:\n\nAbra Footbridge, elija «Conectar una oficina» y pegue esta invitación. Sirve una sola vez, durante 24 horas:\n\n{invite}\n\nUn cordial saludo,\n{office}',
  'add.closed-network':
    'Su socio todavía no puede llegar a este ordenador. Esto lo abre en su red, solo a socios.',
  'add.open-and-make': 'Permitir y crear la invitación',

  'nearby.title': 'Buscar en su red',
  'nearby.text':
    'Encontrar en la misma red oficinas que también buscan socios. Entonces todos ven allí el nombre de su oficina mientras esta página esté abierta.',
  'nearby.on': 'Buscar oficinas',
  'nearby.looking': 'Buscando… Pida a la otra oficina que busque también.',
  'nearby.found': 'Así se llaman ellas mismas. Las cinco palabras muestran quiénes son.',
  'nearby.opens': 'Al invitar a una, los socios de la red podrán llegar a este ordenador.',
  'nearby.no-way': 'Este equipo no puede mirar en su red. Haga una invitación y envíela.',
  'nearby.invite': 'Invitar',
  'nearby.invite-name': 'Invitar a {name}',
  'nearby.shown': 'Allí se le ve como {office} mientras esta página esté abierta.',
  'nearby.off': 'Dejar de buscar',

  'add.paste-title': 'Me han invitado',
  'add.paste': 'Invitación',
  'add.paste-placeholder': 'Péguela aquí',
  'add.check': 'Comprobar la invitación',
  'add.open-file': 'Abrir un archivo…',
  'add.file-wrong': 'Este archivo no es una invitación. Pida una a su socio o pegue lo que le envió.',
  'add.found': 'Esta invitación dice ser de {partner}',
  'add.secure': 'La conexión va cifrada.',
  'add.insecure': 'Sin cifrar: aceptable dentro de su propia oficina, no por Internet.',
  'add.own-network': 'Esta dirección solo sirve dentro de la red de una oficina. ¿Están los dos en ella?',
  'add.only-nearby':
    'Esta invitación solo vale en su propia red. ¿Está {partner} en otro lugar? Footbridge puede pedir a su red que deje entrar a los socios; a los demás se les rechaza.',
  'add.let-in': 'Sí, dejar entrar',
  'add.stays-nearby':
    'Esta invitación solo vale en su propia red: no deja entrar a nadie desde fuera. Pida a {partner} que le invite. Si tampoco funciona, muestre los ajustes de red a la persona que se ocupa de sus ordenadores.',
  'add.only-nearby-settings': 'Abrir los ajustes de red',
  'add.relay': 'Se conectará a través de {relay}. Ve quién se conecta y cuándo, nunca lo que comparte.',
  'add.keep-open': 'Mantener una conexión abierta para que reciban lo que comparte',
  'add.reply-invite': 'No se puede llegar a este socio desde aquí. Envíele usted una invitación.',
  'add.known-name': '{partner} ya es su socio. Esta invitación actualiza la conexión.',
  'add.invite-them': 'Invitarlo',
  'add.known': 'Ya tiene este socio. Si usa la invitación, se renueva la conexión.',
  'add.known-open': 'Abrir este socio',
  'add.call-them': 'Cómo llama usted a este socio',
  'add.connect': 'Conectar',
  'add.connect-own': 'Sí, conectar',
  'add.elsewhere': 'No, en otro lugar',
  'add.other-invite': 'Usar otra invitación',
  'add.from-link':
    'Esta invitación ha llegado con un enlace. No ocurre nada hasta que la compruebe y se conecte.',
};
