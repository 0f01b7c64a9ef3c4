import type { Translated } from '../../catalogue.ts';
import type { help as english } from '../../en/window/help.ts';

/** La ayuda: las teclas, lo que ve un socio y qué significan nuestras palabras. */
export const help: Translated<typeof english> = {
  'help.open': 'Ayuda',
  'help.meaning': '¿Qué significa «{word}»?',
  'keys.title': 'Teclas que sirven aquí',
  'keys.label': 'Teclas',
  'keys.anywhere': 'En todas partes',
  'keys.in-list': 'En una lista',
  'keys.in-field':
    'Mientras escribe en un campo o una celda, «{sign}» es un signo de interrogación; F1 abre esto también allí.',
  'keys.help': 'F1',
  'key.help': 'Estas teclas',
  'keys.places': 'Ctrl 1 … 4',
  'key.places': 'Inicio, Socios, Listas, Ajustes (en la ventana propia de la aplicación)',
  'keys.settings': 'Ctrl ,',
  'key.settings': 'Ajustes',
  'keys.sync': 'Ctrl R',
  'key.sync': 'Sincronizar ahora',
  'keys.close': 'Esc',
  'key.close': 'Cerrar lo que está abierto',
  'keys.move': 'Flechas',
  'key.move': 'De celda en celda',
  'keys.ends': 'Ctrl Inicio | Ctrl Fin',
  'key.ends': 'A la primera y a la última celda',
  'keys.details': 'Ctrl Intro',
  'key.details': 'Detalles de una fila',
  'keys.tick': 'Espacio',
  'key.tick': 'Marcar la fila; con Mayús, todas desde la última marcada',
  'keys.tick-all': 'Ctrl A',
  'key.tick-all': 'Marcar todas las filas',
  'keys.edit': 'Intro | F2',
  'key.edit': 'Cambiar la celda',
  'keys.type': 'A … Z',
  'key.type': 'Escribir la celda de nuevo',
  'keys.clear': 'Supr',
  'key.clear': 'Vaciar la celda o eliminar las filas marcadas',
  'keys.range': 'Mayús Flechas',
  'key.range': 'Marcar varias celdas',
  'keys.copy': 'Ctrl C | Ctrl V',
  'key.copy': 'Copiar las celdas marcadas, y pegar',
  'keys.fill': 'Ctrl D',
  'key.fill': 'Rellenar hacia abajo con el primer valor',
  'keys.undo': 'Ctrl Z',
  'key.undo': 'Deshacer',
  'keys.redo': 'Ctrl Mayús Z o Ctrl Y',
  'key.redo': 'Rehacer',
  'sees.open': 'Qué puede ver un socio',
  'sees.title': 'Qué puede ver un socio y qué no',
  'sees.seen': 'Cada socio ve',
  'sees.columns':
    'Las columnas que usted marcó para él, con las filas que pueden salir, tal como están ahora.',
  'sees.references':
    'De una columna que remite a otra lista: solo la columna de esa lista con la que usted la muestra.',
  'sees.deleted': 'Que se eliminó una fila que puede ver.',
  'sees.counts':
    'Cuántas filas de esas hay, y cuándo se creó y se cambió por última vez cada una, aunque el cambio fuera en una columna que no ve.',
  'sees.passed-on':
    'De una fila que le llegó a usted de otras oficinas: un número por cada oficina por la que pasó, sin nombres.',
  'sees.office': 'El nombre de su oficina, la dirección de este ordenador y si responde.',
  'sees.unseen': 'Nadie ve',
  'sees.other-columns':
    'Las listas que no comparte y las columnas que no marcó: ni sus valores ni sus nombres.',
  'sees.other-partners': 'Los nombres de sus otros socios y lo que comparte con ellos.',
  'sees.past': 'Qué era un valor antes de que el socio pudiera verlo, y lo que hay en la papelera.',
  'sees.people': 'Quién de su oficina cambió algo.',
  'sees.change':
    'Nadie puede cambiar nada aquí: lo que comparte un socio solo entra en una lista que usted eligió para ello.',
  'sees.afterwards':
    'Lo que ha salido se queda con el socio, aunque usted deje de compartir. Puede pedirle que lo elimine, pero no obligarle. En «{activity}» ve qué salió y cuándo.',
  'meaning.up-to-date':
    'Todas las respuestas llegaron a tiempo, ha llegado todo lo que comparten con usted y nada le espera. La hora de al lado dice de cuándo es.',
  'meaning.syncing': 'Footbridge pregunta por los cambios y recoge lo que llega. Puede seguir trabajando.',
  'meaning.paused':
    'Alguien aquí lo detuvo, por un tiempo o hasta que se reanude. No se pierde nada: lo que cambie mientras tanto llegará después.',
  'meaning.offline':
    'No llegó respuesta: puede que el ordenador del socio esté apagado, en reposo o sin red. Footbridge vuelve a intentarlo solo, y no se pierde nada.',
  'meaning.awaited': 'Todo va bien: le toca al socio. En cuanto responda, sigue solo.',
  'meaning.connected':
    'Pueden comunicarse, y aún no va ninguna lista en ningún sentido. Comparta una o acepte una que le ofrezcan.',
  'meaning.unconnected': 'Aún no tiene ningún socio. Envíe una invitación o use una que le hayan dado.',
  'meaning.needs-you':
    'Algo espera una decisión que solo usted puede tomar. Está en Inicio, con lo que puede hacer.',
  'meaning.error':
    'Algo no funciona, y puede que esperar no baste. La frase de al lado dice qué es y qué hacer.',
  'help.invite': 'Invitación',
  'meaning.invite':
    'Un texto que le conecta con un socio. Sirve una vez, durante 24 horas. Quien lo consiga puede pedir la conexión en su lugar: envíelo solo a su socio. No se comparte nada hasta que usted acepte y marque columnas.',
  'help.words': 'Las cinco palabras',
  'meaning.words':
    'Los dos ordenadores las calculan a partir de la propia conexión. Si ambos muestran las mismas, no hay nadie en medio que lea o se haga pasar por el otro.',
  'meaning.offered':
    'Listas que su socio le deja ver. Ninguna fila entra hasta que usted cree una lista para ella o la asigne a una de las suyas.',
  'help.matching': 'Asignación',
  'meaning.matching': 'Dice qué columna del socio llena cuál de las suyas. Una columna sin asignar no entra.',
  'help.waiting': 'Espera su visto bueno',
  'meaning.identical': 'Compara cada fila y cada valor que usted recibe con lo que el socio tiene ahora.',
  'meaning.waiting':
    'Lo que eliminaría o vaciaría muchas filas de una vez se detiene antes de que ocurra. Su lista queda como está hasta que usted decida. Las filas eliminadas van a la papelera y se pueden restaurar.',
};
