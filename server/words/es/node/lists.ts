import type { Translated } from '../../catalogue.ts';
import type { lists as english } from '../../en/node/lists.ts';

/** About lists, their columns, rows and values, and about files that are imported and exported. */
export const lists: Translated<typeof english> = {
  'list.unknown-number': 'No hay ninguna lista con el número {number}. Elija otra lista.',
  'list.other-workspace': 'La lista no pertenece a ese espacio de trabajo. Elija otro.',
  'list.no-columns': 'Una lista necesita al menos una columna. Añada una.',
  'list.too-many-columns': 'Una lista admite {most} columnas como máximo. Quite algunas.',
  'list.unknown-column':
    'Esta lista ya no tiene ninguna columna con el número {number}. Abra la lista de nuevo.',
  'list.column-twice': 'Hay dos columnas con el nombre «{column}». Cambie el nombre de una.',
  'list.gone': 'Esta lista ya no está aquí. Búsquela en Listas.',
  'list.not-in-bin': 'Esta lista ya no está en la papelera. Mire entre sus listas: quizá se haya restaurado.',
  'list.column-not-in-bin':
    'Esta columna ya no está en la papelera. Mire la lista: quizá se haya restaurado.',
  'bin.admin':
    'Solo un administrador puede eliminar definitivamente. Pídaselo o deje el elemento en la papelera.',
  'undo.none': 'Aquí no hay nada que deshacer. Siga trabajando.',
  'undo.matching-gone':
    'Ya no existe ninguna de las columnas asignadas. Restaure una de ellas o asigne la lista de nuevo.',
  'undo.too-large': {
    one: 'Este paso escribió {n} fila y es demasiado grande para deshacerlo. Restaure una copia de seguridad si necesita el estado anterior.',
    other:
      'Este paso escribió {n} filas y es demasiado grande para deshacerlo. Restaure una copia de seguridad si necesita el estado anterior.',
  },
  'list.too-many': 'Puede haber {most} listas como máximo. Elimine primero una.',
  'list.name-taken': 'Ya hay una lista «{list}» en este espacio de trabajo. Elija otro nombre.',
  'list.bad-handle':
    '«{name}» no puede ser un nombre corto: use de 2 a {most} letras, cifras, _, - o ., empezando por una letra.',
  'list.bad-column-name':
    '«{name}» no puede ser el nombre de una columna: use de 2 a {most} letras, cifras, _ o -, empezando por una letra.',
  'list.bad-title': 'El nombre de una lista tiene de 1 a {most} caracteres. Elija otro nombre.',
  'list.bad-column-title': 'El nombre de una columna tiene de 1 a {most} caracteres. Elija otro nombre.',
  'list.value-in-column': '«{value}» en {column} {problem}',
  'list.value-in-the-way': 'La columna no se puede cambiar: {value}. Cambie primero este valor.',
  'list.values-in-the-way':
    'La columna no se puede cambiar: {value}, y {more} más tampoco encajan. Cambie primero estos valores.',
  'list.several-values': 'son varios valores',

  'workspace.bad-title':
    'El nombre de un espacio de trabajo tiene de 1 a {most} caracteres. Elija otro nombre.',
  'workspace.too-many': 'Puede haber {most} espacios de trabajo como máximo. Elimine primero uno.',
  'workspace.name-taken': 'Ya hay un espacio de trabajo «{name}». Elija otro nombre.',
  'workspace.unknown': 'Ese espacio de trabajo no existe. Elija otro.',
  'workspace.not-empty': 'Todavía hay listas en este espacio de trabajo ({lists}). Elimínelas primero.',

  'row.values-gone': 'Los valores de esta fila ya no existen; no puede volver. Añádala como fila nueva.',
  'row.unknown': 'En esta lista ya no hay ninguna fila {number}. Abra la lista de nuevo.',
  'row.in-bin': 'Esta fila está en la papelera. Restáurela antes de cambiarla.',

  'data.stale': 'Alguien lo ha cambiado entretanto. Vuelva a cargarlo y repita su cambio.',

  'search.too-much-work': 'Esta búsqueda recorre demasiado texto. Use menos palabras, o más cortas.',

  'value.no-such-column': 'no hay ninguna columna «{column}» en esta lista; abra la lista de nuevo',
  'value.required': '{column} no puede quedar vacío; rellénelo',
  'value.and-more': '{problems}. Y {more} más.',
  'value.of-column': '{column}: «{value}» {problem}',
  'value.only-one': '{column} admite un solo valor, no {values}; quite los demás',
  'value.no-email': 'no es una dirección de correo; escríbala como nombre@example.org',
  'value.no-web-address': 'no es una dirección web; escríbala como https://example.org',
  'value.bad-scheme':
    'empieza por {scheme}, lo que no se permite en una dirección web; escríbala como https://example.org',
  'value.no-bool': 'no es ni sí ni no; escriba sí o no',
  'value.too-long': 'ocupa más de 1 MB; acórtelo',
  'value.like-an-id':
    'es un simple número de 15 a 20 cifras y representaría una de sus filas; quítelo primero',
  'value.no-choice': 'no está entre las opciones; elija una de estas: {choices}',
  'value.no-date': 'no es una fecha; escríbala como AAAA-MM-DD',
  'value.no-time': 'no es una hora; escríbala como HH:MM',
  'value.no-date-time': 'no es una fecha con hora; escríbala como AAAA-MM-DD HH:MM',
  'value.no-year': 'no es un momento entre los años 1 y 9999; corrija el año',
  'value.no-place': 'no es un lugar; escriba la latitud y la longitud, como 46.05, 14.5',
  'value.too-many-digits': 'tiene más de {most} cifras; acórtelo',
  'value.no-number': 'no es un número; escriba cifras con un punto, como 1234.50',
  'value.percent':
    'es un porcentaje; muestre antes la columna como porcentaje, o escriba 0.12 en lugar de 12 %',
  'value.other-unit': 'tiene otra unidad que la columna, que muestra {unit}; escriba el valor en esta',
  'value.two-numbers':
    'puede leerse como dos números distintos, o está junto a otras monedas; escriba cifras con un punto, como 1234.50',
  'value.in-brackets': 'puede ser −{number} o una observación; escríbalo sin paréntesis',
  'value.bare-percent': 'puede ser {percent} o {number}; escríbalo con el signo de porcentaje',

  'reading.memory':
    'La memoria no bastó para leer este archivo. Divídalo en varios archivos, o guarde la hoja que necesita como CSV.',
  'reading.time':
    'Leer este archivo tardó demasiado y se detuvo. Divídalo en varios archivos, o guarde la hoja que necesita como CSV.',
  'reading.crash':
    'No se pudo leer este archivo. Guárdelo de nuevo desde su hoja de cálculo, o como CSV, e importe ese archivo.',
  'sheet.broken':
    'Este archivo no se puede leer como libro de cálculo. Guárdelo otra vez como xlsx desde su hoja de cálculo y tome ese archivo.',
  'sheet.too-large':
    'En este libro hay más de lo que se puede leer. Guarde como CSV la hoja que necesita y tome ese archivo.',
  'sheet.other':
    'Esto es un archivo comprimido, pero no un libro de cálculo. Guarde la lista como xlsx, ods o CSV desde su hoja de cálculo y tome ese archivo.',
  'sheet.password':
    'Este libro está protegido con contraseña. Ábralo en su programa de hojas de cálculo, guarde una copia sin contraseña e impórtela.',
  'sheet.old':
    'Esto es un libro de un formato antiguo, o con contraseña. Guárdelo como xlsx sin contraseña y tome ese archivo.',
  'sheet.no-such': 'No hay ninguna hoja «{sheet}» en este libro. Elija otra.',
  'sheet.too-long-text':
    'La columna «{column}» tiene un texto más largo de lo que cabe en una celda. Guarde la lista como CSV.',
  'csv.no-text': 'No es una hoja de cálculo. Elija un archivo .xlsx, .ods o .csv.',
  'csv.unknown-encoding': 'Las letras no se pueden leer como «{encoding}». Elija otra forma de leerlas.',
  'csv.no-such-column': 'No hay ninguna columna «{column}». Elija otra.',
  'csv.too-large': 'Un archivo puede tener 64 MB como máximo. Divídalo en varios archivos.',
  'csv.empty':
    'Este archivo está vacío: no tiene línea con los nombres de las columnas. Elija uno con nombres de columnas y datos.',
  'csv.too-many-columns':
    'El archivo tiene {columns} columnas, y se pueden examinar {most}. Elija otro separador u otro archivo.',
  'csv.nameless-column': 'Columna {number}',
  'csv.bad-separator':
    'Las columnas se separan con un solo carácter, como una coma o un punto y coma. Elija uno.',
  'csv.bad-header':
    'No se puede leer la línea {line}, con los nombres de las columnas. Corríjala en el archivo. {reason}',
  'csv.too-many-values': 'La línea tiene {values} valores para solo {columns} columnas.',
  'csv.too-few-values': 'La línea solo tiene {values} valores para {columns} columnas.',
  'csv.too-long':
    'La línea tiene más de un millón de caracteres. Quizá falten saltos de línea en el archivo: vuelva a exportarlo.',
  'csv.open-quote': 'Hay unas comillas que no se cierran.',
  'csv.too-many-open-quotes':
    'Desde aquí no se ha leído el archivo: hay demasiadas comillas que no se cierran.',
  'csv.after-quote':
    'Hay texto tras unas comillas de cierre; las comillas dentro de un valor deben ir dobles.',

  'import.unreadable':
    'Algunas letras de estas líneas no se pueden leer como {encoding} y entran como �: {lines}. Elija cómo se guardó el archivo o corríjalas en él.',
  'import.mixed':
    'Solo en parte se muestran como porcentaje o con una moneda, o con varias: {columns}. Entran los números, pero no lo que está al lado.',
  'import.without-signs': 'Lo que está al lado de los números no entra: {columns}.',
  'import.as-percent':
    'Estas columnas muestran porcentajes, y 0,12 en el archivo pasa a ser 12 %: {columns}.',
  'import.which-list': 'Diga en qué lista: ?list=<name> o ?moduleID=<id>.',
  'import.empty': 'Este archivo está vacío. Elija uno con nombres de columnas y datos.',
  'import.cut-by': '{why} Del archivo, las líneas hasta la {line} están en la lista.',
  'import.nothing-went-in':
    'No se pudo importar nada del archivo, así que no se creó ninguna lista. Línea {line}: {reason} Elija otro tipo para esa columna, o corrija el archivo.',
  'import.nothing-fits':
    'Ninguna columna del archivo encaja con una columna de «{list}». Asigne al menos una, o cree una lista nueva.',
  'import.key-not-in-both':
    '«{column}» no es una columna tanto del archivo como de «{list}». Elija otra columna para reconocer las filas.',
  'import.key-remembered':
    'La última importación reconocía las filas por «{columns}»; este archivo no tiene todas esas columnas. Elija las columnas para reconocer las filas, o ninguna.',
  'import.key-several-values':
    '«{column}» admite varios valores, así que no sirve para reconocer ninguna fila. Elija otra columna para reconocer las filas.',
  'import.key-empty': '{column} está vacío, así que no sirve para reconocer ninguna fila.',
  'import.key-ambiguous':
    'Varias filas de la lista tienen {column} «{value}». Elimine de la lista todas menos una.',
  'import.key-again': '{column} «{value}» ya venía en una línea anterior.',
  'cells.column-gone':
    'Una columna a la que esto va dirigido ya no está en «{list}». Abra la lista de nuevo e inténtelo otra vez.',
  'cells.too-many-values': '«{column}» admite como mucho {most} valores en una celda. Divida la celda.',
  'import.refers-nowhere':
    'No está decidido a qué lista se refiere «{column}». Elija una en «Nombre y columnas», o deje fuera esta columna.',
  'import.no-row-called':
    '{column}: ninguna fila de «{list}» se llama «{value}»; añádala allí o corrija el archivo',
  'import.several-rows-called':
    '{column}: varias filas de «{list}» se llaman «{value}»; deles allí nombres distintos o corrija el archivo',
  'import.which-refers': 'Elija la lista cuyas filas nombra «{column}», u otro tipo de columna.',
  'import.filled-twice': 'Dos columnas del archivo van a «{column}». Elija otro lugar para una de ellas.',
  'import.matched-with-none': '«{column}» está asignada a «{target}», que no es una columna. Elija otra.',

  'view.unknown': 'Esta vista ya no existe. Elija otra, o todas las filas.',
  'view.no-name': 'Dé a la vista un nombre que se vea.',
  'view.name-taken': 'Ya hay una vista llamada «{name}». Elija otro nombre.',
  'view.too-many': 'Una lista tiene como máximo {most} vistas. Elimine antes una.',
  'view.no-column': 'La lista ya no tiene esa columna. Elija otra para la vista.',

  'watched.path': 'Escriba la ruta completa del archivo en este ordenador, desde su comienzo.',
  'watched.too-long': 'Un nombre de esta ruta es demasiado largo. Elija uno más corto.',
  'watched.no-way':
    'Ningún camino lleva a «{file}»: algo en la ruta no es una carpeta, o este ordenador no puede abrirlo. Elija otro lugar.',
  'watched.unseen':
    'La ruta contiene caracteres que nadie ve y que hacen que un nombre parezca otro. Elija otro nombre.',
  'watched.no-answer':
    'La unidad de «{file}» no responde. Conéctela de nuevo; entonces el archivo se leerá automáticamente.',
  'watched.none-asked':
    'Varias unidades no responden. Conéctelas de nuevo: no se consulta ninguna otra hasta que una responda, y «{file}» espera a eso.',
  'watched.gone':
    '«{file}» no está en su carpeta por ahora. Se leerá de nuevo cuando vuelva; si cambió de nombre, elíjalo otra vez.',
  'watched.folder-away':
    'No se llega a «{file}»: la carpeta {folder} no existe. Conecte su unidad, o elija el archivo otra vez.',
  'watched.empty-folder':
    'Todavía no hay ninguna tabla en la carpeta «{folder}». Se leerá automáticamente la más nueva en cuanto la haya.',
  'watched.full-folder':
    'Hay más de {most} archivos en la carpeta «{folder}». Elija una con menos o la propia tabla.',
  'watched.locked':
    '«{file}» no se puede leer: otro programa lo retiene, o este ordenador no puede leerlo. Ciérrelo allí; se intentará de nuevo.',
  'watched.not-read': '«{file}» no se puede leer por ahora ({code}). Se intentará de nuevo automáticamente.',
  'watched.no-file': '«{file}» no es un archivo que se pueda leer. Elija una tabla.',
  'watched.empty': '«{file}» está vacío. Se leerá automáticamente en cuanto contenga algo.',
  'watched.being-written': '«{file}» se está escribiendo. Se leerá automáticamente en cuanto termine.',
  'watched.none-there':
    'No hay ningún archivo «{file}» en esta carpeta. Compruebe cómo se escribe su nombre.',
  'watched.none-in-folder':
    'No hay ninguna tabla en la carpeta «{folder}». Elija otra, o ponga antes una tabla en ella.',
  'watched.locked-now':
    '«{file}» no se puede leer: otro programa lo retiene, o este ordenador no puede leerlo. Ciérrelo allí, y mire otra vez.',
  'watched.not-read-now': '«{file}» no se puede leer por ahora ({code}). Mire otra vez un poco más tarde.',
  'watched.empty-now': '«{file}» está vacío. Elija un archivo que contenga una tabla.',
  'watched.written-now': '«{file}» se está escribiendo en este momento. Mire otra vez cuando termine.',
  'watched.no-answer-now': 'La unidad de «{file}» no responde. Mire otra vez en cuanto lo haga.',
  'watched.key-gone':
    'Una columna por la que se encuentran las filas ya no está en esta lista. Elija el archivo otra vez, con otra columna.',
  'watched.no-key':
    'Elija la columna que distingue las filas del archivo, por ejemplo un número, o varias que lo hagan juntas.',
  'watched.too-many':
    'Como máximo {most} listas pueden mantenerse como en archivos. Quite antes una de ellas.',
  'watched.others-wait': 'El archivo ha cambiado mientras tanto. Mire otra vez lo que desaparecería.',
  'watched.elsewhere': 'El camino a «{file}» lleva ahora a otra parte. Elija el lugar otra vez.',
  'watched.a-copy': 'En «{file}» se escribe una copia de una lista. Elija otro archivo u otra carpeta.',
  'watched.newest-gone':
    'La tabla de «{folder}» leída por última vez ya no está, y las otras son más antiguas. Ponga aquella de nuevo, o elija la carpeta otra vez para seguir lo que hay.',
  'watched.column-gone':
    'En «{file}» ya no hay columna {columns}. Ponga de nuevo su nombre, o elija el archivo otra vez.',
  'watched.in-doubt':
    '«{file}» ahora se puede leer de varias formas; por eso no se ha tomado nada de él. Abra los archivos de la lista y compruebe las suposiciones.',
  'watched.unsure': {
    one: 'En «{file}» no se puede leer {n} línea; por eso nada va a la papelera. Corrija la línea allí.',
    other:
      'En «{file}» no se pueden leer {n} líneas; por eso nada va a la papelera. Corrija las líneas allí.',
  },
  'watched.rejected': {
    one: 'En «{file}» hay {n} línea que no encaja. Mire cuál es, y corrija allí.',
    other: 'En «{file}» hay {n} líneas que no encajan. Mire cuáles son, y corrija allí.',
  },
  'copy.a-source':
    'Una lista se mantiene como en «{file}», o como en su carpeta. Elija otro lugar para la copia.',
  'copy.of-another': '«{file}» es la copia de otra lista. Elija otro nombre.',
  'copy.kind': 'Una copia para la hoja de cálculo termina en .xlsx o .csv. Elija un nombre así.',
  'copy.reserved': 'Windows reserva el nombre «{file}» para algo que no es un archivo. Elija otro nombre.',
  'copy.there-already': 'Ya hay un archivo «{file}». Elija otro nombre, o permita que se reemplace.',
  'copy.inside': 'Una copia no puede estar entre los datos de Footbridge. Elija otra carpeta.',
  'copy.no-folder': 'La carpeta {folder} no existe por ahora. Conecte su unidad, o elija otra carpeta.',
  'copy.no-answer':
    'La unidad de «{file}» no responde. Vuelva a conectarla; entonces la copia se escribe por sí sola.',
  'copy.locked':
    '«{file}» no se puede reemplazar: otro programa lo tiene abierto, o este ordenador no puede escribirlo. Ciérrelo allí; se intentará de nuevo.',
  'copy.not-written':
    '«{file}» no se puede escribir por ahora ({code}). Se intentará de nuevo automáticamente.',
  'copy.full': 'No hay sitio para «{file}». Haga sitio en esa unidad; se intentará de nuevo.',
  'copy.locked-now':
    '«{file}» no se puede reemplazar: otro programa lo tiene abierto, o este ordenador no puede escribirlo. Ciérrelo allí, e inténtelo otra vez.',
  'copy.not-written-now':
    '«{file}» no se puede escribir por ahora ({code}). Inténtelo un poco más tarde, o elija otro lugar.',
  'copy.full-now': 'No hay sitio para «{file}». Haga sitio en esa unidad, o elija otra.',
  'copy.too-many': 'Como máximo {most} listas pueden tener una copia. Quite antes una de ellas.',
};
