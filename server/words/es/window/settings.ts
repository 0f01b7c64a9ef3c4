import type { Translated } from '../../catalogue.ts';
import type { settings as english } from '../../en/window/settings.ts';

/** Settings. */
export const settings: Translated<typeof english> = {
  'settings.title': 'Ajustes',
  'settings.index': 'En esta página',
  'settings.office': 'Esta oficina',
  'settings.name': 'Nombre de la oficina',
  'settings.name-hint': 'Los socios lo ven cuando usted los invita.',
  'settings.first-run': 'Volver a mostrar los primeros pasos',
  'settings.network': 'Red',
  'settings.reachable': 'Los socios de la red pueden llegar a este ordenador',
  'settings.reachable-hint':
    'Hace falta cuando un socio usa su invitación. Los socios solo reciben lo que usted comparte con ellos; a todos los demás se los rechaza. Sin esto, sus invitaciones solo sirven para socios en este mismo ordenador.',
  'settings.given-open':
    'Los socios de la red pueden llegar a este ordenador: Footbridge se inició así, con -\u2060-\u2060host.',
  'settings.given-closed':
    'Solo este ordenador puede llegar a Footbridge, porque se inició con -\u2060-\u2060host. Inícielo sin él y aquí podrá admitir a los socios.',
  'settings.nearby': 'Mostrar esta oficina a otras de la red',
  'settings.nearby-hint':
    'Por su nombre, a todos en su red, y solo mientras la página «Conectar una oficina» esté abierta.',
  'settings.reverse': 'Mantener una conexión abierta con los socios que no pueden llamarle',
  'settings.reverse-hint': 'La usan para recibir lo que usted comparte. Nadie más puede.',
  'settings.map-port': 'Pedir al router que deje pasar a los socios',
  'settings.map-port-hint':
    'Funciona con muchos routers de casa y de oficinas pequeñas. Solo pasan sus socios; a los demás se les rechaza.',
  'settings.relay': 'Relé',
  'settings.relay-hint':
    'Pegue su dirección si los socios de otros lugares no pueden llegar a usted. Un relé ve quién se conecta y cuándo, nunca lo que comparte.',
  'settings.partner-relays': 'Usar los relés que indiquen los socios',
  'settings.partner-relays-hint':
    'Solo cuando no hay otro camino. Un relé ve quién se conecta y cuándo, nunca lo que comparte.',
  'settings.carry': 'Transmitir conexiones de mis socios',
  'settings.carry-hint':
    'Los socios a los que nadie puede llamar quedan accesibles a través de este ordenador. Los socios de ellos conocerán su dirección. No puede leer lo que envían.',
  'settings.addresses': 'Los socios llegan a este ordenador en',
  'settings.check': 'Comprobar si se puede llegar',
  'settings.checking': 'Comprobando…',
  'settings.address-and-port': 'Dirección y puerto',
  'settings.public-url': 'Dirección que llevan las invitaciones',
  'settings.public-url-hint':
    'Si lo deja vacío, se usa la dirección de la red de la oficina. Rellénelo si los socios llegan a usted por Internet.',
  'settings.port': 'Puerto',
  'settings.port-hint':
    'Cámbielo solo si otro programa lo usa. Los socios lo conocen por una invitación nueva.',
  'settings.plain': 'Aceptar llamadas sin cifrar de la red',
  'settings.plain-hint':
    'Solo para socios cuyo programa no puede comprobar nuestro certificado. Quien escuche por el camino lo lee todo y puede actuar en su nombre. Los socios con Footbridge nunca lo necesitan.',
  'settings.interval': 'Buscar cambios cada',
  'settings.seconds': { one: '{n} segundo', other: '{n} segundos' },
  'settings.minutes': { one: '{n} minuto', other: '{n} minutos' },
  'settings.app': 'Esta aplicación',
  'settings.theme': 'Colores',
  'settings.theme.system': 'Como el sistema',
  'settings.theme.light': 'Claros',
  'settings.theme.dark': 'Oscuros',
  'settings.language': 'Idioma',
  'settings.language.system': 'Como el sistema',
  'settings.language.en': 'English',
  'settings.language.de': 'Deutsch',
  'settings.language.fr': 'Français',
  'settings.language.es': 'Español',
  'settings.start-at-login': 'Abrir al iniciar sesión',
  'settings.close-to-tray': 'Seguir en marcha cuando se cierra la ventana',
  'settings.close-to-tray-hint':
    'Siguen llegando filas. Se sale desde el menú del icono en la barra de tareas.',
  'settings.updates': 'Buscar versiones nuevas',
  'settings.updates-now': 'Buscar ahora',
  'settings.updates-install': 'Reiniciar para actualizar',
  'settings.desktop-only': 'Solo tiene efecto en la aplicación de escritorio; esto es un navegador.',
  'settings.notify': 'Avisos',
  'settings.notify.arrived': 'Avisarme cuando lleguen filas',
  'settings.notify.needsYou': 'Avisarme cuando haya algo pendiente de mí',
  'settings.notify.problems': 'Avisarme cuando haya un problema',
  'settings.sessions': 'Ventanas con sesión abierta',
  'settings.sessions-hint':
    'Los navegadores admitidos con un enlace siguen así 30 días. Cierre la sesión de los que no conozca.',
  'settings.session-own': 'esta ventana',
  'settings.session-unknown': 'Un navegador',
  'settings.session-times': 'admitida {begun}, usada {used}',
  'settings.sign-out': 'Cerrar la sesión',
  'settings.sign-out-others': 'Cerrar todas las demás',
  'settings.data': 'Sus datos',
  'settings.last-backup': 'Última copia de seguridad: {when}',
  'settings.no-backup': 'Aún no se ha hecho ninguna copia de seguridad.',
  'settings.backup': 'Guardar una copia de seguridad',
  'settings.restore': 'Restaurar una copia de seguridad',
  'settings.restore-title': '¿Sustituirlo todo por la copia de seguridad?',
  'settings.restore-text':
    'Todas las listas, socios y ajustes vuelven a ser lo que eran en «{file}». Lo que se haya añadido o cambiado desde entonces se pierde. Después Footbridge se reinicia.',
  'settings.restored': 'Restaurada. Footbridge se reinicia ahora.',
  'settings.ledger': 'Descargar el registro de envíos (CSV)',
  'settings.support': 'Guardar un archivo de asistencia',
  'settings.support-hint':
    'Para quien le ayude: los ajustes y lo que ha ocurrido, sin contraseñas, claves ni filas de usted.',
  'settings.days': { one: '{n} día', other: '{n} días' },
  'settings.years': { one: '{n} año', other: '{n} años' },
  'settings.keep-ledger': 'Conservar el registro de envíos durante',
  'settings.keep-ledger-hint': {
    one: 'Hay {n} línea, {size}. Las más antiguas se van por meses enteros.',
    other: 'Hay {n} líneas, {size}. Las más antiguas se van por meses enteros.',
  },
  'settings.keep-history': 'Conservar lo que ha ocurrido durante',
  'settings.keep-history-hint': {
    one: 'Hay {n} entrada, {size}. Se conservan 10.000 como máximo.',
    other: 'Hay {n} entradas, {size}. Se conservan 10.000 como máximo.',
  },
  'settings.keep-bin': 'Conservar las filas eliminadas en la papelera durante',
  'settings.keep-bin-hint': {
    one: 'Hay {n} fila en las papeleras de sus listas. Pasado ese tiempo ya no se puede restaurar.',
    other: 'Hay {n} filas en las papeleras de sus listas. Pasado ese tiempo ya no se pueden restaurar.',
  },
  'settings.stored': 'Qué guarda esta aplicación',
  'settings.stored-where': 'Dónde',
  'settings.stored-size': 'Cuánto',
  'settings.stored-what': 'Qué',
  'settings.stored-what-text':
    'Sus listas, lo recibido, sus socios, lo que ha salido, los ajustes y notas de lo que ha ocurrido. Todo se queda en esta carpeta de este ordenador.',
  'settings.secrets': 'Claves de los socios',
  'settings.secrets.system': 'se guardan en la caja fuerte de este sistema.',
  'settings.secrets.given': 'están selladas con el secreto que se da a Footbridge en cada inicio.',
  'settings.secrets.file':
    'se guardan en un archivo que solo su cuenta de usuario en este ordenador puede leer.',
  'settings.remove': 'Para eliminarlo todo',
  'settings.remove-text': 'Desconecte a sus socios, salga de Footbridge y elimine esta carpeta.',
  'settings.about': 'Acerca de',
  'settings.version': 'Footbridge {version}',
  'settings.license': 'Software libre con licencia MIT. Sin nube, sin cuenta.',
};
