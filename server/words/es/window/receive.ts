import type { Translated } from '../../catalogue.ts';
import type { receive as english } from '../../en/window/receive.ts';

/** What comes from a partner: offers, matches, and what waits for a yes. */
export const receive: Translated<typeof english> = {
  'receive.empty-title': '{partner} aún no le ofrece nada',
  'receive.empty-text': 'Lo que comparta aparecerá aquí solo.',
  'receive.offered': 'Listas que le ofrecen',
  'receive.received': 'Listas que recibimos',
  'receive.dismissed': 'Apartadas',
  'receive.withdrawn': 'Ya no se ofrecen',
  'receive.offers-columns': { one: 'Ofrece {n} columna', other: 'Ofrece {n} columnas' },
  'receive.their-columns': 'Columnas que ofrece',
  'receive.count-offered': { one: '{n} ofrecida', other: '{n} ofrecidas' },
  'receive.make': 'Crear una lista igual',
  'receive.match': 'Asignar a una lista mía',
  'receive.not-now': 'Ahora no',
  'receive.recall': 'Volver a ofrecer',
  'receive.made': '«{list}» ya está. Las filas están en camino.',
  'receive.into': 'en {list}',
  'receive.rows': { one: '{n} fila recibida', other: '{n} filas recibidas' },
  'receive.last': 'última consulta: {when}',
  'receive.unmatched': {
    one: '{n} columna sin asignar: {columns}',
    other: '{n} columnas sin asignar: {columns}',
  },
  'receive.parked': '{origin} → {destination}: {why}',
  'receive.parked-title': 'Algunas columnas han dejado de llegar. Cambie las asignaciones para continuar.',
  'receive.edit': 'Cambiar las asignaciones',
  'receive.bin': { one: 'Papelera: {n} fila', other: 'Papelera: {n} filas' },
  'receive.stop': 'Dejar de recibir',
  'receive.stop-title': '¿Dejar de recibir «{list}» de {partner}?',
  'receive.stop-text': {
    one: 'Ya no llega nada nuevo. La {n} fila que llegó se queda en su lista.',
    other: 'Ya no llega nada nuevo. Las {n} filas que llegaron se quedan en su lista.',
  },
  'receive.keep-rows': 'Conservar las filas como nuestras',
  'receive.rows-to-bin': {
    one: 'Mover {n} fila a la papelera',
    other: 'Mover {n} filas a la papelera',
  },
  'receive.ended': 'Ya no recibe «{list}». Sus filas se quedan en su lista.',
  'receive.ended-bin': {
    one: 'Ya no recibe «{list}». {n} fila está en la papelera.',
    other: 'Ya no recibe «{list}». {n} filas están en la papelera.',
  },
  'receive.withdrawn-text': {
    one: 'El socio ya no la comparte. La {n} fila que llegó se queda en su lista. Las novedades siguen si la vuelve a compartir.',
    other:
      'El socio ya no la comparte. Las {n} filas que llegaron se quedan en su lista. Las novedades siguen si la vuelve a compartir.',
  },

  'brake.title': 'Esto cambiaría mucho, así que espera su visto bueno',
  'brake.removes': {
    one: '{n} de {of} filas recibidas iría a la papelera.',
    other: '{n} de {of} filas recibidas irían a la papelera.',
  },
  'brake.gone-before': {
    one: '{n} fila ya fue a la papelera en las últimas 24 horas, porque hasta entonces eran pocas.',
    other: '{n} filas ya fueron a la papelera en las últimas 24 horas, porque hasta entonces eran pocas.',
  },
  'brake.empties': { one: '{n} fila perdería valores.', other: '{n} filas perderían valores.' },
  'brake.emptied-before': {
    one: '{n} fila ya perdió valores en las últimas 24 horas, porque hasta entonces eran pocas. Los detalles de la fila muestran lo que había.',
    other:
      '{n} filas ya perdieron valores en las últimas 24 horas, porque hasta entonces eran pocas. Los detalles de cada fila muestran lo que había.',
  },
  'brake.rows': 'Filas que esperan',
  'brake.row-goes': 'se eliminaría',
  'brake.row-empties': 'perdería valores',
  'brake.row-older': 'allí es más antigua',
  'brake.all': { one: 'Mostrarla', other: 'Mostrar las {n}' },
  'brake.more': { one: 'Las primeras {shown} de {n}.', other: 'Las primeras {shown} de {n}.' },
  'brake.all-file': 'Guardar todo en un archivo',
  'brake.hint': 'Si esto le sorprende, pregunte a {partner} antes de permitirlo.',
  'back.title': 'Su lista ha vuelto a un estado anterior, así que espera su decisión',
  'back.gone': {
    one: '{n} fila que usted tiene ya no existe allí.',
    other: '{n} filas que usted tiene ya no existen allí.',
  },
  'back.older': {
    one: '{n} fila está allí como era antes de que usted recibiera su versión.',
    other: '{n} filas están allí como eran antes de que usted recibiera sus versiones.',
  },
  'back.hint':
    'En {partner} se ha repuesto una copia más antigua de los datos, o se ha perdido su parte más reciente. Avíseles: puede que no lo sepan. Guarde estas filas en un archivo, envíeselo y pídales que lo importen. Cuando sus filas hayan llegado aquí, acepte lo que tienen.',
  'back.save': 'Guardar estas filas en un archivo',
  'back.go': 'Aceptar lo que tienen',
  'not-there.title': 'Hay filas que ya no están en {partner}',
  'not-there.rows': {
    one: '{n} fila que usted tiene ya no está allí.',
    other: '{n} filas que usted tiene ya no están allí.',
  },
  'not-there.hint':
    '{partner} no ha comunicado que se haya eliminado nada: simplemente falta. Si esto le sorprende, pregunte allí antes de eliminarlo aquí.',
  'not-there.go': { one: 'Eliminar {n} fila', other: 'Eliminar {n} filas' },
  'brake.go': { one: 'Permitirlo: eliminar {n} fila', other: 'Permitirlo: eliminar {n} filas' },
  'brake.go-both': {
    one: 'Permitirlo: eliminar {n} fila, vaciar valores en {empties}',
    other: 'Permitirlo: eliminar {n} filas, vaciar valores en {empties}',
  },
  'brake.go-values': 'Permitirlo',
  'brake.keep': 'Conservar mis filas',
  'brake.kept': 'Estas filas se quedan en su lista.',
  'brake.gone': 'Hecho. Las filas eliminadas están en la papelera y se pueden restaurar.',

  'failed.title': {
    one: '{n} fila no se ha podido admitir',
    other: '{n} filas no se han podido admitir',
  },
  'failed.hint':
    'Cambie las asignaciones o su columna, o pida a {partner} que las corrija. Se guardan aquí y se vuelve a intentar cada hora; las demás no se retrasan.',
  'failed.retry': 'Volver a intentarlo ahora',
  'failed.show': 'Mostrarlas',
  'failed.first': {
    one: 'Solo se muestra la primera fila.',
    other: 'Solo se muestran las primeras {n} filas.',
  },
  'failed.hide': 'Ocultarlas',
  'failed.since': 'primera vez {when}',
  'failed.tries': { one: '{n} intento', other: '{n} intentos' },

  'match.title': 'Asignar «{list}», de {partner}',
  'match.into': '¿A cuál de sus listas deben ir las filas?',
  'match.into-placeholder': 'Elija una de sus listas',
  'match.no-lists': 'Aún no tiene ninguna lista propia. «Crear una lista igual» la crea por usted.',
  'match.beside': {
    one: 'Las filas de {partner} se añaden a la {n} que usted tiene. Las que tengan ambos aparecerán dos veces.',
    other:
      'Las filas de {partner} se añaden a las {n} que usted tiene. Las que tengan ambos aparecerán dos veces.',
  },
  'match.both': {
    one: 'De sus primeras {looked} filas, {n} tiene los mismos valores que una de las suyas en {columns}.',
    other: 'De sus primeras {looked} filas, {n} tienen los mismos valores que una de las suyas en {columns}.',
  },
  'match.beside-instead':
    'Después puede unir esas filas sin perder ningún valor. Para mantenerlas separadas, cancele y elija «Crear una lista igual».',
  'match.theirs': 'Su columna',
  'match.ours': 'Va a la columna de usted',
  'match.samples': 'Qué pasa con los valores',
  'match.proposed': 'Por los valores podría ser «{column}»',
  'match.proposed-equal': 'Por los valores podría ser «{column}»: {n} de {of} son iguales',
  'match.take': 'Usar',
  'match.take-for': 'Usar para «{column}»',
  'match.nowhere': 'No recibir',
  'match.column-of': 'La columna de usted para «{column}»',
  'match.same': 'encaja',
  'match.converts': 'se convierte',
  'match.may-refuse': 'puede que algunos valores no encajen',
  'match.impossible': 'no encaja',
  'match.twice': 'Dos de sus columnas van a «{column}». Elija otra para una de ellas.',
  'match.gone':
    'Al guardar se quita lo que ya no existe: {columns}. Para esperarlo, salga de la página sin guardar.',
  'match.nothing': 'Asigne al menos una columna.',
  'match.save': { one: 'Recibir {n} columna', other: 'Recibir {n} columnas' },
  'match.saved': 'Listas asignadas.',
  'match.before': 'antes',
  'match.after': 'después',
  'match.empty-value': 'vacío',
};
