@rem package.json begins scripts with "exec", so that a signal for npm reaches Footbridge and not a shell in between.
@rem The command shell of Windows has no such word and finds this file in its place.
@%*
