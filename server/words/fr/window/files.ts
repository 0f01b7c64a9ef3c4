import type { Translated } from '../../catalogue.ts';
import type { files as english } from '../../en/window/files.ts';

/** Files on this computer that lists are kept as in, and copies of lists. */
export const files: Translated<typeof english> = {
  'files.title': 'Fichiers sur cet ordinateur',
  'files.of': 'Fichiers de « {list} »',
  'files.watched': 'Tenir cette liste comme dans un fichier',
  'files.watched-hint':
    'Ce qui change dans le fichier change ici, quelques secondes après son enregistrement. Les lignes qui ne sont plus dans le fichier vont à la corbeille, pour un fichier CSV une dizaine de secondes plus tard ; un grand nombre seulement avec votre accord. Ce que vous changez ici reste jusqu’à ce que la même cellule change dans le fichier.',
  'files.path-open': 'Fichier ou dossier',
  'files.path-open-hint':
    'xlsx, ods ou CSV, avec son chemin entier. D’un dossier, le tableau changé en dernier est lu.',
  'files.path-save': 'Fichier',
  'files.path-save-hint': 'Le chemin entier d’un fichier qui finit par .xlsx ou .csv.',
  'files.path-example': '/home/bureau/Clients.xlsx',
  'files.choose-file': 'Choisir un fichier…',
  'files.choose-folder': 'Choisir un dossier…',
  'files.choose-copy': 'Choisir un endroit…',
  'files.choose-key': 'Choisir une colonne',
  'files.key-hint':
    'Une colonne différente dans chaque ligne, comme un numéro, ou plusieurs qui le sont ensemble. Sans choix, on les cherche dans le fichier.',
  'files.would': 'Pour commencer :',
  'files.rejected-hint':
    'Corrigez-les dans le fichier ; une fois enregistré, il est relu de lui-même. Les autres lignes ne sont pas touchées.',
  'files.look': 'Regarder le fichier',
  'files.begin-watched': 'Tenir la liste ainsi désormais',
  'files.end-watched': 'Ne plus suivre le fichier',
  'files.read': 'Lu',
  'files.sums': {
    one: 'Laissée de côté, car elle semble additionner d’autres lignes : {lines}',
    other: 'Laissées de côté, car elles semblent en additionner d’autres : {lines}',
  },
  'files.removed': { one: '{n} ligne à la corbeille', other: '{n} lignes à la corbeille' },
  'files.waiting': {
    one: '{n} ligne n’est plus dans le fichier. Doit-elle aller à la corbeille ?',
    other: '{n} lignes ne sont plus dans le fichier. Doivent-elles aller à la corbeille ?',
  },
  'files.let-go': { one: 'Mettre {n} ligne à la corbeille', other: 'Mettre {n} lignes à la corbeille' },
  'files.emptied': {
    one: 'Dans le fichier, {n} ligne a perdu des valeurs. Doit-elle les perdre ici aussi ?',
    other: 'Dans le fichier, {n} lignes ont perdu des valeurs. Doivent-elles les perdre ici aussi ?',
  },
  'files.as-there': 'Faire de même ici',
  'files.as-here': 'Laisser tel quel ici',
  'files.keep-here': 'Les garder ici',
  'files.not-read-yet': 'Il est lu pour la première fois.',
  'files.by-key': 'Les lignes sont retrouvées par : {columns}',
  'files.copy': 'Une copie pour le tableur',
  'files.copy-hint':
    'Un fichier réécrit chaque fois que cette liste a changé. Ce qui y est changé est perdu à l’écriture suivante.',
  'files.written': 'Écrit',
  'files.begin-copy': 'Écrire la copie',
  'files.end-copy': 'Ne plus écrire de copie',
  'files.replace-title': 'Remplacer le fichier ?',
  'files.replace': 'Le remplacer',
  'files.replace-text': 'Ce fichier existe déjà. Son contenu sera perdu.',
};
