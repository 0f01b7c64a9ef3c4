import type { Translated } from '../../../server/words/catalogue.ts';
import type { partners as english } from '../en/partners.ts';

/** The partners' list, and adding one. */
export const partners: Translated<typeof english> = {
  'partners.title': 'Socios',
  'partners.add': 'Añadir un socio',
  'partners.empty-title': 'No hay socios',
  'partners.empty-text':
    'Un socio es otra oficina que comparte listas con usted, o usted con ella. Añadirlo lleva unos dos minutos.',
  'partners.table': 'Los socios y cómo están',
  'partners.column-name': 'Socio',
  'partners.column-state': 'Estado',
  'partners.column-last': 'Última comprobación',
  'partners.column-share': 'Compartimos',
  'partners.column-receive': 'Recibimos',
  'partners.never': 'nunca todavía',
  'partners.next': 'próxima {when}',
  'partners.former': 'Antiguos socios',
  'partners.former-hint': 'Ya no ven nada. Lo que había salido hacia ellos sigue constando.',
  'partners.former-until': 'hasta el {date}',
  'partners.former-left': 'Lo que salió, como archivo',
  'partners.none': 'nada',

  'add.title': 'Añadir un socio',
  'add.invite-title': 'Yo invito',
  'add.invite-text': 'Una invitación sirve una sola vez, durante 24 horas.',
  'add.name': '¿Cómo llama usted a este socio?',
  'add.name-placeholder': 'Por ejemplo: Oficina de Sevilla',
  'add.contact': 'Su dirección de correo (opcional)',
  'add.make': 'Crear la invitación',
  'add.invite': 'Invitación para {partner}',
  'add.invite-ready': 'Envíe esto a {partner}, por correo o por chat. Allí se pega en su Footbridge.',
  'add.invite-closed':
    'Nadie fuera de este ordenador puede usar todavía esta invitación. Permita que los socios lleguen a él y envíe la nueva invitación.',
  'add.open-and-renew': 'Permitir que lleguen a este ordenador',
  'add.invite-renewed':
    'Los socios de la red ya pueden llegar a este ordenador. Esta es una invitación nueva; la anterior ya no sirve.',
  'add.invite-once': 'Solo se muestra esta vez; caduca {when}.',
  'add.qr': 'Código QR de esta invitación',
  'add.qr-text': 'La misma invitación, para un teléfono.',
  'add.mail': 'Enviar por correo',
  'add.mail-subject': 'Conectar nuestras oficinas con Footbridge',
  'add.mail-body':
    'Hola:\n\nAbra Footbridge, elija «Añadir un socio» y pegue esta invitación. Sirve una sola vez, durante 24 horas:\n\n{invite}\n\nUn cordial saludo,\n{office}',
  'add.to-partner': 'Hecho, ir a {partner}',
  'add.closed-network': 'Una invitación solo sirve si su socio puede llegar a este ordenador por la red.',
  'add.open-network': 'Permitir que los socios lleguen a este ordenador',
  'add.opened-network': 'Los socios de la red ya pueden llegar a este ordenador.',

  'add.paste-title': 'Me han invitado',
  'add.paste': 'Invitación',
  'add.paste-placeholder': 'Péguela aquí',
  'add.check': 'Comprobar la invitación',
  'add.found': 'Esta invitación es de {partner}',
  'add.address': 'Dirección: {address}',
  'add.secure': 'La conexión va cifrada.',
  'add.insecure': 'Sin cifrar: aceptable dentro de su propia oficina, no por Internet.',
  'add.own-network': 'Este socio está en la red de nuestra oficina',
  'add.own-network-hint': 'Márquelo solo si su ordenador está en la red de usted.',
  'add.own-network-needed':
    'Esta dirección está dentro de la red de una oficina. Marque la casilla de arriba si es la suya; si no, pida al socio una invitación con una dirección de Internet.',
  'add.known': 'Ya tiene este socio. Si usa la invitación, se renueva la conexión.',
  'add.known-open': 'Abrir este socio',
  'add.call-them': 'Cómo llama usted a este socio',
  'add.connect': 'Conectar',
  'add.other-invite': 'Usar otra invitación',
  'add.from-link':
    'Esta invitación ha llegado con un enlace. No ocurre nada hasta que la compruebe y se conecte.',
};
