/** About what was taken back or paused. */
export const withdrawn = {
  'Older data came back in which “{0}” was still shared with {1}. It stays unshared, as you had decided. Share it again if you want to.':
    'Ältere Daten sind zurückgekommen, in denen „{0}“ noch mit {1} geteilt war. Die Liste bleibt ungeteilt, wie Sie es entschieden hatten. Teilen Sie sie wieder, wenn Sie möchten.',
  'Older data came back in which {0} saw more of “{1}”. What you had taken off since stays hidden. Look through what is shared.':
    'Ältere Daten sind zurückgekommen, in denen {0} mehr von „{1}“ sah. Was Sie seither herausgenommen hatten, bleibt verborgen. Sehen Sie nach, was geteilt ist.',
  'Older data came back in which {0} was still connected. The connection stays ended. Connect again with a new invite if you want to.':
    'Ältere Daten sind zurückgekommen, in denen {0} noch verbunden war. Die Verbindung bleibt beendet. Verbinden Sie sich mit einer neuen Einladung wieder, wenn Sie möchten.',
  'Older data came back with the partner {0}, who had been removed. They stay removed and see nothing. Pair again with a new invite if you want them back.':
    'Ältere Daten sind zurückgekommen, mit dem Partner {0}, der entfernt worden war. Er bleibt entfernt und sieht nichts. Verbinden Sie sich mit einer neuen Einladung, wenn Sie ihn zurückhaben möchten.',
  'Older data came back from before {0} was paused. They stay paused. Choose “Resume” at this partner to go on.':
    'Ältere Daten sind zurückgekommen, aus der Zeit, bevor {0} angehalten wurde. Das Anhalten gilt weiter. Wählen Sie bei diesem Partner „Fortsetzen“, um weiterzumachen.',
  'Older data came back. Windows that were signed out since stay signed out, and doors that you had closed in Settings stay closed. Look through your settings.':
    'Ältere Daten sind zurückgekommen. Fenster, die seither abgemeldet wurden, bleiben abgemeldet, und was Sie in den Einstellungen geschlossen hatten, bleibt geschlossen. Sehen Sie Ihre Einstellungen durch.',
  '{0} has paused, so that nothing of theirs can be fetched. It goes on by itself when they do.':
    '{0} hat angehalten, sodass von dort nichts geholt werden kann. Es geht von selbst weiter, sobald es dort weitergeht.',
  '{0} may not read what you share. {1}': '{0} darf nicht lesen, was Sie teilen. {1}',
  'Nothing is fetched from {0}; they may read what you share. {1}':
    'Von {0} wird nichts geholt; was Sie teilen, darf dort gelesen werden. {1}',
  'The partner has paused: nothing of theirs can be fetched just now. It goes on by itself when they do.':
    'Der Partner hat angehalten: Von dort kann gerade nichts geholt werden. Es geht von selbst weiter, sobald es dort weitergeht.',
  'The other office has paused sharing with you. Wait until they go on; the connection stays.':
    'Das andere Büro teilt mit Ihnen gerade nichts. Warten Sie, bis es dort weitergeht; die Verbindung bleibt.',
  'Older data came back, from before this connection was complete. Connect again with a new invite.':
    'Ältere Daten sind zurückgekommen, aus der Zeit, bevor diese Verbindung fertig war. Verbinden Sie sich mit einer neuen Einladung wieder.',
  'You ended this connection, or the partner did; older data that came back does not open it again. Pair again with a new invite to go on.':
    'Sie haben diese Verbindung beendet, oder der Partner; ältere Daten, die zurückgekommen sind, öffnen sie nicht wieder. Verbinden Sie sich mit einer neuen Einladung wieder, um weiterzumachen.',
};
