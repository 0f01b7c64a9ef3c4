import type { Translated } from '../../catalogue.ts';
import type { welcome as english } from '../../en/window/welcome.ts';

/** The first run. */
export const welcome: Translated<typeof english> = {
  'welcome.title': 'Le damos la bienvenida a Footbridge',
  'welcome.text': 'Comparta columnas elegidas de sus listas con otra oficina. Sin nube.',
  'welcome.steps': 'Primeros pasos',
  'welcome.step': 'Paso {n} de {all}',
  'welcome.step.office': 'Su oficina',
  'welcome.step.partner': 'Un socio',
  'welcome.office': '¿Cómo se llama su oficina?',
  'welcome.office-hint': 'Los socios ven este nombre.',
  'welcome.office-placeholder': 'Por ejemplo: Oficina de la calle del Puerto',
  'welcome.later': 'Más tarde',
  'welcome.finish': 'Terminar',
  'welcome.close': 'Cerrar los primeros pasos',

  'tour.offer': '¿Es su primera vez? Cinco cosas, medio minuto.',
  'tour.start': 'Mostrar',
  'tour.no': 'No, gracias',
  'tour.label': 'Recorrido',
  'tour.place': '{n} de {all}',
  'tour.next': 'Siguiente',
  'tour.done': 'Listo',
  'tour.end': 'Terminar el recorrido',
  'tour.bridge': 'La imagen dice cómo va todo',
  'tour.bridge-text':
    'Un puente hacia cada socio. Las filas lo cruzan mientras viajan; un hueco significa que no llega respuesta.',
  'tour.partners': 'Sus socios',
  'tour.partners-text': 'Aquí elige, lista por lista y columna por columna, lo que ve cada uno.',
  'tour.lists': 'Sus listas',
  'tour.lists-text': 'Sus propias tablas, y lo que llegó. Una pequeña señal dice quién trajo una fila.',
  'tour.standing': '¿Funciona?',
  'tour.standing-text':
    'Está escrito aquí en cada página. El signo de interrogación junto a una palabra dice qué significa.',
  'tour.help': 'Ayuda',
  'tour.help-text': 'Las teclas, lo que puede ver un socio, y este recorrido otra vez.',
};
