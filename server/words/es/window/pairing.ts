import type { Translated } from '../../catalogue.ts';
import type { pairing as english } from '../../en/window/pairing.ts';

/** Until two offices are connected, and the words that they compare. */
export const pairing: Translated<typeof english> = {
  'pairing.asked': '{partner} pide conectarse',
  'pairing.asked-text':
    'Acepte solo si lo esperaba. No se comparte nada hasta que usted elija listas y columnas.',
  'pairing.approve': 'Aceptar',
  'pairing.decline': 'Rechazar',
  'pairing.invited': '{partner} aún no ha usado su invitación',
  'pairing.invited-text': 'Caduca {when}. En cuanto la use, se le pedirá a usted que acepte.',
  'pairing.invite-gone': 'La invitación para {partner} ha caducado sin usarse',
  'pairing.invite-gone-text': 'Cree una nueva y envíesela.',
  'pairing.new-invite': 'Crear una invitación nueva',
  'pairing.waiting': 'A la espera de que {partner} acepte',
  'pairing.waiting-text': 'Su socio ve la petición en su Footbridge. Esta página avanza sola.',
  'pairing.unasked': 'Sin conexión con {partner}',
  'pairing.unasked-text':
    'No ha llegado respuesta, así que quizá no sepan de su petición. Vuelva a intentarlo, use otra invitación o elimine este socio.',
  'pairing.removed': '{partner} se ha eliminado.',
  'pairing.remove': 'Eliminar',
  'pairing.failed': 'La conexión con {partner} no ha funcionado',
  'pairing.failed-text': 'Pida una invitación nueva, o cree una.',
  'pairing.ended': 'La conexión con {partner} ha terminado',
  'pairing.ended-text':
    'Lo que ha recibido se queda. Para continuar, cree una invitación nueva o use una de su socio.',
  'pairing.remove-request': {
    one: 'El socio le pide que elimine la {n} fila que vino de él. Puede hacerlo con «Desconectar», en la pestaña Conexión.',
    other:
      'El socio le pide que elimine las {n} filas que vinieron de él. Puede hacerlo con «Desconectar», en la pestaña Conexión.',
  },
  'pairing.remove-look': 'Ver qué se puede eliminar',
  'pairing.use-invite': 'Usar su invitación',
  'pairing.invite-dialog': 'Invitación nueva para {partner}',
  'pairing.compare': 'Llame a {partner} y compare las palabras de verificación: lleva un minuto.',

  'words.title': 'Conectar con {partner}',
  'words.step-find': 'Encontrar',
  'words.step-call': 'Llamar',
  'words.step-share': 'Compartir una lista',
  'words.step-done': '(hecho)',
  'words.call': 'Llamar y comparar',
  'words.call-now': 'Llame ahora',
  'words.ring': 'Llame a {partner} a un número que usted ya conozca.',
  'words.ring-on': 'Llame a {partner}:',
  'words.read-out': 'Léanse las cinco palabras el uno al otro.',
  'words.nobody-between': 'Si los dos ven las mismas cinco palabras, la conexión es auténtica.',
  'words.who': 'Su nombre (opcional)',
  'words.spoke-to': 'Nombre de la persona a la que llamó (opcional)',
  'words.same': 'Sí, son las mismas',
  'words.later': 'Comparar más tarde',
  'words.noted': 'Confirmado por su parte.',
  'words.effect': 'Si difieren, la conexión termina al momento.',
  'words.compared': 'Cinco palabras comparadas, {date}',
  'words.compared-by': 'Cinco palabras comparadas por {name}, {date}',
  'words.compared-with': 'Cinco palabras comparadas con {spokeTo}, {date}',
  'words.compared-both': 'Cinco palabras comparadas por {name} con {spokeTo}, {date}',
};
