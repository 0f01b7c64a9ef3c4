import type { Translated } from '../../catalogue.ts';
import type { files as english } from '../../en/window/files.ts';

/** Files on this computer that lists are kept as in, and copies of lists. */
export const files: Translated<typeof english> = {
  'files.title': 'Archivos en este ordenador',
  'files.of': 'Archivos de «{list}»',
  'files.watched': 'Seguir un archivo',
  'files.watched-hint':
    'Lo que cambia en el archivo cambia aquí, pocos segundos después de guardarlo. Las filas que ya no están en el archivo van a la papelera, con un archivo CSV unos diez segundos después; si son muchas, se le pregunta antes. Lo que usted cambia aquí se queda hasta que la misma celda cambie en el archivo.',
  'files.path-open': 'Archivo o carpeta',
  'files.path-open-hint':
    'xlsx, ods o CSV, con su ruta completa. De una carpeta se lee la tabla cambiada por última vez.',
  'files.path-save': 'Archivo',
  'files.path-save-hint': 'La ruta completa de un archivo que termina en .xlsx o .csv.',
  'files.path-example': '/home/oficina/Clientes.xlsx',
  'files.choose-file': 'Elegir un archivo…',
  'files.choose-folder': 'Elegir una carpeta…',
  'files.choose-copy': 'Elegir un lugar…',
  'files.choose-key': 'Elegir una columna',
  'files.key-hint':
    'Una columna distinta en cada fila, como un número, o varias que lo sean juntas. Sin elección, se buscan en el archivo.',
  'files.would': 'Para empezar:',
  'files.rejected-hint':
    'Corríjalas en el archivo; una vez guardado, Footbridge lo vuelve a leer. Las otras líneas no se ven afectadas.',
  'files.look': 'Comprobar el archivo',
  'files.begin-watched': 'Seguir este archivo',
  'files.end-watched': 'Dejar de seguir',
  'files.read': 'Leído',
  'files.sums': {
    one: 'Se omitió, porque parece un total o un pie: {lines}',
    other: 'Se omitieron, porque parecen totales o pies: {lines}',
  },
  'files.removed': { one: '{n} fila a la papelera', other: '{n} filas a la papelera' },
  'files.waiting': {
    one: '{n} fila ya no está en el archivo. ¿Debe ir a la papelera?',
    other: '{n} filas ya no están en el archivo. ¿Deben ir a la papelera?',
  },
  'files.let-go': { one: 'Poner {n} fila en la papelera', other: 'Poner {n} filas en la papelera' },
  'files.emptied': {
    one: 'En el archivo {n} fila ha perdido valores. ¿Debe perderlos también aquí?',
    other: 'En el archivo {n} filas han perdido valores. ¿Deben perderlos también aquí?',
  },
  'files.as-there': 'Cambiarlo también aquí',
  'files.as-here': 'Conservar mis valores',
  'files.keep-here': 'Conservarlas',
  'files.doubts-hint':
    'El archivo ha cambiado y se puede leer de varias formas. No se toma nada hasta que elija.',
  'files.use-answers': 'Leer así',
  'files.not-read-yet': 'Leyendo el archivo por primera vez…',
  'files.by-key': 'Las filas se encuentran por: {columns}',
  'files.copy': 'Una copia para la hoja de cálculo',
  'files.copy-hint':
    'Footbridge reescribe este archivo cada vez que cambia la lista. Lo que usted cambie en él se pierde.',
  'files.written': 'Escrito',
  'files.begin-copy': 'Escribir la copia',
  'files.end-copy': 'No escribir más la copia',
  'files.replace-title': '¿Reemplazar el archivo?',
  'files.replace': 'Reemplazarlo',
  'files.replace-text': 'Este archivo ya existe. Lo que contiene se pierde.',
};
