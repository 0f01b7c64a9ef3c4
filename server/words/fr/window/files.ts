import type { Translated } from '../../catalogue.ts';
import type { files as english } from '../../en/window/files.ts';

/** Files on this computer that lists are kept as in, and copies of lists. */
export const files: Translated<typeof english> = {
  'files.title': 'Fichiers sur cet ordinateur',
  'files.of': 'Fichiers de « {list} »',
  'files.watched': 'Suivre un fichier',
  'files.watched-hint':
    'Ce qui change dans le fichier change ici, quelques secondes après son enregistrement. Les lignes qui ne sont plus dans le fichier vont à la corbeille, pour un fichier CSV une dizaine de secondes plus tard ; s’il y en a beaucoup, une question vous est posée d’abord. Ce que vous changez ici reste jusqu’à ce que la même cellule change dans le fichier.',
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
    'Corrigez-les dans le fichier ; une fois enregistré, Footbridge le relit. Les autres lignes ne sont pas touchées.',
  'files.look': 'Vérifier le fichier',
  'files.begin-watched': 'Suivre ce fichier',
  'files.end-watched': 'Ne plus suivre',
  'files.read': 'Lu',
  'files.sums': {
    one: 'Laissée de côté, car elle semble être un total ou un pied de page : {lines}',
    other: 'Laissées de côté, car elles semblent être des totaux ou des pieds de page : {lines}',
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
  'files.as-there': 'Changer ici aussi',
  'files.as-here': 'Garder mes valeurs',
  'files.keep-here': 'Les garder',
  'files.doubts-hint':
    'Le fichier a changé et peut se lire de plusieurs façons. Rien n’est repris avant votre choix.',
  'files.use-answers': 'Lire ainsi',
  'files.not-read-yet': 'Première lecture du fichier…',
  'files.by-key': 'Les lignes sont retrouvées par : {columns}',
  'files.copy': 'Une copie pour le tableur',
  'files.copy-hint':
    'Footbridge réécrit ce fichier dès que la liste change. Ce que vous y changez est perdu.',
  'files.written': 'Écrit',
  'files.begin-copy': 'Écrire la copie',
  'files.end-copy': 'Ne plus écrire de copie',
  'files.replace-title': 'Remplacer le fichier ?',
  'files.replace': 'Le remplacer',
  'files.replace-text': 'Ce fichier existe déjà. Son contenu sera perdu.',
};
