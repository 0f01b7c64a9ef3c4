import type { Translated } from '../../catalogue.ts';
import type { common as english } from '../../en/window/common.ts';

/** Texts that several places use. */
export const common: Translated<typeof english> = {
  'action.add': 'Añadir',
  'action.back': 'Atrás',
  'action.cancel': 'Cancelar',
  'action.close': 'Cerrar',
  'action.continue': 'Continuar',
  'action.more': 'Más acciones',
  'action.open': 'Abrir',
  'action.save': 'Guardar',
  'action.try-again': 'Volver a intentarlo',
  'action.undo': 'Deshacer',
  'action.redo': 'Rehacer',

  'state.up-to-date': 'Al día',
  'state.syncing': 'Sincronizando',
  'state.paused': 'En pausa',
  'state.offline': 'Sin conexión',
  'state.awaited': 'A la espera del socio',
  'state.connected': 'Hay conexión',
  'state.unconnected': 'Aún sin conectar',
  'state.needs-you': 'Pendiente de usted',
  'state.error': 'Problema',

  'standing.as-of': 'Comprobado: {when}',
  'standing.unknown': 'Sin noticias desde: {when}.',
  'standing.unknown-ever': 'Aún no hay noticias.',

  'nav.label': 'Secciones',
  'nav.home': 'Inicio',
  'nav.partners': 'Socios',
  'nav.lists': 'Listas',
  'nav.settings': 'Ajustes',
  'nav.waiting': {
    one: '{n} asunto pendiente de usted',
    other: '{n} asuntos pendientes de usted',
  },

  'page.skip': 'Ir al contenido',
  'page.trail': 'Dónde está',
  'page.loading': 'Cargando',

  'unknown.title': 'No encontrado',
  'unknown.nothing': 'Aquí no hay nada',
  'unknown.text': 'Esta dirección no lleva a nada en Footbridge, o su contenido se ha eliminado entretanto.',
  'unknown.action': 'Ir al inicio',

  'banner.away': 'Footbridge no responde.',
  'banner.away-hint':
    'Puede que lo que ve no esté actualizado. Esta ventana volverá a conectarse sola en cuanto pueda.',
  'banner.reopening': 'Aplicando los ajustes de red…',
  'banner.reopening-hint': 'Tarda unos segundos. No tiene que hacer nada.',
  'banner.signed-out': 'La sesión de esta ventana está cerrada.',
  'banner.signed-out-hint':
    'Cierre esta página e inicie Footbridge de nuevo, o ejecute «footbridge window»: las dos cosas abren una nueva.',

  'error.no-answer':
    'Footbridge no responde. Puede que su último cambio no se haya guardado; vuelva a intentarlo en un momento.',
  'error.signed-out': 'La sesión de esta ventana está cerrada. Cierre la ventana y vuelva a abrirla.',
  'error.not-taken':
    'Footbridge no ha podido aceptar esto. Compruebe lo que ha escrito o elegido y vuelva a intentarlo.',
  'error.unknown':
    'Ha ocurrido algo inesperado. Vuelva a intentarlo; si continúa, guarde un archivo de asistencia en los ajustes y pida ayuda.',

  'notices.label': 'Mensajes',

  'copy.action': 'Copiar',
  'copy.done': '¡Copiado!',
  'copy.failed': 'No se ha podido copiar. El texto está seleccionado: cópielo a mano.',

  'call.call': 'Llamar',

  'sync.now': 'Sincronizar',
  'sync.running': 'Comprobando…',

  'pause.label': 'Pausa',
  'pause.resume': 'Reanudar',
  'pause.half-hour': 'Durante 30 minutos',
  'pause.hour': 'Durante 1 hora',
  'pause.tomorrow': 'Hasta mañana por la mañana',
  'pause.open-end': 'Hasta que lo reanude',
  'pause.fetching': 'Solo dejar de recibir del socio',
  'pause.reading': 'Solo dejar de darle a leer lo nuestro',

  'progress.label': 'Llegan filas a {list}',
  'progress.rows': { one: '{n} fila', other: '{n} filas' },
  'progress.rows-of': { one: '{done} de {n} fila', other: '{done} de {n} filas' },
  'progress.rate': { one: '{n} fila por segundo', other: '{n} filas por segundo' },
  'progress.minutes-left': {
    one: 'queda {n} minuto aproximadamente',
    other: 'quedan unos {n} minutos',
  },
  'progress.seconds-left': 'queda menos de un minuto',

  'count.rows': { one: '{n} fila', other: '{n} filas' },
  'count.columns': { one: '{n} columna', other: '{n} columnas' },
  'count.lists': { one: '{n} lista', other: '{n} listas' },
  'count.partners': { one: '{n} socio', other: '{n} socios' },
  'count.created': 'nuevas: {n}',
  'count.updated': 'cambiadas: {n}',
  'count.deleted': 'eliminadas: {n}',
  'count.failed': 'no admitidas: {n}',
  'count.nothing': 'nada nuevo',

  'kind.String': 'Texto',
  'kind.Number': 'Número',
  'kind.DateTime': 'Fecha y hora',
  'kind.Bool': 'Sí o no',
  'kind.Select': 'Opción',
  'kind.Email': 'Dirección de correo',
  'kind.Url': 'Dirección web',
  'kind.User': 'Persona',
  'kind.Record': 'Fila de otra lista',
  'kind.File': 'Archivo',
  'kind.Geometry': 'Lugar en el mapa',
  'kind.several': '{kind}, varios valores',
};
